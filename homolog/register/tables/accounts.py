"""Who there is: people, their organisations, what they may do, and how they prove who they are."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, UniqueConstraint
from sqlmodel import Field

from homolog.register.columns import CanonicalJson, Ordered, UtcTime
from homolog.register.tables.base import APPEND_ONLY, PASSING, Row


class Account(Row, table=True):
    """A person.

    Attributes:
        email: As written; `email_key` is the folded form that is there once.
        password: An argon2id hash; None for who comes by passkey or another identity only.
        disabled_at: From when on nobody can sign in; an account is never deleted, decisions name it.
        version: Counts changes, for If-Match.
    """

    id: str = Field(primary_key=True)
    email: str
    email_key: str = Field(sa_type=Ordered, unique=True)
    name: str
    language: str = "en"
    password: str | None = None
    created_at: datetime = Field(sa_type=UtcTime)
    confirmed_at: datetime | None = Field(default=None, sa_type=UtcTime)
    disabled_at: datetime | None = Field(default=None, sa_type=UtcTime)
    version: int = 1


class Organisation(Row, table=True):
    """A manufacturer or a laboratory.

    Attributes:
        kind: manufacturer or laboratory.
        version: Counts changes, for If-Match.
    """

    __table_args__ = (CheckConstraint("kind in ('manufacturer', 'laboratory')", name="kind"),)

    id: str = Field(primary_key=True)
    kind: str
    name: str
    created_at: datetime = Field(sa_type=UtcTime)
    disabled_at: datetime | None = Field(default=None, sa_type=UtcTime)
    version: int = 1


class OrganisationProfile(Row, table=True):
    """One version of an organisation's profile; the highest number counts, the others stay."""

    __table_args__ = (UniqueConstraint("organisation_id", "number"), APPEND_ONLY)

    id: str = Field(primary_key=True)
    organisation_id: str = Field(foreign_key="organisation.id")
    number: int
    at: datetime = Field(sa_type=UtcTime)
    by: str = Field(foreign_key="account.id")
    content: str = Field(sa_type=CanonicalJson)


class Membership(Row, table=True):
    """A person belongs to an organisation, from then on until a `MembershipEnd`."""

    __table_args__ = APPEND_ONLY

    id: str = Field(primary_key=True)
    organisation_id: str = Field(foreign_key="organisation.id", index=True)
    account_id: str = Field(foreign_key="account.id", index=True)
    at: datetime = Field(sa_type=UtcTime)
    by: str = Field(foreign_key="account.id")


class MembershipEnd(Row, table=True):
    """A membership has ended."""

    __table_args__ = APPEND_ONLY

    membership_id: str = Field(primary_key=True, foreign_key="membership.id")
    at: datetime = Field(sa_type=UtcTime)
    by: str = Field(foreign_key="account.id")


class RoleGrant(Row, table=True):
    """A role given to a person, until then or until a `RoleGrantEnd`.

    Attributes:
        by: Who gave it; None for the first administrator, whom the command line makes.
    """

    __table_args__ = (CheckConstraint("role in ('board', 'laboratory', 'referee', 'administrator')", name="role"), APPEND_ONLY)

    id: str = Field(primary_key=True)
    account_id: str = Field(foreign_key="account.id", index=True)
    role: str
    since: datetime = Field(sa_type=UtcTime)
    until: datetime | None = Field(default=None, sa_type=UtcTime)
    at: datetime = Field(sa_type=UtcTime)
    by: str | None = Field(default=None, foreign_key="account.id")


class RoleGrantEnd(Row, table=True):
    """A role was taken back before its time."""

    __table_args__ = APPEND_ONLY

    grant_id: str = Field(primary_key=True, foreign_key="role_grant.id")
    at: datetime = Field(sa_type=UtcTime)
    by: str | None = Field(default=None, foreign_key="account.id")
    reason: str


class LoginSession(Row, table=True):
    """A signed-in browser.

    Attributes:
        token_digest: SHA-256 of the cookie's token, hexadecimal; the token itself is nowhere.
        id: How its owner names it, to end it.
        how: password, passkey or oidc.
        agent: What the browser calls itself, for its owner to tell one from another.
        idle_until: When it ends if nobody comes; moves on.
        until: When it ends in any case.
    """

    __table_args__ = PASSING

    token_digest: str = Field(primary_key=True)
    id: str = Field(unique=True)
    account_id: str = Field(foreign_key="account.id", index=True)
    how: str
    agent: str
    created_at: datetime = Field(sa_type=UtcTime)
    seen_at: datetime = Field(sa_type=UtcTime)
    idle_until: datetime = Field(sa_type=UtcTime)
    until: datetime = Field(sa_type=UtcTime, index=True)
    ended_at: datetime | None = Field(default=None, sa_type=UtcTime)


class ApiToken(Row, table=True):
    """A token for programs, shown once when it is made.

    Attributes:
        digest: SHA-256 of the token, hexadecimal.
        scopes: A JSON list of words.
    """

    id: str = Field(primary_key=True)
    digest: str = Field(unique=True)
    account_id: str = Field(foreign_key="account.id", index=True)
    name: str
    scopes: str = Field(sa_type=CanonicalJson)
    created_at: datetime = Field(sa_type=UtcTime)
    until: datetime = Field(sa_type=UtcTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcTime)
    revoked_at: datetime | None = Field(default=None, sa_type=UtcTime)


class Passkey(Row, table=True):
    """A key that a person's device holds.

    Attributes:
        credential: The credential's id, base64url without padding.
        public_key: COSE, as WebAuthn hands it over.
    """

    id: str = Field(primary_key=True)
    account_id: str = Field(foreign_key="account.id", index=True)
    credential: str = Field(unique=True)
    public_key: bytes
    sign_count: int
    name: str
    created_at: datetime = Field(sa_type=UtcTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcTime)


class OuterIdentity(Row, table=True):
    """A person as somebody else's OpenID provider names them."""

    __table_args__ = (UniqueConstraint("issuer", "subject"),)

    id: str = Field(primary_key=True)
    account_id: str = Field(foreign_key="account.id", index=True)
    issuer: str
    subject: str
    created_at: datetime = Field(sa_type=UtcTime)


class OneTimeSecret(Row, table=True):
    """What works once and not for long: an invitation, a new password, a passkey's challenge, the way to a provider and back.

    Attributes:
        digest: SHA-256 of the secret, hexadecimal.
        purpose: Which of these; a secret for one is none for another.
        account_id: Whose, where that is known.
    """

    __table_args__ = PASSING

    digest: str = Field(primary_key=True)
    purpose: str
    account_id: str | None = Field(default=None, foreign_key="account.id", index=True)
    details: str = Field(sa_type=CanonicalJson)
    created_at: datetime = Field(sa_type=UtcTime)
    until: datetime = Field(sa_type=UtcTime, index=True)
    used_at: datetime | None = Field(default=None, sa_type=UtcTime)
