"""From a submission to its report, read from top to bottom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from homolog import version
from homolog.check.build import build_digest
from homolog.check.measuring import Measured, measure, measure_several, refuse_unlisted, with_scan
from homolog.check.notes import answers_notes, notes_of
from homolog.check.question import PieceScan, Question, Scan
from homolog.errors import InputRefused
from homolog.evaluate.assess import Assessment, assess
from homolog.evaluate.finding import Finding
from homolog.evaluate.outcome import outcome_of, recheck_verdict
from homolog.evaluate.verdict import Verdict, least
from homolog.quantity import Adoption, Article
from homolog.report import (
    AdoptionGiven,
    Asked,
    EditionNotes,
    Elsewhere,
    Engine,
    PieceFindings,
    Report,
    SubmissionFacts,
    build_report,
)
from homolog.scan import ScanMeasurement
from homolog.spec.library import LoadedEdition
from homolog.spec.load import LoadedSpec
from homolog.submission.submission import Submission

NOTHING = Measured()


def check(submission: Submission, question: Question, scan: Scan | None = None, pieces: Sequence[PieceScan] = ()) -> Report:
    """Judge a submission and return its report.

    The scan of an item that the edition does not regulate is not measured: the answer is that there is nothing to judge.

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
    return judge(submission, question, measured_for(submission, question, scan, pieces))


def measured_for(
    submission: Submission, question: Question, scan: Scan | None = None, pieces: Sequence[PieceScan] = ()
) -> Measured:
    """Measure what `check` judges, for a caller who wants to keep what was measured; arguments and errors are those of `check`."""
    is_regulated = _is_regulated(submission, question)  # an edition that does not exist is found before minutes of measuring
    return measure(submission.article, scan if is_regulated else None, pieces)


def _is_regulated(submission: Submission, question: Question) -> bool:
    item = submission.article.item
    return question.edition_of(item).spec(item) is not None


def check_several(submission: Submission, question: Question, scan: Scan) -> tuple[Report, ...]:
    """Judge every article of a scan that shows several side by side, each by itself.

    Returns:
        A report for each, in the order of their numbers; the number stands in the report as the submission's row. One report of
        the file where the edition does not regulate the item.

    Raises:
        InputRefused: The scan cannot be taken as it is.
        MeasuringFailed: The measuring process ended without an answer.
        UsageError: The question names a body or an edition that does not exist, or the item is never told apart.
        SpecError: A spec of the edition is broken.
    """
    if not _is_regulated(submission, question):
        return (judge(submission, question),)
    refuse_unlisted(scan, submission.article.item)
    parts = measure_several(scan, submission.article.item)
    name = submission.article.name or scan.name
    return tuple(
        judge(
            replace(submission, row=number, article=replace(submission.article, name=f"{name} #{number}")),
            question,
            Measured(own=part),
        )
        for number, part in enumerate(parts, 1)
    )


def check_samples(samples: Sequence[Submission], question: Question, scan: Scan) -> tuple[Report, ...]:
    """Judge the samples of a sheet by a scan that shows them side by side, in the order of the sheet.

    Returns:
        A report for each sample.

    Raises:
        InputRefused: The scan cannot be taken as it is, or shows another number of articles.
        MeasuringFailed: The measuring process ended without an answer.
        UsageError: The question names a body or an edition that does not exist, or the item is never told apart.
        SpecError: A spec of the edition is broken.
    """
    item = samples[0].article.item
    if not _is_regulated(samples[0], question):
        return tuple(judge(sample, question) for sample in samples)
    parts = measure_several(scan, item)
    if len(parts) != len(samples):
        what = f"the scan shows {len(parts)} articles, the sheet has {len(samples)} samples"
        todo = "list the samples left to right and row by row from the far side, as the scan shows them from above"
        raise InputRefused.because(what, where=scan.name, todo=todo, code="scan_plate")
    return tuple(
        judge(sample, question, Measured(own=part, plates=(scan.name,))) for sample, part in zip(samples, parts, strict=True)
    )


def judge(submission: Submission, question: Question, measured: Measured = NOTHING) -> Report:
    """Judge a submission whose scans have been measured: quick, and as often as there are questions.

    Args:
        submission: The sheet.
        question: Under which rules, for which purpose and day.
        measured: What `measure` gave of this submission's scans.

    Raises:
        UsageError: The question names a body or an edition that does not exist.
        SpecError: A spec of the edition is broken.
    """
    item = submission.article.item
    edition = question.edition_of(item)
    loaded = edition.spec(item)
    with_pieces = tuple(with_scan(piece, measured.pieces.get(place)) for place, piece in enumerate(submission.article.pieces))
    sent = replace(with_scan(submission.article, measured.own), pieces=with_pieces)
    article = _with_answers(sent, question)
    assessment = _assess(loaded, article, edition, question)
    pieces = [_piece(piece, question, measured.pieces.get(place)) for place, piece in enumerate(article.pieces)]
    noted = notes_of(edition, loaded, article, pieces, question, measured)
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
        scan=measured.own,
        adoptions=_adoptions(question, [*assessment.findings, *_of_pieces(pieces)]),
        unused=assessment.unused,
        unmeasured=article.unmeasured,
        editions=_editions(question, edition, loaded, article, assessment),
        asked=_asked(question, item),
        register=None if question.register is None else question.register.sha256,
        notes=(*answers_notes(sent, [*assessment.findings, *_of_pieces(pieces)], question), *noted),
        engine=Engine(name="homolog", version=version.VERSION, build=build_digest()),
    )


def _with_answers(article: Article, question: Question) -> Article:
    """Return an article, and its pieces, with the answers that count; who sent them may speak for their roles."""
    answers = tuple(
        replace(answer, is_proven=answer.is_proven or question.roles is not None)
        for answer in article.answers
        if question.may_count(answer)
    )
    return replace(article, answers=answers, pieces=tuple(_with_answers(piece, question) for piece in article.pieces))


def _of_pieces(pieces: Sequence[PieceFindings]) -> Iterator[Finding]:
    return (finding for piece in pieces for finding in piece.findings)


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


def _asked(question: Question, item: str) -> Asked:
    """Return what names the editions that this report hangs on, so that one published later does not change it."""
    known = {label: question.library.edition(question.body, label) for label in question.library.labels(question.body)}
    digests = {label: None if (spec := edition.spec(item)) is None else spec.sha256 for label, edition in known.items()}
    return Asked(body=question.body, edition=question.edition, is_by_default=question.is_by_default, editions=digests)


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
