"""What the record says of the scanner of a scan, and how pages say it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from homolog.report.messages import Catalogue
from homolog.report.numbers import plain
from homolog.report.wording import clean

if TYPE_CHECKING:
    from homolog.scan.measurement import InstrumentUsed


def instrument_record(used: InstrumentUsed) -> dict[str, Any]:
    """Return what was taken of a scanner, the article's conditions, and its references."""
    return {
        "name": used.name,
        "source": used.source,
        "calibrated": used.calibrated,
        "certificate": used.certificate,
        "offset_U": plain(used.offset_u),
        "offset_from": used.offset_from,
        "scale_U": plain(used.scale_u),
        "scale_from": used.scale_from,
        "temperature": plain(used.temperature),
        "temperature_U": plain(used.temperature_u),
        "material": used.material,
        "offset_correction": plain(used.offset_correction),
        "scale_correction": plain(used.scale_correction),
        "references": [
            {
                "file": one.file,
                "sha256": one.sha256,
                "unit": one.unit,
                "lengths": [
                    {
                        "what": length.what,
                        "true": plain(length.true),
                        "true_U": plain(length.true_u),
                        "read": plain(length.read),
                        "read_U": plain(length.read_u),
                    }
                    for length in one.lengths
                ],
            }
            for one in used.references
        ],
    }


def instrument_lines(words: Catalogue, used: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield label and text of what was taken of a scanner; a drawing has none."""
    if used["source"] == "cad":
        return
    told = {"on": used["calibrated"] or "", "certificate": clean(used["certificate"] or "")}
    named = [
        clean(used["name"] or ""),
        words.name("source", used["source"]),
        words.say("scanner.calibrated", told).strip(", ") if any(told.values()) else "",
    ]
    yield words.say("label.scanner"), ", ".join(part for part in named if part)
    for label, what, unit in (("label.scanner_offset", "offset", " mm"), ("label.scanner_scale", "scale", "")):
        params = {"U": words.measure(f"{used[f'{what}_U']}{unit}"), "origin": words.name("origin", used[f"{what}_from"])}
        yield words.say(label), words.say("scanner.known", params)
    if used["references"]:
        params = {"offset": words.measure(f"{used['offset_correction']} mm"), "scale": words.measure(used["scale_correction"])}
        yield words.say("label.correction"), words.say("scanner.corrected", params)
    params = {
        "temperature": words.measure(used["temperature"] or "20"),
        "U": words.measure(used["temperature_U"] or "0"),
        "material": words.name("material", used["material"]) if used["material"] else words.say("material.unstated"),
    }
    yield words.say("label.temperature"), words.say("scanner.warmth", params)
    for one in used["references"]:
        texts = [
            words.say(
                "scanner.read",
                {name: length["what"] if name == "what" else words.measure(f"{length[name]} mm") for name in length},
            )
            for length in one["lengths"]
        ]
        yield words.say("label.reference"), f"{clean(one['file'])}: {'; '.join(texts)}"
