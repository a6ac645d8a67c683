"""The view model of a lot's summary: its record as strings that are ready to be set, in one language, for HTML and PDF alike."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from homolog.report.lot import Lot
from homolog.report.messages import Catalogue, catalogue
from homolog.report.qr import CheckAt, check_at
from homolog.report.texts import SpecWords
from homolog.report.view_head import Fact, Page, Table, attributes_text, counts_of, edition_text, fixed_words
from homolog.report.wording import SYMBOLS, clean, number

_NARROW = "\N{NO-BREAK SPACE}%"


@dataclass(frozen=True, slots=True, kw_only=True)
class LotView(Page):
    """Everything that a summary's page shows; nothing is worked out after this."""

    requirements: Table
    quantities: Table
    quantity_notes: tuple[str, ...]
    plan: Table
    plan_says: str
    samples: Table
    samples_say: str
    check: CheckAt | None


def view_of_lot(lot: Lot, lang: str = "en", verify_url: str | None = None) -> LotView:
    """Return a summary's view in a language; `verify_url` as for a report.

    Raises:
        UsageError: There is no message catalogue for the language, or the address is none.
    """
    record, words = lot.record, catalogue(lang)
    quantities, remarks = _quantities(words, record)
    left_out = record["records"]["left_out"]
    return LotView(
        lang=lang,
        title=words.say("lot.title", {"item": record["item"]}),
        day=record["on"],
        sentence=say_lot(words, record),
        disclaimer=words.say("lot.disclaimer"),
        facts=_facts(words, record),
        counts=counts_of(words, record["samples"]["counts"]),
        notes=tuple(_notes(words, record)),
        requirements=_requirements(words, SpecWords(lang), record),
        quantities=quantities,
        quantity_notes=remarks,
        plan=_plan(words, record),
        plan_says=words.say("lot.plan"),
        samples=_samples(words, record),
        samples_say=words.say("lot.left_out", {"count": str(left_out)}) if left_out else "",
        provenance=_provenance(words, record, lot.canonical),
        check=check_at(words, verify_url),
        words=fixed_words(words, "lot"),
    )


def say_lot(words: Catalogue, record: Mapping[str, Any]) -> str:
    """Return the answer in one sentence; it never calls the lot good."""
    statement, size = record["statement"], record["lot"]["size"]
    numbers = {"good": str(statement["good"]), "found": str(statement["found"]), "undecided": str(statement["undecided"])}
    numbers |= {"total": str(record["samples"]["total"])}
    match record["outcome"]:
        case "fault_found":
            return words.say("lot.fault_found", numbers)
        case "open":
            return words.say("lot.open", numbers)
        case _ if size is None:
            return words.say("lot.no_fault_any", numbers | {"share": _percent(words, statement["share"])})
        case _:
            return words.say("lot.no_fault", numbers | {"size": str(size), "most": str(statement["at_most"])})


def _percent(words: Catalogue, share: str) -> str:
    text = format(Decimal(share) * 100, "f")
    return words.measure(text.rstrip("0").rstrip(".") if "." in text else text) + _NARROW


def _facts(words: Catalogue, record: Mapping[str, Any]) -> tuple[Fact, ...]:
    size, samples = record["lot"]["size"], record["samples"]
    facts = [
        Fact(words.say("label.item"), words.name("item", record["item"])),
        Fact(words.say("label.edition"), edition_text(words, record["spec"])),
        Fact(words.say("label.purpose"), words.name("purpose", record["purpose"])),
        Fact(words.say("label.day"), record["on"]),
        Fact(words.say("label.lot_size"), words.say("page.not_stated") if size is None else str(size)),
        Fact(words.say("label.samples"), str(samples["total"])),
    ]
    declared = attributes_text(words, record["attributes"])
    return (*facts, *([Fact(words.say("label.attributes"), declared)] if declared else []))


def _notes(words: Catalogue, record: Mapping[str, Any]) -> Iterator[str]:
    yield words.say("lot.premise")
    if record["samples"]["refused"]:
        yield words.say("lot.refused", {"count": str(record["samples"]["refused"])})
    if record["statement"]["undecided"]:
        yield words.say("lot.undecided")
    if record["spec"]["incomplete"]:
        yield words.say("page.incomplete", {"reason": clean(record["spec"]["incomplete"])})


def _columns(words: Catalogue, *names: str) -> tuple[str, ...]:
    return tuple(words.say(f"column.{name}") for name in names)


def _requirements(words: Catalogue, texts: SpecWords, record: Mapping[str, Any]) -> Table:
    rows = []
    for row in record["requirements"]:
        key = f"requirement.{row['requirement']}"
        says = texts.say(record["spec"], f"{key}.says", row["says"]) or texts.say(record["spec"], f"{key}.ask", row["ask"])
        given = "; ".join(f"{word.n} {word.symbol} {word.word}" for word in counts_of(words, row["counts"]))
        through = row["alternative_of"]
        about = "" if through is None else words.say("label.alternative_of", {"requirement": clean(through)})
        name = " ".join(part for part in (says, f"({clean(row['requirement'])})", about) if part)
        is_idle = row["counts"]["not_applicable"] == record["samples"]["total"]
        of_lot = words.say("page.none") if is_idle else _of_requirement(words, row["statement"], record["lot"]["size"])
        rows.append((clean(row["clause"]), name, given, of_lot))
    return Table(_columns(words, "clause", "requirement", "samples", "lot"), tuple(rows))


