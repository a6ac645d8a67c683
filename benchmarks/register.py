"""How long searches and lists of the register take, and whether they grow with it: `python benchmarks/register.py --url URL`.

A register of made-up types is filled, at several sizes, and asked what people ask: a name, two words, a number, a word that
hundreds of thousands of rows share, a page deep in the list, one status. Each is asked often, and the time by which 95 of 100
answers were there is printed.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from sqlalchemy import insert, text  # noqa: E402

from homolog.register.columns import json_text  # noqa: E402
from homolog.register.database import Database  # noqa: E402
from homolog.register.folding import beginnings, words  # noqa: E402
from homolog.register.ids import new_id  # noqa: E402
from homolog.register.migrate import migrate  # noqa: E402
from homolog.register.search import Wanted, search  # noqa: E402
from homolog.register.tables.types import RegisteredType, TypeNumber, TypePeriod, TypeWord  # noqa: E402
from homolog.register.types import LETTERS, TypeRecord  # noqa: E402

NOW = datetime(2026, 12, 1, tzinfo=UTC)
TODAY = date(2026, 12, 1)
LIMIT_MS = 100.0
BATCH = 500
FAMILIES = ("flat", "00_scale", "sports", "toccer", "zeugo", "none")
MAKERS = tuple(
    f"{first} {last}" for first in ("Nord", "Süd", "Ost", "West", "Київ", "Roma", "Lyon") for last in ("Works", "Sports", "& Figli")
)
SYLLABLES = ("ba", "co", "di", "fu", "ge", "hi", "jo", "ka", "lu", "me", "ni", "po", "qu", "ra", "so", "tu", "vi", "we", "xa", "zo")


def made(count: int, begin: int, chance: random.Random) -> Iterator[tuple[TypeRecord, str, str]]:
    """Yield made-up types, each with how it stands and its item's letter."""
    for number in range(begin, count):
        item = chance.choice(("ball", "figure", "goalkeeper"))
        name = "".join(chance.choice(SYLLABLES) for _ in range(3)).title() + f" {chance.choice(('Pro', 'Classic', 'Junior', 'II'))}"
        record = TypeRecord(
            id=new_id(NOW),
            number=f"HML-{LETTERS[item]}-{number + 1:06d}",
            item=item,
            family=chance.choice(FAMILIES),
            name=name,
            maker=chance.choice(MAKERS),
            organisation_id=None,
            application_id=None,
            body="fistf",
            edition="4.0",
            named_by=None,
            named_id=None,
            details={},
            at=NOW,
        )
        yield record, "suspended" if chance.random() < 0.001 else "homologated", LETTERS[item]


def fill(database: Database, count: int, begin: int, chance: random.Random) -> None:
    """Enter made-up types, many rows a statement."""
    rows: dict[type, list[dict[str, object]]] = {TypeNumber: [], RegisteredType: [], TypePeriod: [], TypeWord: []}
    for place, (record, status, letter) in enumerate(made(count, begin, chance), begin + 1):
        found = words(" ".join((record.name, record.maker, record.family, record.number)))
        values = {name: getattr(record, name) for name in record.__slots__ if name != "details"}
        rows[TypeNumber].append({"number": record.number, "letter": letter, "ordinal": place, "application_id": None, "at": NOW})
        by = "".join(f" {word}" for word in sorted(found))
        rows[RegisteredType].append({**values, "details": json_text({}), "sort_key": record.sort_key, "found_by": by})
        period = {"type_id": record.id, "since": date(2020, 1, 1), "until": None, "status": status, "data": json_text({})}
        rows[TypePeriod].append({**period, "is_usable": status == "homologated", "sort_key": record.sort_key})
        rows[TypeWord] += [{"beginning": one, "sort_key": record.sort_key, "type_id": record.id} for one in beginnings(found)]
        if place % BATCH == 0 or place == count:
            with database.write() as session:
                for table, values_of in rows.items():
                    session.exec(insert(table), params=values_of)
                    values_of.clear()
    with database.write() as session:
        session.exec(text("ANALYZE"))


