"""The rule book: bodies, editions, items, and the differences between editions, rendered from the specs for everybody."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, TypeAlias

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from api.check import today
from api.looking import look
from api.problems import Failure
from api.sent import refuse_parameters
from api.service import Shelf, service_of
from api.templates import page
from api.words import language_of
from homolog.errors import UsageError

if TYPE_CHECKING:
    from api.rule_words import RuleWords
    from homolog.spec.library import LoadedEdition
    from homolog.spec.load import LoadedSpec

Shown: TypeAlias = Mapping[str, Any]
_ASKED = ("old", "new", "item")


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """An edition's rules for one item, as a list shows them.

    Attributes:
        since: First day of effect; empty if it is not known. Likewise `to`, of the last one.
        is_open: Whether no end is known of.
        is_in_force: Whether it is in force today.
        owner: Label of the edition and body that the file belongs to, where another one's is taken over.
    """

    item: str
    requirements: int
    since: str
    to: str
    is_open: bool
    basis: str
    is_in_force: bool
    incomplete: bool
    owner: str


async def bodies(request: Request) -> Response:
    """List the bodies with their editions, and which is in force."""
    return await _shown(request, "rules.html.j2", _bodies)


async def edition(request: Request) -> Response:
    """Show one edition."""
    return await _shown(request, "rules_edition.html.j2", _edition)


async def item(request: Request) -> Response:
    """Show one edition's rules for an item."""
    return await _shown(request, "rules_item.html.j2", _item)


async def differences(request: Request) -> Response:
    """Show what changed between two editions."""
    return await _shown(request, "rules_diff.html.j2", _differences, takes_parameters=True)


ROUTES: list[Route] = [
    Route("/rules", bodies, methods=["GET"]),
    Route("/rules/{body}/diff", differences, methods=["GET"]),  # before the next one: no edition is called so
    Route("/rules/{body}/{edition}", edition, methods=["GET"]),
    Route("/rules/{body}/{edition}/{item}", item, methods=["GET"]),
]


async def _shown(
    request: Request, template: str, made: Callable[[Request, Shelf, str], Shown], *, takes_parameters: bool = False
) -> Response:
    service, lang = service_of(request), language_of(request)
    await look(request)
    try:
        if not takes_parameters:
            refuse_parameters(request, "leave them out")
        shown = await service.reading.run(lambda: made(request, service.shelf, lang))
    except Failure as failure:
        return page(request, "refused.html.j2", status=failure.status, failure=failure)
    from homolog.report.messages import catalogue

    return page(request, template, said=catalogue(lang).name, **shown)


def _bodies(request: Request, shelf: Shelf, lang: str) -> Shown:
    day = today()
    found: dict[str, list[tuple[LoadedEdition, list[Leaf]]]] = {}
    for (body, _), loaded in shelf.library.editions.items():
        found.setdefault(body, []).append((loaded, _leaves(shelf, loaded, day)))
    return {"bodies": found, "day": day.isoformat()}


def _edition(request: Request, shelf: Shelf, lang: str) -> Shown:
    loaded = _edition_at(request, shelf)
    labels = shelf.library.labels(loaded.file.body)
    return {
        "edition": loaded.file,
        "leaves": _leaves(shelf, loaded, today()),
        "others": [label for label in labels if label != loaded.file.label],
        "day": today().isoformat(),
    }


def _item(request: Request, shelf: Shelf, lang: str) -> Shown:
    from markupsafe import Markup

    from api.rule_book import Book

    loaded, name = _edition_at(request, shelf), request.path_params["item"]
    spec = _spec_of(loaded, name)
    book = Book(spec, _spoken(loaded, name, lang))
    others = [label for label in shelf.library.labels(loaded.file.body) if label != loaded.file.label]
    return {
        "edition": loaded.file,
        "spec": spec.spec,
        "digest": spec.sha256,
        "leaf": next(leaf for leaf in _leaves(shelf, loaded, today()) if leaf.item == name),
        "requirements": book.requirements(),
        "holes": book.holes(),
        "methods": book.methods(),
        "attributes": book.attributes(),
        "others": [label for label in others if shelf.library.edition(loaded.file.body, label).path_of(name) is not None],
        "day": today().isoformat(),
        "drawn": Markup,  # drawings hold numbers of ours and escaped labels only
    }