def _of_requirement(words: Catalogue, statement: Mapping[str, Any], size: int | None) -> str:
    if statement["found"]:
        return words.say("lot.row_found", {"found": str(statement["found"])})
    if not statement["proven"]:
        return words.say("lot.row_open", {"undecided": str(statement["undecided"])})
    if size is None:
        return words.say("lot.row_share", {"share": _percent(words, statement["share"])})
    return words.say("lot.row_most", {"most": str(statement["at_most"]), "size": str(size)})


def _quantities(words: Catalogue, record: Mapping[str, Any]) -> tuple[Table, tuple[str, ...]]:
    rows = tuple(_quantity(words, row) for row in record["quantities"])
    columns = _columns(words, "quantity", "n", "mean", "deviation", "smallest", "largest", "single_U")
    if not rows:
        return Table(columns, ()), ()
    ways = {row["common"]["from"] for row in record["quantities"] if row["common"] is not None}
    remarks = [words.say("lot.spread")]
    if ways & {"U", "both"}:
        remarks.append(words.say("lot.common_U"))
    if ways & {"budget", "both"}:
        remarks.append(words.say("lot.common_budget"))
    if any(row["bounded"] or row["without_U"] for row in record["quantities"]):
        remarks.append(words.say("lot.no_mean_U"))
    return Table(columns, rows), tuple(remarks)


def _quantity(words: Catalogue, row: Mapping[str, Any]) -> tuple[str, ...]:
    unit, u = row["unit"], row["U"]
    name = ", ".join(part for part in (clean(row["quantity"]), clean(words.name("place", row["place"] or ""))) if part)
    read = [str(row["n"])]
    if row["bounded"]:
        read.append(words.say("lot.bounded", {"count": str(row["bounded"])}))
    if row["without_U"]:
        read.append(words.say("lot.without_U", {"count": str(row["without_U"])}))
    mean = number(words, row["mean"], unit)
    if row["mean_U"] is not None:
        mean = f"{number(words, row['mean'])} ± {number(words, row['mean_U'], unit)} (k = {number(words, row['coverage_factor'])})"
    single = ""
    if u is not None:
        low, high = number(words, u["smallest"]), number(words, u["largest"], unit)
        single = high if u["smallest"] == u["largest"] else words.say("bounds.both", {"lo": low, "hi": high})
    return (
        name,
        "; ".join(read),
        mean,
        number(words, row["standard_deviation"], unit),
        _extreme(words, row["smallest"], unit),
        _extreme(words, row["largest"], unit),
        single,
    )


def _extreme(words: Catalogue, end: Mapping[str, Any] | None, unit: str) -> str:
    return "" if end is None else f"{number(words, end['value'], unit)} ({_sample(words, end['sample'])})"


def _sample(words: Catalogue, sample: Mapping[str, Any]) -> str:
    row = "" if sample["row"] is None else f"{words.say('label.row')} {sample['row']}"
    return ", ".join(part for part in (clean(sample["article"] or ""), clean(sample["file"]), row) if part)


def _plan(words: Catalogue, record: Mapping[str, Any]) -> Table:
    rows = []
    for step in record["plan"]:
        if step["at_most"] is None:
            wanted = words.say("lot.row_share", {"share": _percent(words, step["share"])})
        else:
            wanted = words.say("lot.row_most", {"most": str(step["at_most"]), "size": str(record["lot"]["size"])})
        rows.append((wanted, str(step["samples"])))
    return Table(_columns(words, "lot", "needed"), tuple(rows))


def _samples(words: Catalogue, record: Mapping[str, Any]) -> Table:
    rows = []
    for entry in record["records"]["listed"]:
        verdict = entry["verdict"]
        said = words.say("lot.not_judged") if verdict is None else f"{SYMBOLS[verdict]} {words.name('verdict', verdict)}"
        rows.append((_sample(words, entry["sample"]), said, (entry["sha256"] or "")[:16]))
    return Table(_columns(words, "sample", "verdict", "record"), tuple(rows))


def _provenance(words: Catalogue, record: Mapping[str, Any], canonical: bytes) -> tuple[Fact, ...]:
    spec, engine = record["spec"], record["engine"]
    digest = words.say("label.digest")
    facts = [
        Fact(words.say("label.record_format"), record["format"]),
        Fact(f"{words.say('label.record_format')}, {digest}", hashlib.sha256(canonical).hexdigest(), is_code=True),
        Fact(f"{words.say('label.samples')}, {digest}", record["records"]["sha256"], is_code=True),
        Fact(words.say("label.engine"), clean(f"{engine['name']} {engine['version']}")),
        Fact(words.say("label.spec"), clean(f"{spec['id'] or words.say('page.none')}, {spec['edition']}")),
        Fact(f"{words.say('label.spec')}, {digest}", spec["sha256"] or "", is_code=True),
    ]
    for adoption in record["adoptions"]:
        text = f"{adoption['interpretation']}: {adoption['reading']}, {adoption['by']}, {adoption['on']} ({adoption['decision']})"
        facts.append(Fact(words.say("label.adoptions"), clean(text)))
    return tuple(fact for fact in facts if fact.value)
