"""What a picture in a record may hold: shapes and words, nothing that runs, loads or expands."""

from __future__ import annotations

from xml.parsers import expat

from homolog.errors import InputRefused

_SVG = "http://www.w3.org/2000/svg"
_SHAPES = {"path", "line", "polyline", "polygon", "rect", "circle", "ellipse", "image", "text", "tspan"}
_FRAMES = {"svg", "g", "defs", "title", "desc", "style", "marker", "pattern", "clipPath"}
_COLOURS = {"linearGradient", "radialGradient", "stop"}
_ELEMENTS = _SHAPES | _FRAMES | _COLOURS
_MOST_ELEMENTS = 200_000
_MOST_DEPTH = 32


class _Unsafe(Exception):
    """The drawing holds something that it must not."""


class _Inspector:
    """Walks through a drawing and stops at the first thing that must not be there."""

    def __init__(self) -> None:
        self.elements, self.depth = 0, 0
        self.in_style = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        space, _, local = name.rpartition(" ")
        self.elements, self.depth = self.elements + 1, self.depth + 1
        if space != _SVG or local not in _ELEMENTS:
            raise _Unsafe(f"the element {local[:40]!r} is not allowed")
        if self.elements == 1 and local != "svg":
            raise _Unsafe("it is no SVG drawing")
        if self.elements > _MOST_ELEMENTS or self.depth > _MOST_DEPTH:
            raise _Unsafe("it is too large or nested too deep")
        self.in_style = local == "style"
        for key, value in attributes.items():
            _check(local, key.rpartition(" ")[2], value)

    def end(self, _name: str) -> None:
        self.depth -= 1
        self.in_style = False

    def text(self, text: str) -> None:
        if self.in_style:
            _check_style(text)


def _check(element: str, name: str, value: str) -> None:
    if name.lower().startswith("on"):
        raise _Unsafe(f"the attribute {name[:40]!r} is not allowed")
    if name == "href":
        inside = value.startswith("data:image/png;base64,") if element == "image" else value.startswith("#")
        if not inside:
            raise _Unsafe("it refers to something outside itself")
    _check_style(value)


def _check_style(text: str) -> None:
    lowered = text.lower()
    if "url(" in lowered.replace("url(#", "") or "@import" in lowered or "javascript:" in lowered or "\\" in lowered:
        raise _Unsafe("it refers to something outside itself")


def _refuse_doctype(*_: object) -> None:
    raise _Unsafe("a document type is not allowed")


def refuse_unsafe_drawing(svg: str, where: str) -> None:
    """Refuse a drawing that is no plain SVG.

    Raises:
        InputRefused: The text is not well-formed, or holds an element, attribute or reference that is not allowed.
    """
    inspector = _Inspector()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = inspector.start
    parser.EndElementHandler = inspector.end
    parser.CharacterDataHandler = inspector.text
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.ProcessingInstructionHandler = _refuse_doctype
    parser.buffer_text = True
    try:
        parser.Parse(svg.encode("utf-8", "surrogatepass"), True)
    except _Unsafe as error:
        raise InputRefused.because(f"the picture is refused: {error}", where=where, code="picture_unsafe") from None
    except expat.ExpatError as error:
        raise InputRefused.because(f"the picture is not well-formed: {error}", where=where, code="picture_unsafe") from None