def _differences(request: Request, shelf: Shelf, lang: str) -> Shown:
    from api.rule_changes import PROOF, RULES, Side, moved
    from homolog.spec.ids import load_ids

    library, body = shelf.library, request.path_params["body"]
    labels = library.labels(body)
    if not labels:
        raise Failure("not_found", "There is no such body.")
    asked = request.query_params
    if not asked.keys() <= set(_ASKED) or len(asked.multi_items()) != len(asked):
        raise Failure("usage", f"The address takes the parameters {', '.join(_ASKED)}, each once.")
    pairs = [(old, new, name) for old in labels for new in labels if old != new for name in _common(shelf, body, old, new)]
    shown: dict[str, Any] = {
        "body": body,
        "labels": labels,
        "pairs": pairs,
        "asked": {name: asked.get(name, "") for name in _ASKED},
    }
    shown["items"] = list(dict.fromkeys(name for _, _, name in pairs))
    if not asked:
        return {**shown, "changes": None}
    sides = []
    for label in (asked.get("old", ""), asked.get("new", "")):
        try:
            loaded = library.edition(body, label)
        except UsageError as error:
            raise Failure("not_found", "There is no such edition.", problems=error.problems) from None
        sides.append(Side(_spec_of(loaded, asked.get("item", "")), _spoken(loaded, asked.get("item", ""), lang)))
    changes = moved(sides[0], sides[1], load_ids(library.root / "ids.yaml"))
    groups = [
        ("rules", [one for one in changes if one.direction in RULES]),
        ("proof", [one for one in changes if one.direction in PROOF]),
        ("editorial", [one for one in changes if one.direction == "editorial"]),
    ]
    return {**shown, "changes": groups, "incomplete": sides[1].loaded.spec.edition.incomplete}


def _common(shelf: Shelf, body: str, old: str, new: str) -> list[str]:
    """Return the items that both editions have rules of their own for."""
    editions = [shelf.library.edition(body, label) for label in (old, new)]
    return [name for name in editions[0].file.files if editions[1].path_of(name) not in (None, editions[0].path_of(name))]


def _edition_at(request: Request, shelf: Shelf) -> LoadedEdition:
    try:
        return shelf.library.edition(request.path_params["body"], request.path_params["edition"])
    except UsageError as error:
        raise Failure("not_found", "There is no such edition.", problems=error.problems) from None


def _spec_of(loaded: LoadedEdition, name: str) -> LoadedSpec:
    spec = loaded.spec(name)
    if spec is None:
        reason = loaded.file.unregulated.get(name, "")  # type: ignore[call-overload]
        raise Failure("not_found", f"The edition has no rules for it. {reason}".strip())
    return spec


def _spoken(loaded: LoadedEdition, name: str, lang: str) -> RuleWords:
    from api.rule_words import RuleWords

    path = loaded.path_of(name)
    assert path is not None  # noqa: S101 -- whoever asks has the spec already
    return RuleWords(path, lang)


def _leaves(shelf: Shelf, loaded: LoadedEdition, day: date) -> list[Leaf]:
    leaves = []
    for name in loaded.file.files:
        spec = loaded.spec(name)
        if spec is not None:
            leaves.append(_leaf(shelf, loaded, name, spec, day))
    return leaves


def _leaf(shelf: Shelf, loaded: LoadedEdition, name: str, spec: LoadedSpec, day: date) -> Leaf:
    effective = spec.spec.edition.effective
    try:
        in_force = shelf.library.in_force(loaded.file.body, name, day).file.label
    except UsageError:  # no edition is known to be in force
        in_force = ""
    path = loaded.path_of(name)
    owner = "" if path is None or loaded.owns(name) else " ".join(path.parts[-3:-1])
    return Leaf(
        item=name,
        requirements=len(spec.spec.requirements),
        since="" if effective.since == "unknown" else str(effective.since),
        to="" if effective.to in (None, "unknown") else str(effective.to),
        is_open=effective.to is None,
        basis=effective.basis,
        is_in_force=in_force == loaded.file.label,
        incomplete=spec.spec.edition.incomplete is not None,
        owner=owner,
    )
