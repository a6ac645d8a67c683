"""The sandbox: what a measuring process tries is held, what becomes of it is told, and the caller goes on."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from homolog.errors import MeasuringFailed
from homolog.scan.sandbox import client
from homolog.scan.sandbox.job import Done, run_job
from homolog.scan.sandbox.limits import Limits
from homolog.scan.sandbox.rings import rings
from tests.bodies import Recipe, binary_stl, make_keeper, posed
from tests.scan.tries import FORBIDDEN

ROOT = Path(__file__).resolve().parents[2]
GOOD = binary_stl(posed(make_keeper(Recipe(edge=0.9)).corners, 2))
MESH = Limits(seconds=20.0)
STEP = Limits(seconds=20.0, may_fork=True, file_bytes=200_000_000)


def run(job: str, *lines: object, limits: Limits | None = None) -> Done:
    payload = "".join(f"{line}\n" for line in lines).encode()
    return run_job(f"tests.scan.tries:{job}", (payload,), limits or MESH, name="x.stl")


def failure(job: str, *lines: object, limits: Limits | None = None) -> MeasuringFailed:
    with pytest.raises(MeasuringFailed) as caught:
        run(job, *lines, limits=limits)
    return caught.value


def need(ring: str) -> None:
    """Skip where the machine does not offer a ring; the sandbox then says so itself."""
    found = {item.name: item for item in rings()}[ring]
    if not found.is_there:
        pytest.skip(f"no ring of {ring}: {found.why}")


@pytest.fixture(autouse=True)
def the_caller_goes_on() -> Iterator[None]:
    """After every try the next job is done as if nothing had been."""
    yield
    assert run("echo", "hello").answer == {"bytes": 6, "head": "hello\n"}


@pytest.fixture
def server() -> Iterator[int]:
    """A server on this machine that would greet whoever connects."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.0)
        yield listening.getsockname()[1]
        with pytest.raises(BlockingIOError):
            listening.accept()


def test_every_ring_is_known_and_tried() -> None:
    assert [ring.name for ring in rings()] == ["process", "resident", "limits", "privileges", "files", "calls"]
    assert all(ring.why for ring in rings())


TRIES = sorted(set(FORBIDDEN) - {"connect to a server"})
FOR_STEP = sorted(set(TRIES) - {"copy itself", "start a thread"})
"""The CAD kernel runs in a copy of the measuring process."""


@pytest.mark.parametrize(("what", "limits"), [(what, MESH) for what in TRIES] + [(what, STEP) for what in FOR_STEP])
def test_a_forbidden_try_is_held(what: str, limits: Limits, tmp_path: Path) -> None:
    need("files")
    need("calls")
    secret = tmp_path / "secret.txt"
    secret.write_text("not for you")
    target = {"list a folder outside": tmp_path, "write a file outside": tmp_path / "new"}.get(what, secret)
    answer = run("try_forbidden", what, target, limits=limits).answer
    assert set(answer) == {"held"}, answer
    assert secret.read_text() == "not for you"
    assert secret.stat().st_mode & 0o777 != 0o777
    assert list(tmp_path.iterdir()) == [secret]


def test_no_connection_is_made(server: int) -> None:
    need("calls")
    assert set(run("try_forbidden", "connect to a server", server).answer) == {"held"}


