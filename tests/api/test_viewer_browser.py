"""The scan in 3D, in a browser that draws it: turned, cut, measured, coloured, by mouse and by keys."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright

from api.headers import PAGE_POLICY
from homolog.scan.glb_writer import NamedMesh, write_glb
from homolog.scan.surface import Surface
from tests.api.conftest import EXAMPLES
from tests.api.test_browser import SIZES, expect_accessible, expect_no_sideways_scrolling
from tests.api.test_process import Running
from tests.conftest import QUIET

DRAWS = ("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
"""Chromium's own renderer on the processor, which draws WebGL without a graphics card."""
CORNERS = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
FACES = np.array(
    [
        [0, 1, 3],
        [0, 3, 2],
        [4, 6, 7],
        [4, 7, 5],
        [0, 4, 5],
        [0, 5, 1],
        [2, 3, 7],
        [2, 7, 6],
        [0, 2, 6],
        [0, 6, 4],
        [1, 5, 7],
        [1, 7, 3],
    ]
)


def box(name: str, low: tuple[float, float, float], size: tuple[float, float, float]) -> NamedMesh:
    return NamedMesh(name, Surface(CORNERS * size + low, FACES), (0.8, 0.8, 0.8))


CUBE = write_glb([box("body", (0, 0, 0), (20, 20, 20)), box("rod", (9, 20, 9), (2, 60, 2))])
"""A cube of 20 mm on a rod that leaves it along y."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a running service."""
    running = Running(tmp_path_factory.mktemp("service"))
    yield str(running.client.base_url)
    running.end()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Yield a browser that draws WebGL."""
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("chromium is not installed, so nothing was looked at in a browser")
    with sync_playwright() as driver:
        arguments = [*(one for one in QUIET if one != "--disable-gpu"), *DRAWS]
        chromium = driver.chromium.launch(executable_path=program, args=arguments)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def answered(browser: Browser, service: str) -> str:
    """Return the page of a goalkeeper that is too high, as the service gives it."""
    context = browser.new_context(base_url=service)
    page = context.new_page()
    page.goto("/")
    page.set_input_files("#scan", {"name": "k.stl", "mimeType": "model/stl", "buffer": taller()})
    page.select_option("#item", "goalkeeper")
    with page.expect_response(lambda answer: answer.request.method == "POST", timeout=60_000) as waiting:
        page.get_by_role("button", name="Check and read the report").click()
    text = waiting.value.text()
    context.close()
    return text


def taller() -> bytes:
    """Return the example's goalkeeper, 12 % larger: 40.4 mm high."""
    data = bytearray((EXAMPLES / "goalkeeper.stl").read_bytes())
    facets = np.frombuffer(data, np.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")]), offset=84)
    facets["v"] *= 1.12  # type: ignore[call-overload]
    return bytes(data)


def opened(browser: Browser, service: str, text: str, size: str = "wide", scheme: Any = "light") -> tuple[Page, list[str]]:
    context = browser.new_context(base_url=service, viewport=SIZES[size], color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)

    def answer(route: Route) -> None:
        if route.request.url.rstrip("/") == service.rstrip("/"):
            headers = {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": PAGE_POLICY}
            route.fulfill(body=text, headers=headers)
        else:
            route.continue_()

    page.route("**/*", answer)
    page.goto("/")
    return page, faults


@pytest.fixture(params=[(size, scheme) for size in SIZES for scheme in ("light", "dark")], ids="-".join)
def keeper(request: pytest.FixtureRequest, browser: Browser, service: str, answered: str) -> Iterator[Page]:
    """Yield the page with the goalkeeper; it must stay without errors."""
    page, faults = opened(browser, service, answered, *request.param)
    yield page
    page.context.close()
    assert faults == []


@pytest.fixture
def cube(browser: Browser, service: str, answered: str) -> Iterator[Page]:
    """Yield the page with the cube in the goalkeeper's place."""
    mesh = base64.b64encode(CUBE).decode()
    text = re.sub(r"data:model/gltf-binary;base64,[A-Za-z0-9+/=]+", f"data:model/gltf-binary;base64,{mesh}", answered)
    page, faults = opened(browser, service, text)
    yield page
    page.context.close()
    assert faults == []


def picture(page: Page) -> str:
    """Return a digest of what the canvas shows."""
    page.wait_for_timeout(100)
    return hashlib.sha256(page.locator("canvas").screenshot()).hexdigest()


def share_of(page: Page, *, red: bool = False) -> float:
    """Return the share of the canvas' pixels that show anything, or anything red."""
    found: float = page.evaluate(
        """(red) => {
            const canvas = document.querySelector("canvas"), gl = canvas.getContext("webgl2");
            // A key there and back draws anew, so that there is something to be read before the browser takes it away.
            for (const key of ["+", "-"]) canvas.dispatchEvent(new KeyboardEvent("keydown", {key}));
            const data = new Uint8Array(4 * canvas.width * canvas.height);
            gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, data);
            let n = 0;
            for (let i = 0; i < data.length; i += 4) {
                const isRed = data[i] > 60 && data[i + 1] < 40 && data[i + 2] < 40;
                n += data[i + 3] > 0 && (isRed || !red) ? 1 : 0;
            }
            return 4 * n / data.length;
        }""",
        red,
    )
    return found


def distance(page: Page) -> float:
    return float(page.locator("[data-distance]").get_attribute("data-distance") or "nan")


def look(page: Page, side: str) -> None:
    page.locator(f"[data-do={side}]").click()


def test_the_page_with_a_scan_is_accessible_and_fits(keeper: Page) -> None:
    expect(keeper.locator("#viewer")).to_be_visible()
    expect(keeper.locator("#no-viewer")).to_be_hidden()
    expect_accessible(keeper)
    expect_no_sideways_scrolling(keeper)


def test_what_is_beyond_the_limit_is_coloured_and_named(keeper: Page) -> None:
    assert share_of(keeper, red=True) > 0.0001
    expect(keeper.locator(".spots li")).to_contain_text("at most 39")
    expect(keeper.locator(".tag.is-spot")).to_contain_text("height")


def test_it_is_turned_by_mouse_by_keys_and_by_buttons(keeper: Page) -> None:
    seen = [picture(keeper)]
    canvas = keeper.locator("canvas")
    place = canvas.bounding_box()
    assert place is not None
    keeper.mouse.move(place["x"] + 100, place["y"] + 100)
    keeper.mouse.down()
    keeper.mouse.move(place["x"] + 160, place["y"] + 120, steps=4)
    keeper.mouse.up()
    seen.append(picture(keeper))
    canvas.focus()
    keeper.keyboard.press("ArrowLeft")
    seen.append(picture(keeper))
    look(keeper, "up")
    seen.append(picture(keeper))
    assert len(set(seen)) == 4
    expect(keeper.locator(".tag.is-point")).to_have_count(0)  # to turn is not to pick


def test_the_first_view_comes_back(cube: Page) -> None:
    look(cube, "home")
    first = picture(cube)
    look(cube, "top")
    assert picture(cube) != first
    look(cube, "home")
    assert picture(cube) == first


def test_a_cut_hides_what_is_beyond_it(cube: Page) -> None:
    look(cube, "top")
    whole = share_of(cube)
    cube.select_option("#cut-way", "rod")
    at_the_root = float(cube.input_value("#cut-at"))
    assert at_the_root == pytest.approx(20.0, abs=0.1)  # where the rod leaves the cube
    cut = share_of(cube)
    # Seen from above: the cube of 20 x 20 mm with a rod of 2 x 60 mm, and then the cube alone.
    assert cut / whole == pytest.approx(400 / 520, rel=0.02)
    cube.locator("#cut-at").focus()
    cube.keyboard.press("Home")
    assert share_of(cube) < 0.01 * cut
    cube.select_option("#cut-way", "none")
    assert share_of(cube) == pytest.approx(whole, rel=0.001)


def test_two_corners_of_a_cube_are_its_edge_apart(cube: Page) -> None:
    look(cube, "top")
    look(cube, "body")
    place = cube.locator("canvas").bounding_box()
    assert place is not None
    # The cube of 20 mm fills the lower side of the view but for 12 %.
    pixel = 20 * 1.12 / min(place["width"], place["height"])
    middle, half = (place["width"] / 2, place["height"] / 2), 9.5 / pixel
    cube.locator("canvas").click(position={"x": middle[0] - half, "y": middle[1] - half})
    expect(cube.locator("[data-distance]")).to_contain_text("choose the second point")
    cube.locator("canvas").click(position={"x": middle[0] + half, "y": middle[1] - half})
    assert distance(cube) == pytest.approx(19.0, abs=2 * pixel)
    expect(cube.locator("[data-distance]")).to_contain_text("for information; it proves nothing")
    cube.get_by_role("button", name="Forget the points").click()
    expect(cube.locator(".tag.is-point")).to_have_count(0)


def test_a_distance_is_measured_by_keys_alone(cube: Page) -> None:
    look(cube, "front")
    look(cube, "body")
    cube.locator("canvas").focus()
    cube.keyboard.press("Enter")
    for _ in range(2):
        cube.keyboard.press("Shift+ArrowRight")
    cube.keyboard.press("Enter")
    place = cube.locator("canvas").bounding_box()
    assert place is not None
    assert distance(cube) == pytest.approx(40 * 20 * 1.12 / min(place["width"], place["height"]), abs=0.02)


def test_a_point_is_never_set_on_what_is_cut_away_or_hidden(cube: Page) -> None:
    look(cube, "top")
    cube.get_by_role("checkbox", name="body").uncheck()
    cube.get_by_role("checkbox", name="rod").uncheck()
    cube.locator("canvas").focus()
    cube.keyboard.press("Enter")
    expect(cube.locator(".tag.is-point")).to_have_count(0)


def test_parts_that_are_not_there_are_not_offered(cube: Page) -> None:
    expect(cube.get_by_role("checkbox", name="body")).to_be_visible()
    expect(cube.get_by_role("checkbox", name="handle")).to_be_hidden()


@pytest.mark.parametrize("scripts", [True, False])
def test_without_webgl_or_scripts_the_pictures_say_the_same(browser: Browser, service: str, answered: str, scripts: bool) -> None:
    context = browser.new_context(base_url=service, java_script_enabled=scripts)
    page = context.new_page()
    if scripts:
        page.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
    page.route(f"{service.rstrip('/')}/", lambda route: route.fulfill(body=answered, content_type="text/html; charset=utf-8"))
    page.goto("/")
    expect(page.locator("#viewer")).to_be_hidden()
    expect(page.locator("#no-viewer")).to_be_visible()
    assert page.locator(".pictures img").count() == 4
    context.close()


def test_the_scan_and_the_report_can_be_saved(keeper: Page) -> None:
    for name, start in (("Report (PDF)", b"%PDF-"), ("Record (JSON)", b"{"), ("Scan, taken apart (GLB)", b"glTF")):
        with keeper.expect_download() as waiting:
            keeper.get_by_role("link", name=name).click()
        assert Path(waiting.value.path()).read_bytes().startswith(start)
