"""From a submission to its report, read from top to bottom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from homolog import version
from homolog.check.measuring import measure_of, measure_pieces, measure_several, with_scan
from homolog.check.question import PieceScan, Question, Scan
from homolog.evaluate.assess import Assessment, assess
from homolog.evaluate.finding import Finding, Statement
from homolog.evaluate.outcome import outcome_of, recheck_verdict
from homolog.evaluate.verdict import Verdict, least
from homolog.quantity import Adoption, Article
from homolog.report import AdoptionGiven, EditionNotes, Elsewhere, Engine, PieceFindings, Report, SubmissionFacts, build_report
from homolog.scan import ScanMeasurement
from homolog.spec.library import LoadedEdition
from homolog.spec.load import LoadedSpec
from homolog.spec.rows import answer_names
from homolog.submission.submission import Submission

ENGINE = Engine(name="homolog", version=version.VERSION)
NOTHING: Mapping[int, ScanMeasurement] = MappingProxyType({})


def check(submission: Submission, question: Question, scan: Scan | None = None, pieces: Sequence[PieceScan] = ()) -> Report:
    """Judge a submission and return its report.

    Args:
        submission: The sheet.
        question: Under which rules, for which purpose and day.
        scan: The article's scan.
        pieces: Scans of the pieces of a set or match.

    Raises:
        InputRefused: A scan cannot be taken as it is, or does not fit the list of pieces.
        MeasuringFailed: The measuring process ended without an answer.
        UsageError: The question names a body or an edition that does not exist.
        SpecError: A spec of the edition is broken.
    """
    question.edition_of(submission.article.item)  # an edition that does not exist is found before minutes of measuring
    measured = None if scan is None else measure_of(scan, submission.article.item)
    of_pieces = measure_pieces(submission.article, pieces)
    plates = [Statement(code="plate_order", params={"file": one.scan.name}) for one in pieces if one.is_plate]
    return _judge(submission, question, measured, of_pieces, plates)


def check_several(submission: Submission, question: Question, scan: Scan) -> tuple[Report, ...]:
    """Judge every article of a scan that shows several side by side, each by itself.

    Returns:
        A report for each, in the order of their numbers; the number stands in the report as the submission's row.

    Raises:
        InputRefused: The scan cannot be taken as it is.
        MeasuringFailed: The measuring process ended without an answer.
        UsageError: The question names a body or an edition that does not exist, or the item is never told apart.
        SpecError: A spec of the edition is broken.
    """
    question.edition_of(submission.article.item)
    parts = measure_several(scan, submission.article.item)
    name = submission.article.name or scan.name
    return tuple(
        _judge(replace(submission, row=number, article=replace(submission.article, name=f"{name} #{number}")), question, part)
        for number, part in enumerate(parts, 1)
    )


def _judge(
    submission: Submission,
    question: Question,
    measured: ScanMeasurement | None,
    of_pieces: Mapping[int, ScanMeasurement] = NOTHING,
    notes: Sequence[Statement] = (),
) -> Report:
    item = submission.article.item
    edition = question.edition_of(item)
    loaded = edition.spec(item)
    with_pieces = tuple(with_scan(piece, of_pieces.get(place)) for place, piece in enumerate(submission.article.pieces))
    article = replace(with_scan(submission.article, measured), pieces=with_pieces)
    assessment = _assess(loaded, article, edition, question)
    pieces = [_piece(piece, question, of_pieces.get(place)) for place, piece in enumerate(article.pieces)]
    verdict, outcome = _conclude(loaded, assessment, pieces, question)
    return build_report(
        item=item,
        verdict=verdict,
        outcome=outcome,
        purpose=question.purpose,
        on=question.on,
        edition=edition.file,
        spec=loaded,
        findings=assessment.findings,
        pieces=pieces,
        submission=_facts(submission),
        scan=measured,
        adoptions=_adoptions(question, [*assessment.findings, *(one for piece in pieces for one in piece.findings)]),
        unused=assessment.unused,
        unmeasured=article.unmeasured,
        editions=_editions(question, edition, loaded, article, assessment),
        notes=[*_notes(edition, loaded, article, pieces, question, [measured, *of_pieces.values()]), *notes],
        engine=ENGINE,
    )


def _assess(loaded: LoadedSpec | None, article: Article, edition: LoadedEdition, question: Question) -> Assessment:
    if loaded is None:  # the rules are silent on the item: nothing is found, and nothing of the sheet is used
        return Assessment((), Verdict.NOT_APPLICABLE, article.readings)
    return assess(
        loaded,
        article,
        purpose=question.purpose,
        on=question.on,
        decisions=question.decisions(edition.file),
        register=question.register,
    )


def _piece(piece: Article, question: Question, scan: ScanMeasurement | None) -> PieceFindings:
    """Judge a piece, with its scan's readings among its own, by its item's rules if anything was measured or answered of it."""
    edition = question.edition_of(piece.item)
    loaded = edition.spec(piece.item)
    bare = PieceFindings(
        name=piece.name or "",
        item=piece.item,
        role=piece.attributes.get("role"),
        attributes=piece.attributes,
        verdict=Verdict.NOT_APPLICABLE,
        edition=edition.file,
        scan=scan,
    )
    if loaded is None:
        return replace(bare, not_judged="not_regulated", unused=piece.readings, unmeasured=piece.unmeasured)
    if not (piece.readings or piece.unmeasured or piece.answers):
        return replace(bare, not_judged="no_readings")
    assessment = _assess(loaded, piece, edition, question)
    return replace(
        bare,
        spec=loaded,
        findings=assessment.findings,
        verdict=assessment.verdict,
        unused=assessment.unused,
        unmeasured=piece.unmeasured,
    )


def _conclude(
    loaded: LoadedSpec | None, assessment: Assessment, pieces: Sequence[PieceFindings], question: Question
) -> tuple[Verdict, str]:
    """Return the verdict on the whole and what it means for the purpose."""
    transition = None if loaded is None else loaded.spec.edition.transition
    verdict = least([assessment.verdict, *(piece.verdict for piece in pieces)])
    if question.purpose == "recheck":
        verdict = recheck_verdict(verdict, transition)
    counting = _counting([assessment.findings, *(piece.findings for piece in pieces)])
    return verdict, outcome_of(verdict, counting, question.purpose, transition=transition, on=question.on)


def _counting(groups: Iterable[Sequence[Finding]]) -> list[Verdict]:
    return [finding.verdict for findings in groups for finding in findings if finding.alternative_of is None]


def _facts(submission: Submission) -> SubmissionFacts:
    return SubmissionFacts(
        name=submission.name,
        sha256=submission.sha256,
        format=submission.format,
        row=submission.row,
        article=submission.article.name,
        attributes=submission.article.attributes,
    )


def _adoptions(question: Question, findings: Iterable[Finding]) -> list[AdoptionGiven]:
    """Return the adoptions handed in, each with whether a finding names it as what made its rule."""
    if question.adoptions is None:
        return []
    used = {adoption for finding in findings for adoption in _behind(finding)}
    return [
        AdoptionGiven(adoption=adoption, in_force=adoption in used, sha256=question.adoptions.sha256)
        for adoption in question.adoptions.adoptions
    ]


def _behind(finding: Finding) -> Iterator[Adoption]:
    for used in (finding.interpretation, finding.decision):
        if used is not None and used.adoption is not None:
            yield used.adoption


def _editions(
    question: Question, edition: LoadedEdition, loaded: LoadedSpec | None, article: Article, assessment: Assessment
) -> EditionNotes:
    """Return which edition is in force, and how the article stands under the body's other editions."""
    label = question.in_force(article.item)
    if loaded is None:
        return EditionNotes(in_force=None if label == edition.file.label else label)
    here = {finding.requirement: finding.verdict for finding in assessment.findings}
    others = []
    for other in question.library.owners(question.body, article.item):
        spec = other.spec(article.item)
        if spec is None or spec.sha256 == loaded.sha256:
            continue
        there = _assess(spec, article, other, question)
        verdicts = {finding.requirement: finding.verdict for finding in there.findings}
        differs = [name for name in dict.fromkeys((*here, *verdicts)) if here.get(name) is not verdicts.get(name)]
        others.append(Elsewhere(edition=other.file.label, verdict=there.verdict, differs=tuple(differs)))
    return EditionNotes(in_force=None if label == edition.file.label else label, elsewhere=tuple(others))


def _unasked(loaded: LoadedSpec | None, article: Article) -> list[str]:
    """Return the answers to questions that the rules do not ask."""
    requirements = () if loaded is None else loaded.spec.requirements
    asked = {name for names in answer_names(requirements).values() for name in names}
    return sorted({answer.asks for answer in article.answers} - asked)


def _notes(
    edition: LoadedEdition,
    loaded: LoadedSpec | None,
    article: Article,
    pieces: Sequence[PieceFindings],
    question: Question,
    scans: Iterable[ScanMeasurement | None],
) -> Iterator[Statement]:
    """Yield what page one must say beside the verdict."""
    if question.is_by_default:
        yield Statement(code="edition_by_default", params={"edition": edition.file.label})
    if question.register is not None and question.register.sha256 is not None and question.register.on is not None:
        params = {"on": question.register.on.isoformat(), "sha256": question.register.sha256}
        yield Statement(code="register_extract", params=params)
    for unit in dict.fromkeys(scan.unit for scan in scans if scan is not None and scan.unit_is_assumed):
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