@pytest.mark.parametrize("what", ["open a file outside", "write a file outside"])
def test_the_same_try_succeeds_outside(what: str, tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_text("x")
    assert FORBIDDEN[what](str(target))


def test_the_process_finds_no_secrets_an_empty_folder_and_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    client.stop()
    monkeypatch.setenv("SECRET_TOKEN", "x")
    found = run("look_around").answer
    assert not {name for name in found["environment"] if "SECRET" in name or "TOKEN" in name}
    assert found["folder"] in ([], "refused")
    assert found["open"] == [0, 1, 2, 3]


def test_a_job_that_computes_for_ever_is_ended() -> None:
    start = time.perf_counter()
    assert failure("loop", limits=Limits(seconds=0.5)).problems[0].code == "measuring_timeout"
    assert time.perf_counter() - start < 10


def test_a_job_that_sleeps_for_ever_is_ended() -> None:
    error = failure("sleep", 60, limits=Limits(seconds=0.3))
    assert str(error) == "x.stl: measuring took longer than 0.3 s and was ended; reduce the mesh, or allow more time."


@pytest.mark.parametrize(
    ("job", "says"),
    [
        ("abort", "was ended by signal 6"),
        ("fault", "was ended by signal 11"),
        ("leave", "ended with code 0"),
        ("leave_with_a_code", "ended with code 3"),
        ("stumble", "ended with code 1 (ZeroDivisionError: a wheel came off)"),
        ("answer_nonsense", "ended with code 0"),
        ("answer_a_list", "ended with code 0"),
        ("answer_deeply", "ended with code 0"),
        ("answer_at_length", "answered with more than 256 MiB"),
    ],
)
def test_a_crash_or_a_bad_answer_is_an_error_that_says_how(job: str, says: str) -> None:
    error = failure(job)
    assert error.problems[0].code == "measuring_crashed"
    assert says in str(error)


def test_what_a_job_prints_is_no_part_of_its_answer() -> None:
    assert run("chatter").answer == {"said": True}


def test_more_address_space_than_the_limit_is_not_had() -> None:
    need("limits")
    assert failure("take_address_space").problems[0].code in ("measuring_memory", "measuring_crashed")


def test_more_memory_than_the_limit_is_not_held() -> None:
    need("resident")
    error = failure("take_memory", 900, limits=Limits(seconds=20.0, resident_bytes=300 << 20))
    assert error.problems[0].code == "measuring_memory"
    assert "held more than 0.3 GiB" in str(error)


def test_memory_below_the_limit_is_held() -> None:
    done = run("take_memory", 100, limits=Limits(seconds=20.0, resident_bytes=300 << 20))
    assert done.answer == {"got": True}
    assert 100 << 20 < done.peak_bytes < 300 << 20


def test_a_file_grows_no_larger_than_the_limit() -> None:
    limits = Limits(seconds=20.0, may_fork=True, file_bytes=5 << 20)
    assert run("write_a_huge_file", limits=limits).answer == {"held": "EFBIG", "written": 5 << 20}


def test_a_fork_bomb_is_ended_whole() -> None:
    before = len(list(Path("/proc").iterdir()))
    error = failure("fork_without_end", limits=STEP)
    assert "copied itself too often" in str(error)
    assert len(list(Path("/proc").iterdir())) < before + 20


def test_a_copy_that_a_job_leaves_behind_ends_with_it() -> None:
    start = time.perf_counter()
    process = run("leave_a_copy_behind", limits=STEP).answer["process"]
    assert time.perf_counter() - start < 10
    wait_until_gone(process)


def test_a_killed_supervisor_fails_its_job_and_is_replaced() -> None:
    run("echo")
    first = client.supervisor().process
    timer = threading.Timer(0.3, os.kill, (first, signal.SIGKILL))
    timer.start()
    error = failure("sleep", 60)
    timer.join()
    assert "the supervisor of the measuring processes ended before the job did" in str(error)
    assert run("echo").answer["bytes"] == 0
    assert client.supervisor().process != first


def test_a_supervisor_that_was_killed_while_idle_is_not_noticed() -> None:
    run("echo")
    os.kill(client.supervisor().process, signal.SIGKILL)
    assert run("echo", "again").answer["bytes"] == 6


def test_jobs_of_several_threads_run_at_once_and_do_not_mix() -> None:
    run("echo")
    start = time.perf_counter()
    with ThreadPoolExecutor(8) as pool:
        sleeping = [pool.submit(run, "sleep", 1.0) for _ in range(4)]
        echoes = list(pool.map(lambda size: run("echo", "x" * size).answer["bytes"], range(20)))
        assert [future.result().answer for future in sleeping] == [{}] * 4
    assert echoes == [size + 1 for size in range(20)]
    assert time.perf_counter() - start < 3.8


def test_jobs_beside_a_crashing_one_survive() -> None:
    with ThreadPoolExecutor(9) as pool:
        good = [pool.submit(run, "sleep", 0.3) for _ in range(8)]
        bad = pool.submit(failure, "fault")
        assert [future.result().answer for future in good] == [{}] * 8
        assert bad.result().problems[0].code == "measuring_crashed"


def test_a_caller_that_goes_away_ends_its_job_and_the_supervisor() -> None:
    code = (
        "import os, threading, time\n"
        "from homolog.scan.sandbox import client\n"
        "from homolog.scan.sandbox.job import run_job\n"
        "from homolog.scan.sandbox.limits import Limits\n"
        "job = lambda: run_job('tests.scan.tries:sleep', (b'60',), Limits(), name='x')\n"
        "threading.Thread(target=job, daemon=True).start()\n"
        "time.sleep(1.5)\n"
        "print(client.supervisor().process, flush=True)\n"
        "time.sleep(60)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    with process.stdout:
        supervisor = int(process.stdout.readline())
        children = Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text().split()
        assert len(children) == 1
        process.kill()
        process.wait()
    wait_until_gone(supervisor)
    wait_until_gone(int(children[0]))


def wait_until_gone(process: int) -> None:
    for _ in range(200):
        if not is_alive(process):
            return
        time.sleep(0.05)
    pytest.fail(f"process {process} is still there")


def is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_a_copy_of_the_caller_has_a_supervisor_of_its_own() -> None:
    run("echo")
    mine = client.supervisor().process
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            run("echo")
            os.write(writing, str(client.supervisor().process).encode())
            client.stop()
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as stream:
        theirs = int(stream.read())
    os.waitpid(process, 0)
    assert theirs != mine
    assert client.supervisor().process == mine


def test_a_warm_supervisor_has_one_thread_and_starts_a_job_at_once() -> None:
    from homolog.scan.worker import LIBRARIES

    run_job("tests.scan.tries:echo", (), Limits(), name="x", needs=(LIBRARIES,))
    status = Path(f"/proc/{client.supervisor().process}/status").read_text()
    assert status.split("Threads:")[1].split()[0] == "1"
    spent: list[float] = []
    for _ in range(20):
        start = time.perf_counter()
        done = run("echo")
        spent.append(time.perf_counter() - start)
        assert done.processor_seconds < 0.05
    assert min(spent) < 0.05


WITHOUT_LANDLOCK = """
import sys
from homolog.scan.sandbox import kernel, seccomp
kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
seccomp.install([(0x20, 0, 0, 0), (0x15, 0, 1, 444), (0x06, 0, 0, 0x00050026), (0x06, 0, 0, 0x7FFF0000)])
"""
"""From here on the kernel answers like one without Landlock: 38, no such call."""


def test_a_missing_ring_is_named_and_the_others_hold() -> None:
    need("files")
    code = (
        WITHOUT_LANDLOCK
        + "from homolog.scan.sandbox.rings import rings\nfor ring in rings(): print(ring.name, ring.is_there, ring.why)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    said = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert said["files"] == "False [Errno 38] Function not implemented"
    assert said["calls"].startswith("True ")
    assert said["privileges"].startswith("True ")


def test_the_command_line_says_once_what_is_missing_and_measures(tmp_path: Path) -> None:
    need("files")
    call = "sys.argv[1:] = ['check', *sys.argv[1:], '--item', 'goalkeeper']\nfrom homolog.cli.main import main\nmain()"
    scans = []
    for number in range(2):
        scans.append(tmp_path / f"{number}.stl")
        scans[-1].write_bytes(GOOD)
    command = [sys.executable, "-c", WITHOUT_LANDLOCK + call, *map(str, scans)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1, 3), done.stderr
    assert done.stderr.count("the sandbox lacks the ring 'files' on this machine: [Errno 38]") == 1
