"""The tables of docs/accuracy.md, made from what became of every case."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from benchmarks.accuracy_sets import CaseSet

BEGIN, END = "<!-- tables: written by benchmarks/accuracy.py -->", "<!-- end of tables -->"
SPECS = Path(__file__).resolve().parents[1] / "specs" / "fistf" / "4.0"
HEAD = (
    "| quantity | cases | median error | 95 % | worst | median U | truth within U | bounds, holding | no number |\n"
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
)
VOLUME = "goalkeeper.volume.outer"
Row = dict[str, Any]


def tables(sets: Sequence[CaseSet], found: Sequence[Row], *, misses: bool) -> str:
    """Return all tables as Markdown."""
    parts = []
    for one in sets:
        cases = [case for case in found if case["key"].startswith(one.name + "/")]
        if cases:
            parts.append(table_of(one, cases))
            if misses:
                parts.append("\n".join(missed(cases)))
    return "\n\n".join([*parts, volumes(found), verdicts(found)])


def renew(page: Path, text: str) -> None:
    """Put tables in the place of those that a page has."""
    before, _, rest = page.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")


def table_of(one: CaseSet, cases: Sequence[Row]) -> str:
    """Return the table of one set."""
    numbers = [int(case["key"].split("/")[1]) for case in cases if case["key"].split("/")[1].isdigit()]
    seeds = f", numbers {min(numbers)} to {max(numbers)}" if numbers else ""
    refused = [case for case in cases if case["refused"]]
    wrong = [case for case in cases if case.get("wrong_unit")]
    lines = [f"### {one.says}\n", f"{len(cases)} files{seeds}; {len(refused)} refused, {len(wrong)} read in a wrong unit.\n", HEAD]
    rows = [row for case in cases for row in case["rows"]]
    names = dict.fromkeys(name_of(row) for row in rows)
    lines += [line_of(name, [row for row in rows if name_of(row) == name]) for name in names]
    return "\n".join(lines)


def name_of(row: Row) -> str:
    """Return what a row of the table is called: the places of a ball's diameter are quantities of their own."""
    return f"{row['quantity']}, {row['place'].replace('_', ' ')}" if row["quantity"] == "ball.diameter" else str(row["quantity"])


def line_of(name: str, rows: Sequence[Row]) -> str:
    """Return one line of a table."""
    values = [row for row in rows if row.get("value") is not None]
    bounds = [row for row in rows if row.get("value") is None and (row.get("lo") is not None or row.get("hi") is not None)]
    held = f"{sum(holds(row) for row in bounds)}/{len(bounds)}" if bounds else ""
    none = len(rows) - len(values) - len(bounds)
    if not values:
        return f"| {name} | {len(rows)} | | | | | | {held} | {none or ''} |"
    errors = sorted(abs(row["value"] - row["truth"]) for row in values)
    digits = 1 if "volume" in name else 3
    tail = errors[min(len(errors) - 1, int(0.95 * len(errors)))]
    inside = sum(holds(row) for row in values)
    shown = (statistics.median(errors), tail, errors[-1], statistics.median(row["u"] for row in values))
    told = " | ".join(f"{number:.{digits}f}" for number in shown)
    return f"| {name} | {len(rows)} | {told} | {100 * inside / len(values):.1f} % | {held} | {none or ''} |"


def ends(row: Row) -> tuple[float, float]:
    """Return between what the truth lies, as a reading says."""
    if row.get("value") is not None:
        return row["value"] - row["u"], row["value"] + row["u"]
    low, high = row.get("lo"), row.get("hi")
    return -math.inf if low is None else low, math.inf if high is None else high


def holds(row: Row) -> bool:
    """Say whether the truth lies where a reading says, to within the last digit that is written."""
    low, high = ends(row)
    return bool(low - 5e-4 <= row["truth"] <= high + 5e-4)


def missed(cases: Sequence[Row]) -> list[str]:
    """Name every truth outside its reading, and every refusal."""
    lines = [f"    {case['key']} ({case['says']}): refused: {case['refused']}" for case in cases if case["refused"]]
    for case in cases:
        for row in case["rows"]:
            low, high = ends(row)
            if not holds(row):
                lines.append(
                    f"    {case['key']} ({case['says']}): {row['quantity']} {row['place'] or ''} "
                    f"{row.get('value')} in {low:.3f} to {high:.3f}, truth {row['truth']:.3f} {row.get('budget', '')}"
                )
    return lines


