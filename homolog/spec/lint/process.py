"""The table of steps: every state is reached and left, hands are kept apart, and what the service needs is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import get_args

from homolog.errors import HomologError
from homolog.gate.yaml_text import Document
from homolog.gate.yaml_text import Path as DocumentPath
from homolog.spec.clause_table import read_clause_table
from homolog.spec.lint.complaint import Complaint, complain, of_refusal
from homolog.spec.lint.translations import lint_translations
from homolog.spec.load import read_model
from homolog.spec.memorandum import load_memorandum, memorandum_texts
from homolog.spec.named import NamedTypes
from homolog.spec.process import Effect, LoadedProcess, Proposal, Step, Subject, TypeItem, Who, load_process, process_texts

NONE = "none"
_DECISION = {"on": "day"}
ASKED: Mapping[Effect, Mapping[str, str]] = {
    "starts": {"organisation": "organisation", "item": "choice"},
    "accepts_memorandum": {"version": "name", "memorandum": "digest", "person": "name"},
    "answers_question": {"question": "event"},
    "measures": {"laboratory": "organisation", "sheet": "digest"},
    "judges": {"requirement": "name", "answer": "choice"},
    "assesses": {"report": "digest", "outcome": "choice"},
    "opens_vote": {"proposal": "choice", "reasons": "reasons", "electors": "accounts", "counting": "counting", "closes": "moment"},
    "votes": {"choice": "choice"},
    "decides": {"text": "text"},
    "certifies": {"type": "name", "on": "day"},
    "enters": _DECISION,
    "confirms": {"entry": "event"},
    "takes_back": {"entry": "event"},
}
"""What the service reads of a step by its effect, so that the step has to ask for it."""
_APART: Mapping[str, tuple[Effect, ...]] = {
    "judges": ("measures",),
    "opens_vote": ("measures",),
    "votes": ("measures",),
    "decides": ("measures", "opens_vote"),
}
"""Which steps one person never takes in one application: measuring and judging, proposing and confirming."""
_FOUNDED: Mapping[Proposal, frozenset[str]] = {
    "approve": frozenset({"approve"}),
    "approve_provisionally": frozenset({"approve", "open"}),
}
"""What an assessment must say at least, whatever the board: a type that fails is approved by no vote."""
_KEYS: Mapping[str, tuple[str, ...]] = {"result": ("carried", "lost", "tie", "no_quorum"), "proposal": get_args(Proposal)}


def lint_processes(root: Path, shown: Callable[[Path], str]) -> Iterator[Complaint]:
    """Complain of what stands in a library's `process/`; a library without it has nothing to say of it."""
    known = body_clauses(root)
    for name, lint_file in (("type", _of_steps), ("memorandum", _of_memorandum), ("named-types", _of_named)):
        path = root / "process" / f"{name}.yaml"
        if not path.is_file():
            continue
        try:
            yield from lint_file(path, shown, known)
        except HomologError as error:
            yield from of_refusal(error)


def _of_steps(path: Path, shown: Callable[[Path], str], known: Mapping[str, frozenset[str]]) -> Iterator[Complaint]:
    loaded = load_process(path.read_bytes(), shown(path), path)
    yield from lint_process(loaded, known.get(loaded.process.body, frozenset()))
    yield from lint_translations(process_texts(loaded.process), loaded.process.id, path, shown)


def _of_memorandum(path: Path, shown: Callable[[Path], str], known: Mapping[str, frozenset[str]]) -> Iterator[Complaint]:
    loaded = load_memorandum(path.read_bytes(), shown(path), path)
    memorandum = loaded.memorandum
    for index, paragraph in enumerate(memorandum.paragraphs):
        for item, clauses in paragraph.clauses.items():
            for clause in set(clauses) - known.get(memorandum.body, frozenset()):
                yield _clause(loaded.document, ("paragraphs", index, "clauses", item), paragraph.id, clause)
    yield from lint_translations(memorandum_texts(memorandum), memorandum.id, path, shown)


