"""What page one must say beside the verdict: what was assumed, left unused, or judged by rules that are not in force."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from homolog.check.measuring import Measured
from homolog.check.question import Question
from homolog.evaluate.finding import Finding, Statement
from homolog.quantity import Article
from homolog.report import PieceFindings
from homolog.spec.library import LoadedEdition
from homolog.spec.load import LoadedSpec
from homolog.spec.rows import answer_names


def notes_of(
    edition: LoadedEdition,
    loaded: LoadedSpec | None,
    article: Article,
    pieces: Sequence[PieceFindings],
    question: Question,
    measured: Measured,
) -> Iterator[Statement]:
    """Yield what page one must say beside the verdict."""
    if question.is_by_default:
        yield Statement(code="edition_by_default", params={"edition": edition.file.label})
    if question.register is not None and question.register.on is not None:
        yield Statement(code="register_extract", params={"on": question.register.on.isoformat()})
    yield from _pieces_not_in_force(pieces, question)
    scans = [scan for scan in (measured.own, *measured.pieces.values()) if scan is not None]
    for unit in dict.fromkeys(scan.unit for scan in scans if scan.unit_is_assumed):
        yield Statement(code="unit_assumed", params={"unit": unit})
    unasked = _unasked(loaded, article)
    for piece, found in zip(article.pieces, pieces, strict=True):
        unasked += [f"{asks} ({piece.name})" if piece.name else asks for asks in _unasked(found.spec, piece)]
    if unasked:
        yield Statement(code="answers_unused", params={"answers": ", ".join(dict.fromkeys(unasked))})
    transition = None if loaded is None else loaded.spec.edition.transition
    if loaded is not None and transition is not None and question.purpose == "recheck":
        params = {"policy": transition.policy, "supersedes": loaded.spec.edition.supersedes or ""}
        yield Statement(code="transition", params=params)
    for file in measured.plates:
        yield Statement(code="plate_order" if measured.own is None else "sample_order", params={"file": file})


def answers_notes(sent: Article, findings: Iterable[Finding], question: Question) -> Iterator[Statement]:
    """Yield what page one must say of who answered: those left out, and those whose role only the sheet states."""
    left_out = [answer for one in (sent, *sent.pieces) for answer in one.answers if not question.may_count(answer)]
    if left_out:
        params = {
            "roles": ", ".join(sorted(question.roles or ())),
            "left_out": ", ".join(dict.fromkeys(answer.asks for answer in left_out)),
        }
        yield Statement(code="answers_not_senders", params=params)
    stated = [found.requirement for found in findings if any(not answer.is_proven for answer in found.answers)]
    if stated:
        yield Statement(code="answers_stated", params={"requirements": ", ".join(dict.fromkeys(stated))})


def _pieces_not_in_force(pieces: Sequence[PieceFindings], question: Question) -> Iterator[Statement]:
    """Yield which pieces another edition is in force for than the one that judged them."""
    found: dict[tuple[str, str], list[str]] = {}
    for piece in pieces:
        label = question.in_force(piece.item)
        if piece.spec is not None and piece.edition is not None and label not in (None, piece.edition.label):
            found.setdefault((str(label), piece.edition.label), []).append(piece.name or piece.item)
    for (label, used), names in found.items():
        params = {"on": question.on.isoformat(), "edition": label, "used": used, "pieces": ", ".join(dict.fromkeys(names))}
        yield Statement(code="piece_edition", params=params)


def _unasked(loaded: LoadedSpec | None, article: Article) -> list[str]:
    """Return the answers to questions that the rules do not ask."""
    requirements = () if loaded is None else loaded.spec.requirements
    asked = {name for names in answer_names(requirements).values() for name in names}
    return sorted({answer.asks for answer in article.answers} - asked)
