"""Who may do what: one table of actions, roles and relations, and the answers to those who may not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Final, Literal, TypeAlias

from homolog.errors import HomologError
from homolog.service.actor import Actor
from homolog.service.missing import Missing

Relation: TypeAlias = Literal["own", "foreign"]
"""Whose the object is: the actor's, or one of an organisation of theirs; or anybody else's."""

KNOWN: Final = ("visitor", "person", "manufacturer", "laboratory", "referee", "board", "administrator")
"""The roles of the table: everybody is a visitor, and everybody with an account a person."""


class SignInNeeded(HomologError):
    """Only somebody with an account may do this."""

    code: ClassVar[str] = "sign_in_needed"
    exit_code: ClassVar[int] = 2


class NotAllowed(HomologError):
    """The account has no role for this, or the token no scope."""

    code: ClassVar[str] = "not_allowed"
    exit_code: ClassVar[int] = 2


@dataclass(frozen=True, slots=True)
class Rule:
    """Who may take an action.

    Attributes:
        own: Roles that may on what is theirs.
        foreign: Roles that may on everything, what is theirs included.
        scope: What a token needs for it; None where no token will do, only a person who is there.
    """

    own: frozenset[str]
    foreign: frozenset[str]
    scope: str | None


def _may(*, own: str = "", foreign: str = "", scope: str | None = None) -> Rule:
    rule = Rule(frozenset(own.split()), frozenset(foreign.split()), scope)
    unknown = (rule.own | rule.foreign) - set(KNOWN)
    if unknown:
        raise ValueError(f"the table of permissions names unknown roles: {sorted(unknown)}")
    return rule


RULES: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        # Coming in. Whoever signs in is a visitor until then.
        "session.begin": _may(foreign="visitor"),
        "invitation.accept": _may(foreign="visitor"),
        # Oneself
        "account.read": _may(own="person", foreign="administrator", scope="account:read"),
        "account.change": _may(own="person", scope="account:write"),
        "account.password": _may(own="person"),
        "account.list": _may(foreign="administrator", scope="accounts:read"),
        "account.disable": _may(foreign="administrator", scope="accounts:write"),
        "account.reset": _may(foreign="administrator"),
        "session.read": _may(own="person"),
        "session.end": _may(own="person"),
        "token.read": _may(own="person"),
        "token.make": _may(own="person"),
        "token.end": _may(own="person"),
        "passkey.read": _may(own="person"),
        "passkey.make": _may(own="person"),
        "passkey.end": _may(own="person"),
        # Organisations
        "organisation.list": _may(own="person", foreign="administrator board", scope="organisations:read"),
        "organisation.read": _may(own="person", foreign="administrator board", scope="organisations:read"),
        "organisation.make": _may(foreign="administrator", scope="organisations:write"),
        "organisation.change": _may(own="person", foreign="administrator", scope="organisations:write"),
        "organisation.disable": _may(foreign="administrator", scope="organisations:write"),
        "profile.read": _may(own="person", foreign="administrator board", scope="organisations:read"),
        "profile.change": _may(own="person", scope="organisations:write"),
        "member.list": _may(own="person", foreign="administrator board", scope="organisations:read"),
        "member.invite": _may(own="person", foreign="administrator"),
        "member.end": _may(own="person", foreign="administrator"),
        # Applications. Which step somebody may take is said by the table of steps and asked there.
        "application.list": _may(own="person", foreign="board laboratory", scope="applications:read"),
        "application.read": _may(own="person", foreign="board laboratory", scope="applications:read"),
        "application.begin": _may(own="manufacturer", scope="applications:write"),
        "application.step": _may(own="manufacturer", foreign="board laboratory", scope="applications:write"),
        "application.attach": _may(own="manufacturer", foreign="board laboratory", scope="applications:write"),
        "application.assess": _may(foreign="board laboratory", scope="applications:write"),
        # Uploads are of whoever began them.
        "upload.make": _may(own="person", scope="applications:write"),
        "upload.read": _may(own="person", scope="applications:read"),
        # Deciding asks for a person who is there: no program votes.
        "application.decide": _may(foreign="board"),
        "application.certify": _may(foreign="board"),
        # Reports and certificates are public where a type rests on them; the service asks for which others somebody may see.
        "record.read": _may(foreign="visitor"),
        "log.read": _may(foreign="visitor"),
        "type.read": _may(foreign="visitor"),
        # The register is public; what waits for a second person is the board's.
        "type.decide": _may(foreign="board"),
        "type.own": _may(own="person", scope="register:read"),
        # Long work. What is done is looked at when it is done, as if it were done at once.
        "job.ask": _may(own="person", scope="jobs:write"),
        "job.read": _may(own="person", foreign="board administrator", scope="jobs:read"),
        "job.cancel": _may(own="person", foreign="board administrator", scope="jobs:write"),
        # The board's work on the rules; what is in force is public.
        "edition.read": _may(foreign="visitor"),
        "rule.read": _may(foreign="board administrator", scope="rules:read"),
        "rule.enter": _may(foreign="board", scope="rules:write"),
        "rule.impact": _may(foreign="board", scope="rules:write"),
        "rule.decide": _may(foreign="board"),
        # The administrator's work
        "invitation.make": _may(foreign="administrator"),
        "grant.list": _may(own="person", foreign="administrator", scope="account:read"),
        "grant.make": _may(foreign="administrator"),
        "grant.end": _may(foreign="administrator"),
        "audit.read": _may(foreign="administrator", scope="audit:read"),
    }
)

SCOPES: Final = tuple(sorted({rule.scope for rule in RULES.values() if rule.scope is not None}))
"""What a token can be limited to."""


def roles_of(actor: Actor) -> frozenset[str]:
    """Return the table's roles that an actor has."""
    if actor.account is None:
        return frozenset({"visitor"})
    return frozenset({"visitor", "person", *actor.roles})