def _of_named(path: Path, shown: Callable[[Path], str], known: Mapping[str, frozenset[str]]) -> Iterator[Complaint]:
    named, document = read_model(path.read_bytes(), shown(path), NamedTypes)
    for index, one in enumerate(named.types):
        if one.clause not in known.get(named.body, frozenset()):
            yield _clause(document, ("types", index, "clause"), one.id, one.clause)
        if one.id in {other.id for other in named.types[:index]}:
            what = "this id is there twice"
            yield complain(document, ("types", index, "id"), about=one.id, what=what, todo="choose another", code="process_name")


def body_clauses(root: Path) -> dict[str, frozenset[str]]:
    """Return every clause that a body's tables name; one that cannot be read has its own complaints."""
    found: dict[str, frozenset[str]] = {}
    for folder in sorted(path.parent for path in root.glob("*/*/clauses.csv")):
        try:
            rows = read_clause_table(folder)
        except HomologError:
            continue
        found[folder.parent.name] = found.get(folder.parent.name, frozenset()) | {row.clause for row in rows}
    return found


def lint_process(loaded: LoadedProcess, clauses: frozenset[str]) -> Iterator[Complaint]:
    """Complain of one table of steps; clauses are those that its body's tables name."""
    linter = _Linter(loaded, clauses)
    yield from linter.twice()
    for index, step in enumerate(loaded.process.steps):
        yield from linter.states(index, step)
        yield from linter.asks(index, step)
        yield from linter.hands(index, step)
        yield from linter.clauses_of(index, step)
    for subject in get_args(Subject):
        yield from linter.paths(subject)
    yield from linter.complete()
    yield from linter.founded()