def volumes(found: Sequence[Row]) -> str:
    """Return what is asked of a goalkeeper's volume: errors without the scanner's, and how wide U is."""
    lines = [
        "### A goalkeeper's volume without the scanner's drawn errors\n",
        "| set | files | median error | 95 % | worst | within 1 % | median U | U over the offset's own part |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name in dict.fromkeys(case["key"].split("/")[0] for case in found):
        rows = [
            (case, row)
            for case in found
            if case["key"].startswith(name + "/")
            for row in case["rows"]
            if row["quantity"] == VOLUME and row.get("value") is not None
        ]
        if not rows or name == "keeper-ball":  # there the ball has taken out what was drawn, all but its own part
            continue
        errors = sorted(100 * abs(row["value"] - row["truth"] - case["moved"]) / row["truth"] for case, row in rows)
        wide = statistics.median(100 * row["u"] / row["truth"] for _, row in rows)
        own = [row["u"] / row["budget"]["offset"] for _, row in rows if row.get("budget", {}).get("offset")]
        ratio = f"{statistics.median(own):.2f}" if own else ""
        near = 100 * sum(error <= 1 for error in errors) / len(errors)
        tail = errors[min(len(errors) - 1, int(0.95 * len(errors)))]
        lines.append(
            f"| {name} | {len(rows)} | {statistics.median(errors):.3f} % | {tail:.3f} % | {errors[-1]:.3f} % "
            f"| {near:.1f} % | {wide:.2f} % | {ratio} |"
        )
    return "\n".join(lines)


def limits_of() -> dict[str, list[tuple[float | None, float | None]]]:
    """Return the limits of edition 4.0 by quantity, as far as they are numbers in mm or mm3."""
    found: dict[str, list[tuple[float | None, float | None]]] = {}
    for item in ("goalkeeper", "figure", "ball", "goal"):
        spec = yaml.safe_load((SPECS / f"{item}.yaml").read_text())
        asked = [(one.get("of"), one) for one in spec["requirements"]]
        asked += [(one.get("uses"), one) for told in spec.get("interpretations", []) for one in told["readings"]]
        for quantity, one in asked:
            ends = tuple(float(str(one[side]).split()[0]) if side in one else None for side in ("min", "max"))
            if quantity and ends != (None, None):
                found.setdefault(quantity, []).append(ends)  # type: ignore[arg-type]
    return found


def verdicts(found: Sequence[Row]) -> str:
    """Count what would be decided against the truth, among the numbers whose truth lies within U of a limit."""
    limits = limits_of()
    near, against, all_of_them = 0, [], 0
    for case in found:
        for row in case["rows"]:
            low, high = ends(row)
            if low == -math.inf and high == math.inf:
                continue
            for least, most in limits.get(row["quantity"]) or limits.get(row["quantity"].rpartition(".")[0], []):
                all_of_them += 1
                width = (row.get("u") or 0.0) if row.get("value") is not None else 0.0
                near += any(limit is not None and abs(row["truth"] - limit) <= width for limit in (least, most))
                told = verdict(low, high, least, most)
                if told is not None and told != verdict(row["truth"], row["truth"], least, most):
                    against.append((case, row, least, most))
    lines = [
        "### Verdicts against the truth\n",
        (
            f"{all_of_them} readings were held to the limits of edition 4.0. The truth of {near} lies within U of a limit; "
            f"{len(against)} would be decided against the truth."
        ),
    ]
    if against:
        lines.append("\n| case | quantity | truth | reading | limit |\n|---|---|---:|---:|---|")
    for case, row, least, most in against:
        told = f"{row['value']} ± {row['u']}" if row.get("value") is not None else f"{row['lo']} to {row['hi']}"
        limit = " to ".join(f"{number:g}" for number in (least, most) if number is not None)
        lines.append(f"| {case['key']}: {case['says']} | {row['quantity']} | {row['truth']:.3f} | {told} | {limit} |")
    return "\n".join(lines)


def verdict(low: float, high: float, least: float | None, most: float | None) -> bool | None:
    """Return whether a limit is kept if all of [low, high] says so, else None."""
    if (least is None or low >= least) and (most is None or high <= most):
        return True
    if (least is not None and high < least) or (most is not None and low > most):
        return False
    return None