def may(actor: Actor, action: str, relation: Relation | None = None) -> bool:
    """Whether an actor may take an action.

    Args:
        actor: Who.
        action: As the table names it.
        relation: Whose the object is; None asks whether there is any object on which they may.
    """
    rule = RULES[action]
    allowed = rule.foreign if relation == "foreign" else rule.own | rule.foreign
    return bool(roles_of(actor) & allowed) and _is_in_scope(actor, rule)


def require(actor: Actor, action: str, relation: Relation | None = None) -> None:
    """Refuse an actor who may not take an action.

    Raises:
        SignInNeeded: A visitor.
        NotAllowed: No object would do: the answer tells nothing of this one.
        Missing: Somebody else's object; to this actor it sounds as if there were none.
    """
    if may(actor, action, relation):
        return
    rule = RULES[action]
    if actor.account is None:
        raise SignInNeeded.because("this is for people who have signed in", todo="sign in, or send a token")
    if not _is_in_scope(actor, rule):
        todo = f"make a token with the scope {rule.scope}" if rule.scope else "sign in with a browser: no token may do it"
        raise NotAllowed.because("the token may not do this", todo=todo, code="scope_missing")
    if not may(actor, action):
        raise NotAllowed.because("your account has no role for this", todo="ask an administrator")
    raise Missing.because("there is no such thing, or it is not yours", todo="look at the list")


def relation_to_account(actor: Actor, account_id: str | None) -> Relation:
    """Return whose an account's thing is."""
    return "own" if account_id is not None and actor.account == account_id else "foreign"


def relation_to_organisation(actor: Actor, organisation_id: str | None) -> Relation:
    """Return whose an organisation's thing is."""
    return "own" if organisation_id is not None and organisation_id in actor.organisations else "foreign"


def _is_in_scope(actor: Actor, rule: Rule) -> bool:
    if actor.scopes is None or "visitor" in rule.foreign:
        return True
    return rule.scope is not None and rule.scope in actor.scopes