class _Linter:
    def __init__(self, loaded: LoadedProcess, clauses: frozenset[str]) -> None:
        self.loaded, self.clauses = loaded, clauses
        self.process = loaded.process
        self.kinds = {state.id: state.of for state in self.process.states}

    def error(self, path: tuple[str | int, ...], *, about: str, what: str, todo: str, code: str) -> Complaint:
        return complain(self.loaded.document, path, about=about, what=what, todo=todo, code=code)

    def twice(self) -> Iterator[Complaint]:
        for key, ids in (("states", [one.id for one in self.process.states]), ("steps", [one.id for one in self.process.steps])):
            for index, name in enumerate(ids):
                if name in ids[:index] or name == NONE:
                    what = "this id is there twice, or is none"
                    yield self.error((key, index, "id"), about=name, what=what, todo="choose another one", code="process_name")

    def states(self, index: int, step: Step) -> Iterator[Complaint]:
        """States that are not there, or are of the other subject."""
        for key, names in (("from", step.start), ("to" if step.to else "branch", step.ends)):
            for name in names:
                if name == NONE and key == "from":
                    continue
                if self.kinds.get(name) != step.of:
                    what, todo = f"{name} is no state of an {step.of}", "write one of its states"
                    yield self.error(("steps", index, key), about=step.id, what=what, todo=todo, code="process_state")
        if step.branch is not None and step.branch.on in _KEYS:
            wanted = set(_KEYS[step.branch.on])
            if set(step.branch.to) != wanted:
                what, todo = "the branch does not say where each case leads", f"name {', '.join(sorted(wanted))}"
                yield self.error(("steps", index, "branch"), about=step.id, what=what, todo=todo, code="process_state")

    def asks(self, index: int, step: Step) -> Iterator[Complaint]:
        kinds = {asked.name: asked.kind for asked in step.asks}
        if len(kinds) < len(step.asks):
            yield self.error(
                ("steps", index, "asks"), about=step.id, what="it asks for one thing twice", todo="keep one", code="process_name"
            )
        needed = ASKED.get(step.effect, {}) if step.effect is not None else {}
        if step.of == "type" and step.effect not in ("confirms", "takes_back"):
            needed = {**needed, **_DECISION}
        for name, kind in needed.items():
            if kinds.get(name) != kind:
                what, todo = f"it does not ask for {name}, of kind {kind}", "add it under asks"
                yield self.error(("steps", index), about=step.id, what=what, todo=todo, code="process_asks")
        for number, asked in enumerate(step.asks):
            if (asked.kind == "choice") is not bool(asked.values):
                what, todo = f"{asked.name}: values belong to a choice, and a choice has some", "mend it"
                yield self.error(("steps", index, "asks", number), about=step.id, what=what, todo=todo, code="process_asks")

    def hands(self, index: int, step: Step) -> Iterator[Complaint]:
        """Nobody judges his own matter, and no single person carries a decision."""
        names = {one.id for one in self.process.steps if one.of == step.of}
        for name in set(step.not_by) - names:
            yield self.error(
                ("steps", index, "not_by"), about=step.id, what=f"there is no step {name}", todo="name one", code="process_name"
            )
        for number, who in enumerate(step.who):
            if not _is_fit(step, who):
                what = f"a {who.role} who is {who.relation or 'anyone'} to the application could take it"
                todo = "let a manufacturer be the applicant, and every other one independent"
                yield self.error(("steps", index, "who", number), about=step.id, what=what, todo=todo, code="process_hands")
        apart = {one.id for one in self.process.steps if one.effect in _APART.get(step.effect or "", ())}
        if not apart <= set(step.not_by):
            missing = ", ".join(sorted(apart - set(step.not_by)))
            what, todo = f"one person could take it and {missing}", f"add not_by: [{', '.join(sorted(apart))}]"
            yield self.error(("steps", index), about=step.id, what=what, todo=todo, code="process_hands")

    def clauses_of(self, index: int, step: Step) -> Iterator[Complaint]:
        if step.clauses and set(step.clauses) != set(get_args(TypeItem)):
            what, todo = "it names clauses for some items only", f"name them for {', '.join(get_args(TypeItem))}"
            yield self.error(("steps", index, "clauses"), about=step.id, what=what, todo=todo, code="process_clause")
        for item, named in step.clauses.items():
            for clause in set(named) - self.clauses:
                yield _clause(self.loaded.document, ("steps", index, "clauses", item), step.id, clause)

    def paths(self, subject: Subject) -> Iterator[Complaint]:
        """States that nothing leads to, that nothing leads out of, or that end and are left all the same."""
        steps = self.loaded.steps(subject)
        reached = {NONE}
        while True:
            more = {end for step in steps if reached & set(step.start) for end in step.ends} - reached
            if not more:
                break
            reached |= more
        for index, state in enumerate(self.process.states):
            if state.of != subject:
                continue
            left = any(state.id in step.start and set(step.ends) - {state.id} for step in steps)
            if state.id not in reached and state.by_date == "no":
                what, todo = "no step leads to it", "add one, or remove the state"
            elif state.ends == "no" and not left:
                what, todo = "no step leads out of it", "add one, or write ends: yes"
            elif state.ends == "yes" and left:
                what, todo = "it ends here, and yet a step leads out of it", "remove one of both"
            else:
                continue
            yield self.error(("states", index), about=state.id, what=what, todo=todo, code="process_state")

    def founded(self) -> Iterator[Complaint]:
        """Proposals that the table lets stand against the assessment."""
        for proposal, outcomes in self.process.proposals.items():
            unfounded = set(outcomes) - _FOUNDED.get(proposal, frozenset(outcomes))
            if unfounded:
                what = f"it could be proposed where the assessment says {', '.join(sorted(unfounded))}"
                todo = "leave that out: what is not met is approved by no vote"
                yield self.error(("proposals", proposal), about=proposal, what=what, todo=todo, code="process_proposal")

    def complete(self) -> Iterator[Complaint]:
        """What an application must say and nothing lets it say."""
        said = {asked.name for step in self.process.steps if step.effect in ("starts", "describes") for asked in step.asks}
        for index, names in enumerate(self.process.complete):
            for name in names.split("|"):
                if name not in said:
                    what, todo = "no step that describes the type asks for it", "add it under asks"
                    yield self.error(("complete", index), about=name, what=what, todo=todo, code="process_asks")


def _is_fit(step: Step, who: Who) -> bool:
    """Whether a role stands to the application as it should: the maker applies, all others are independent of it."""
    if who.role == "manufacturer":
        return who.relation == "applicant"
    return step.effect == "declares_conflict" or who.relation in ("independent", "holder", "receiver", "elector")


def _clause(document: Document, path: DocumentPath, about: str, clause: str) -> Complaint:
    what, todo = f"{clause} stands in no clause table of the body", "write the number that the table has"
    return complain(document, path, about=about, what=what, todo=todo, code="process_clause")
