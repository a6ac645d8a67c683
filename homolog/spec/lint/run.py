"""The linter as a whole: files, folders or a library in, complaints in the order of their places out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import ValidationError

from homolog.errors import HomologError, UsageError
from homolog.gate.yaml_text import parse_yaml
from homolog.spec.clause_table import read_clause_table
from homolog.spec.edition import EditionFile
from homolog.spec.ids import load_ids
from homolog.spec.lint.attributes import lint_attributes
from homolog.spec.lint.clauses import lint_clauses
from homolog.spec.lint.complaint import Complaint, Subject, full_place, of_refusal
from homolog.spec.lint.editions import EditionSubject, lint_editions, lint_order
from homolog.spec.lint.examples import ExampleRunner, lint_examples
from homolog.spec.lint.interpretations import lint_interpretations
from homolog.spec.lint.limits import lint_limits
from homolog.spec.lint.names import lint_names
from homolog.spec.lint.process import lint_processes
from homolog.spec.lint.register import lint_register
from homolog.spec.lint.table import lint_table
from homolog.spec.lint.translations import lint_translations
from homolog.spec.lint.usefulness import lint_usefulness
from homolog.spec.load import load_spec, path_of_fault, read_model, subject_of
from homolog.spec.model import Spec
from homolog.spec.texts import texts_of

_RULES: tuple[Callable[[Subject], Iterator[Complaint]], ...] = (
    lint_limits,
    lint_names,
    lint_attributes,
    lint_clauses,
    lint_interpretations,
    lint_usefulness,
)


def lint(paths: Path | Sequence[Path], *, run_examples: ExampleRunner | None = None) -> tuple[Complaint, ...]:
    """Return what is wrong or doubtful, sorted by file, line and column.

    A file or folder inside a library (`<root>/<body>/<edition>/edition.yaml`) is read with the whole library around it,
    and the complaints about it are returned. A file outside of any library is read by itself.

    Args:
        paths: Spec files, folders of editions or bodies, or a library's root.
        run_examples: Judges the examples of a spec; without it they are read but not run.

    Raises:
        UsageError: A path is not there.
    """
    wanted = [paths] if isinstance(paths, Path) else list(paths)
    found: list[Complaint] = []
    libraries: dict[Path, _Library] = {}
    for path in wanted:
        if not path.exists():
            raise UsageError.because(
                f"there is no {path}", todo="name a spec file, or a folder that holds some", code="path_missing"
            )
        root = _root_of(path.resolve())
        if root is not None:
            library = libraries.setdefault(root, _Library(root))
            library.wanted.append(path.resolve())
            continue
        for file in sorted(path.rglob("*.yaml")) if path.is_dir() else [path]:
            subject, complaints = _read(file)
            found.extend(complaints)
            if subject is not None:
                found.extend(_alone(subject, run_examples))
    for library in libraries.values():
        found.extend(library.complaints(run_examples))
    return tuple(sorted(dict.fromkeys(found), key=lambda complaint: complaint.place))


def _root_of(path: Path) -> Path | None:
    """Return the library that a path lies in: the nearest folder with editions two levels down."""
    for folder in (path, *path.parents):
        if (folder / "edition.yaml").is_file():
            return folder.parent.parent
    # Only the folder itself is looked into: its parents may be anybody's, and their folders come and go.
    here = path if path.is_dir() else path.parent
    if any(here.glob("*/*/edition.yaml")):
        return here
    return here.parent if any(here.glob("*/edition.yaml")) else None


def _shown(path: Path) -> str:
    """Return a path as a person would type it here."""
    here = Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()


def _read(path: Path) -> tuple[Subject | None, list[Complaint]]:
    """Read a spec; what the loader refuses becomes complaints."""
    data, shown = path.read_bytes(), _shown(path)
    try:
        return Subject(load_spec(data, shown)), []
    except HomologError as error:
        names = _subjects(data, shown)
        return None, [
            Complaint(
                severity="error",
                where=full_place(problem.where),
                id=names.get(problem.where, ""),
                what=problem.what,
                todo=problem.todo or "mend the file",
                code=problem.code,
            )
            for problem in error.problems
        ]


def _subjects(data: bytes, shown: str) -> dict[str, str]:
    """Return the id that stands at each place which the loader complains of."""
    try:
        document = parse_yaml(data, shown)
        Spec.model_validate(document.value)
    except ValidationError as error:
        paths = [path_of_fault(document, fault) for fault in error.errors(include_url=False)]
        return {document.where(path): subject_of(document, path)[0] for path in paths}
    except HomologError:
        pass
    return {}


def _alone(subject: Subject, run_examples: ExampleRunner | None) -> Iterator[Complaint]:
    faults = [complaint for rule in _RULES for complaint in rule(subject)]
    yield from faults
    # An example of a spec with faults of its own would fail for them, or not at all.
    sound = not any(complaint.severity == "error" for complaint in faults)
    yield from lint_examples(subject, run_examples if sound else None)


@dataclass
class _Library:
    """All editions under one root, and the paths in it that are asked about."""

    root: Path
    wanted: list[Path] = field(default_factory=list)

    def asks_about(self, path: Path) -> bool:
        return any(path.is_relative_to(wanted) for wanted in self.wanted)

    def complaints(self, run_examples: ExampleRunner | None) -> Iterator[Complaint]:
        names = {_shown(path): path for path in self.root.rglob("*") if path.is_file()}
        for complaint in self._all(run_examples):
            if self.asks_about(names[complaint.place[0]]):
                yield complaint

    def _all(self, run_examples: ExampleRunner | None) -> Iterator[Complaint]:
        editions: list[EditionSubject] = []
        is_whole = True
        for path in sorted(self.root.glob("*/*/edition.yaml")):
            try:
                file, document = read_model(path.read_bytes(), _shown(path), EditionFile)
            except HomologError as error:
                yield from of_refusal(error)
                is_whole = False
                continue
            specs: dict[Path, Subject] = {}
            for spec_path in sorted(set(path.parent.glob("*.yaml")) - {path}):
                subject, complaints = _read(spec_path)
                yield from complaints
                if subject is None:
                    is_whole = False
                else:
                    specs[spec_path.resolve()] = subject
                    yield from _alone(subject, run_examples if self.asks_about(spec_path) else None)
                    yield from lint_translations(texts_of(subject.spec), subject.spec.id, spec_path, _shown)
            editions.append(EditionSubject(path.parent, file, document, specs))
        yield from lint_editions(editions)
        if is_whole:  # what cannot be read would be missed everywhere else, and has its own complaints
            yield from lint_order(editions)
            yield from self._register(editions)
        for edition in editions:
            yield from self._table(edition, editions)
        yield from lint_processes(self.root, _shown)

    def _register(self, editions: list[EditionSubject]) -> Iterator[Complaint]:
        path = self.root / "ids.yaml"
        if not path.is_file():
            for edition in editions:
                for subject in edition.own.values():
                    yield subject.error(
                        (),
                        about=subject.spec.id,
                        what="the library has no ids.yaml",
                        todo="register its ids there",
                        code="id_unregistered",
                    )
            return
        try:
            ids = load_ids(path, _shown(path))
        except HomologError as error:
            yield from of_refusal(error)
            return
        yield from lint_register(ids, editions)

    def _table(self, edition: EditionSubject, editions: list[EditionSubject]) -> Iterator[Complaint]:
        by_path = {path: subject for other in editions for path, subject in other.specs.items()}
        named = [by_path.get(edition.path_of(item)) for item in edition.file.files]
        if None in named:  # a spec that cannot be read would leave its rows without account
            return
        shown = _shown(edition.folder / "clauses.csv")
        try:
            table = read_clause_table(edition.folder, shown)
        except HomologError as error:
            yield from _refused(error, edition)
            return
        specs = [subject for subject in named if subject is not None]
        yield from lint_table(table, shown, specs, list(edition.own.values()))


def _refused(error: HomologError, edition: EditionSubject) -> Iterator[Complaint]:
    for complaint in of_refusal(error):
        # A table that is not there has no place of its own.
        is_missing = complaint.code == "table_missing"
        yield replace(complaint, where=edition.document.where(())) if is_missing else complaint
