"""The view model of a certificate: what the federation decided about a type, as strings that are ready to be set."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from homolog.report.messages import Catalogue, catalogue
from homolog.report.qr import CheckAt, check_at
from homolog.report.view_head import Fact
from homolog.report.wording import clean
from homolog.seal.certificate import Certificate

_FIXED = ("page",)


@dataclass(frozen=True, slots=True)
class CertificateView:
    """Everything that a certificate's page shows."""

    lang: str
    title: str
    day: str
    number: str
    name: str
    sentence: str
    remark: str
    facts: tuple[Fact, ...]
    check: CheckAt | None
    rests_on: str
    provenance: tuple[Fact, ...]
    words: Mapping[str, str]


def view_of_certificate(certificate: Certificate, lang: str = "en", verify_url: str | None = None) -> CertificateView:
    """Return a certificate's view in a language; `verify_url` as for a report.

    Raises:
        UsageError: There is no message catalogue for the language, or the address is none.
    """
    words = catalogue(lang)
    name, edition = clean(certificate.names[0]), certificate.edition
    params = {
        "issuer": clean(certificate.issuer),
        "name": name,
        "edition": words.say("page.edition_of", {"body": clean(edition.body), "edition": clean(edition.edition)}),
    }
    return CertificateView(
        lang=lang,
        title=words.say("certificate.title", {"item": certificate.item}),
        day=certificate.valid_from.isoformat(),
        number=clean(certificate.number),
        name=name,
        sentence=words.say(f"certificate.{certificate.decision.outcome}", params),
        remark=words.say("certificate.remark"),
        facts=_facts(words, certificate, params["edition"]),
        check=check_at(words, verify_url),
        rests_on=words.say("certificate.rests"),
        provenance=_provenance(words, certificate),
        words={key: forms["other"] for key, forms in words.texts.items() if key.partition(".")[0] in _FIXED},
    )


def _facts(words: Catalogue, certificate: Certificate, edition: str) -> tuple[Fact, ...]:
    decision, until = certificate.decision, certificate.valid_until
    others = "; ".join(clean(name) for name in certificate.names[1:])
    decided = words.say("certificate.decided", {"who": clean(decision.by), "on": decision.on.isoformat()})
    rows = [
        ("certificate.number", clean(certificate.number)),
        ("label.name", clean(certificate.names[0])),
        ("certificate.other_names", others),
        ("certificate.maker", clean(certificate.maker)),
        ("label.item", words.name("item", certificate.item)),
        ("certificate.family", clean(certificate.family or "")),
        ("label.edition", edition),
        ("certificate.decision", decided),
        ("certificate.reference", clean(decision.reference or "")),
        ("certificate.reasons", clean(decision.reasons or "")),
        ("certificate.valid_from", certificate.valid_from.isoformat()),
        ("certificate.valid_until", words.say("certificate.no_end") if until is None else until.isoformat()),
    ]
    return tuple(Fact(words.say(key), text) for key, text in rows if text)


def _provenance(words: Catalogue, certificate: Certificate) -> tuple[Fact, ...]:
    digest = words.say("label.digest")
    rows = [
        (words.say("label.record_format"), hashlib.sha256(certificate.canonical()).hexdigest()),
        (words.say("label.spec"), certificate.edition.sha256 or ""),
        *((words.say("certificate.report"), sha256) for sha256 in certificate.reports),
    ]
    return tuple(Fact(f"{name}, {digest}", text, is_code=True) for name, text in rows if text)
