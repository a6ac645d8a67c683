"""Answers of a sheet: what people said, who they are, and in which role."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from homolog.gate.yaml_text import Path, Value
from homolog.quantity import Answer, same_name
from homolog.quantity.article import ROLES, Role
from homolog.submission.sheet import Sheet
from homolog.submission.vocabulary import Question, Vocabulary

FIELDS = ("answer", "role", "by", "reading", "place")
_VOTE_FIELDS = ("answer", "by")
_POLL_FIELDS = ("votes", "role", "reading", "place")
_FORM = "{answer: yes, by: ..., role: referee}"
_YES_NO = {"yes": True, "no": False}
COMMON_PLACES = (
    *("end_a", "end_b", "side_a", "side_b", "half_a", "half_b"),
    *("corner_a_left", "corner_a_right", "corner_b_left", "corner_b_right", "post_left", "post_right"),
)


@dataclass(slots=True)
class AnswerList:
    """The answers about one article, while they are gathered."""

    sheet: Sheet
    vocabulary: Vocabulary
    answers: list[Answer] = field(default_factory=list)
    paths: list[Path] = field(default_factory=list)

    def add_all(self, value: Value, path: Path) -> None:
        """Read the `answers` of a document."""
        for asks, told in self.sheet.mapping(value, path, "answers").items():
            question = self.question(asks, (*path, asks))
            if question is not None:
                self._add_some(question, told, (*path, asks))

    def question(self, asks: str, path: Path) -> Question | None:
        """Return what a key asks; note it if nothing does."""
        question = self.vocabulary.questions.get(asks)
        if question is None:
            self.sheet.unknown(path, "the question", asks, self.vocabulary.questions, "question_unknown")
        return question

    def _add_some(self, question: Question, value: Value, path: Path) -> None:
        if isinstance(value, list):
            for number, told in enumerate(value):
                self._add_some(question, told, (*path, number))
        elif isinstance(value, str):
            if value.strip():
                self.sheet.fault(path, f"{question.id} has no role", f"write {_FORM}", "answer_form")
        elif "votes" in value:
            self._add_votes(question, value, path)
        else:
            self.sheet.known_keys(value, path, FIELDS)
            self.add_fields(question, value, path)

    def _add_votes(self, question: Question, value: Mapping[str, Value], path: Path) -> None:
        self.sheet.known_keys(value, path, _POLL_FIELDS)
        role = value.get("role", "board")
        if role not in ("board", ""):
            self.sheet.fault((*path, "role"), "votes are the board's", "leave the role out, or write board", "answer_form")
            return
        shared = {key: value[key] for key in ("reading", "place") if key in value}
        for number, vote in enumerate(self.sheet.sequence(value["votes"], (*path, "votes"), "votes")):
            at: Path = (*path, "votes", number)
            fields = self.sheet.mapping(vote, at, "a vote")
            self.sheet.known_keys(fields, at, _VOTE_FIELDS)
            told = {key: fields[key] for key in _VOTE_FIELDS if key in fields}
            if not told.get("by") or not told.get("answer"):
                self.sheet.fault(at, "a vote needs its answer and who gave it", "write {answer: yes, by: ...}", "answer_form")
                continue
            self.add_fields(question, {**told, **shared, "role": "board"}, at)

    def add_fields(self, question: Question, fields: Mapping[str, Value], path: Path) -> None:
        """Read one answer from its fields; empty ones are not stated."""
        told = {key: value for key, value in fields.items() if key in FIELDS and (not isinstance(value, str) or value.strip())}
        if not told:
            if not fields:
                self.sheet.fault(path, f"{question.id} has an empty answer", f"write {_FORM}", "answer_form")
            return
        before = len(self.sheet.problems)
        for key in ("answer", "role"):
            if key not in told:
                self.sheet.fault(path, f"{question.id} has no {key}", f"write {_FORM}", "answer_form")
        yes = self._yes_or_no(told["answer"], (*path, "answer")) if "answer" in told else None
        role = self.sheet.choice(told["role"], (*path, "role"), "the role", ROLES, "role_unknown") if "role" in told else None
        by = self.sheet.words(told["by"], (*path, "by")) if "by" in told else None
        reading = self._reading(question, told["reading"], (*path, "reading")) if "reading" in told else None
        place = self._place(told["place"], (*path, "place")) if "place" in told else None
        if len(self.sheet.problems) > before or yes is None or role is None:
            return
        known_role: Role = role  # type: ignore[assignment]
        self.answers.append(Answer(asks=question.id, yes=yes, role=known_role, by=by, reading=reading, place=place))
        self.paths.append(path)

    def _yes_or_no(self, value: Value, path: Path) -> bool | None:
        word = self.sheet.words(value, path)
        if word is None:
            return None
        yes = _YES_NO.get(word.casefold())
        if yes is None:
            self.sheet.fault(path, f"{word[:40]!r} is not an answer", "write yes or no", "answer_form")
        return yes

    def _reading(self, question: Question, value: Value, path: Path) -> str | None:
        if question.readings:
            return self.sheet.choice(value, path, f"the reading of {question.id}", question.readings, "reading_unknown")
        self.sheet.fault(path, f"{question.id} turns on no interpretation", "leave reading out", "reading_unknown")
        return None

    def _place(self, value: Value, path: Path) -> str | None:
        places = dict.fromkeys((*sorted(self.vocabulary.places), *COMMON_PLACES))
        return self.sheet.choice(value, path, "the place", places, "place_unknown")

    def finish(self) -> tuple[Answer, ...]:
        """Return the answers; nobody votes twice, and nothing is answered under two names."""
        self._check_votes()
        self._check_names()
        return tuple(self.answers)

    def _check_votes(self) -> None:
        seen: dict[tuple[str | None, ...], str] = {}
        nameless: dict[tuple[str | None, ...], int] = {}
        for answer, path in zip(self.answers, self.paths, strict=True):
            poll = (answer.asks, answer.reading, answer.place)
            if answer.by is None:
                nameless[poll] = nameless.get(poll, 0) + 1
                if nameless[poll] > 1:
                    self.sheet.fault(path, f"two answers to {answer.asks} name nobody", "write by: in each", "vote_nameless")
                continue
            voter = same_name(answer.by)
            if (*poll, voter) in seen:
                what = f"{answer.by} answers {answer.asks} a second time; the first is at {seen[*poll, voter]}"
                self.sheet.fault(path, what, "keep one of them", "vote_twice")
            seen[*poll, voter] = self.sheet.locate(path)

    def _check_names(self) -> None:
        asked = {answer.asks for answer in self.answers}
        for answer, path in zip(self.answers, self.paths, strict=True):
            question = self.vocabulary.questions[answer.asks]
            other = next((key for key in question.requirements if key in asked and key != answer.asks), None)
            if other is not None:
                what = f"{answer.asks} is answered under its other name {other} too"
                self.sheet.fault(path, what, "keep one of the two names", "answer_two_names")