def questions(database: Database, chance: random.Random) -> dict[str, list[tuple[Wanted, str | None]]]:
    """Return what is asked, by kind: what is looked for, and where the page begins."""
    with database.read() as session:
        sample = [one.type for one in search(session, Wanted(on=TODAY), limit=200).found]
        deep = []
        for _ in range(40):
            letters = "".join(chance.choice(SYLLABLES) for _ in range(2))
            deep.append(letters)
    names = [chance.choice(sample).name for _ in range(40)]
    return {
        "one name": [(Wanted(words=name.split()[0], on=TODAY), None) for name in names],
        "name and maker": [(Wanted(words=f"{name} {chance.choice(MAKERS)}", on=TODAY), None) for name in names],
        "number": [(Wanted(words=chance.choice(sample).number, on=TODAY), None) for _ in names],
        "a letter": [(Wanted(words=chance.choice("abcdfghz"), on=TODAY), None) for _ in names],
        "two common words": [(Wanted(words=f"{one} sports", on=TODAY), None) for one in ("pro", "junior", "classic", "київ") * 10],
        "two that meet nowhere": [(Wanted(words="nord roma", on=TODAY), None)] * 10,
        "nothing": [(Wanted(words="qqqq", on=TODAY), None)] * 10,
        "the list": [(Wanted(on=TODAY), None)] * 10,
        "deep in the list": [(Wanted(on=TODAY), start) for start in deep],
        "one family": [(Wanted(family="zeugo", item="figure", on=TODAY), start) for start in deep],
        "one status": [(Wanted(status="suspended", on=TODAY), None)] * 10,
        "status and word": [(Wanted(words="pro", status="suspended", on=TODAY), None)] * 10,
    }


def ask(database: Database, asked: list[tuple[Wanted, str | None]], rounds: int) -> tuple[float, float, float, float]:
    """Return median, 95th percentile and greatest of the times in ms, and the 95th percentile of this processor's time.

    The last one tells a slow answer from a busy machine; of PostgreSQL it knows this side only.
    """
    times, busy = [], []
    for wanted, after in asked * rounds:
        begin, worked = time.perf_counter(), time.process_time()
        with database.read() as session:
            search(session, wanted, after=after, limit=50)
        times.append((time.perf_counter() - begin) * 1000)
        busy.append((time.process_time() - worked) * 1000)
    times.sort()
    busy.sort()
    at = min(len(times) - 1, int(len(times) * 0.95))
    return statistics.median(times), times[at], times[-1], busy[at]


def main() -> None:
    """Fill the register step by step and print a table; leave with 1 if an answer takes too long."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", required=True, help="an empty database: sqlite:///PATH or postgresql+psycopg://...")
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--filled", type=int, default=0, help="how many types of an earlier run are in the database already")
    words_ = parser.parse_args()
    database = Database.open(words_.url)
    migrate(database)
    chance, worst, begin = random.Random(7), 0.0, words_.filled  # noqa: S311
    print("| types | asked | median ms | p95 ms | greatest ms | p95 of processor ms |\n|---:|---|---:|---:|---:|---:|")
    for size in map(int, words_.sizes.split(",")):
        if size > begin:
            fill(database, size, begin, chance)
            begin = size
        for kind, asked in questions(database, chance).items():
            median, p95, greatest, busy = ask(database, asked, words_.rounds)
            worst = max(worst, p95)
            print(f"| {size} | {kind} | {median:.1f} | {p95:.1f} | {greatest:.1f} | {busy:.1f} |", flush=True)
    database.close()
    print(f"\ngreatest p95: {worst:.1f} ms, to be kept: {LIMIT_MS:.0f} ms")
    sys.exit(worst >= LIMIT_MS)


if __name__ == "__main__":
    main()
