"""The tables of the first release; written by tools/write_migration.py."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

import homolog.register.columns
from homolog.register.append_only import triggers_for

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

APPEND_ONLY = (
    "application",
    "application_event",
    "application_file",
    "audit_entry",
    "impact_plan",
    "impact_row",
    "job",
    "job_end",
    "log_entry",
    "log_head",
    "log_node",
    "membership",
    "membership_end",
    "organisation_profile",
    "process_table",
    "registered_type",
    "role_grant",
    "role_grant_end",
    "rule_decision",
    "rule_draft",
    "scan_measured",
    "sealed_record",
    "signed_status",
    "stored_file",
    "type_change",
    "type_event",
    "type_file",
    "type_number",
    "type_word",
)


def upgrade() -> None:
    """Make all tables in an empty database."""
    op.create_table(
        "account",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("email_key", homolog.register.columns.Ordered(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("password", sa.String(), nullable=True),
        sa.Column("created_at", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("confirmed_at", homolog.register.columns.UtcTime(), nullable=True),
        sa.Column("disabled_at", homolog.register.columns.UtcTime(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("email_key", name=op.f("uq_account_email_key")),
    )
    op.create_table(
        "audit_entry",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("account_id", sa.String(), nullable=True),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("object", sa.String(), nullable=False),
        sa.Column("details", homolog.register.columns.CanonicalJson(), nullable=False),
        sa.Column("previous", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_audit_entry")),
        info={"append_only": True},
    )
    op.create_index(op.f("ix_audit_entry_account_id"), "audit_entry", ["account_id"], unique=False)
    op.create_index(op.f("ix_audit_entry_object"), "audit_entry", ["object"], unique=False)
    op.create_table(
        "idempotency_key",
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("request", sa.String(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("answer", homolog.register.columns.CanonicalJson(), nullable=True),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("until", homolog.register.columns.UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("owner", "key", name=op.f("pk_idempotency_key")),
        info={"passing": True},
    )
    op.create_index(op.f("ix_idempotency_key_until"), "idempotency_key", ["until"], unique=False)
    op.create_table(
        "log_entry",
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("entry", sa.String(), nullable=False),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_log_entry")),
        sa.UniqueConstraint("sha256", name=op.f("uq_log_entry_sha256")),
        info={"append_only": True},
    )
    op.create_table(
        "log_head",
        sa.Column("size", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("head", sa.String(), nullable=False),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("size", name=op.f("pk_log_head")),
        info={"append_only": True},
    )
    op.create_table(
        "log_node",
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("place", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("level", "place", name=op.f("pk_log_node")),
        info={"append_only": True},
    )
    op.create_table(
        "organisation",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("created_at", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("disabled_at", homolog.register.columns.UtcTime(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint("kind in ('manufacturer', 'laboratory')", name=op.f("ck_organisation_kind")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_organisation")),
    )
    op.create_table(
        "process_table",
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_process_table")),
        info={"append_only": True},
    )
    op.create_table(
        "rate_count",
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("window", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("subject", "action", "window", name=op.f("pk_rate_count")),
        info={"passing": True},
    )
    op.create_index(op.f("ix_rate_count_window"), "rate_count", ["window"], unique=False)
    op.create_table(
        "stored_file",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.CheckConstraint("size >= 0", name=op.f("ck_stored_file_size")),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_stored_file")),
        info={"append_only": True},
    )
    op.create_table(
        "worker",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("process", sa.Integer(), nullable=False),
        sa.Column("started_at", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("beat", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_worker")),
        info={"passing": True},
    )
    op.create_table(
        "api_token",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("scopes", homolog.register.columns.CanonicalJson(), nullable=False),
        sa.Column("created_at", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("until", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("used_at", homolog.register.columns.UtcTime(), nullable=True),
        sa.Column("revoked_at", homolog.register.columns.UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_api_token_account_id"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_token")),
        sa.UniqueConstraint("digest", name=op.f("uq_api_token_digest")),
    )
    op.create_index(op.f("ix_api_token_account_id"), "api_token", ["account_id"], unique=False)
    op.create_table(
        "application",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("organisation_id", sa.String(), nullable=False),
        sa.Column("item", sa.String(), nullable=False),
        sa.Column("resubmits", sa.String(), nullable=True),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.CheckConstraint("item in ('ball', 'figure', 'goalkeeper')", name=op.f("ck_application_item")),
        sa.ForeignKeyConstraint(["by"], ["account.id"], name=op.f("fk_application_by"), initially="DEFERRED", deferrable=True),
        sa.ForeignKeyConstraint(
            ["organisation_id"],
            ["organisation.id"],
            name=op.f("fk_application_organisation_id"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["resubmits"], ["application.id"], name=op.f("fk_application_resubmits"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_application")),
        info={"append_only": True},
    )
    op.create_index(op.f("ix_application_resubmits"), "application", ["resubmits"], unique=False)
    op.create_table(
        "job",
        sa.Column("id", homolog.register.columns.Ordered(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("params", homolog.register.columns.CanonicalJson(), nullable=False),
        sa.Column("parent", homolog.register.columns.Ordered(), nullable=True),
        sa.Column("by", sa.String(), nullable=True),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["by"], ["account.id"], name=op.f("fk_job_by"), initially="DEFERRED", deferrable=True),
        sa.ForeignKeyConstraint(["parent"], ["job.id"], name=op.f("fk_job_parent"), initially="DEFERRED", deferrable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
        info={"append_only": True},
    )
    op.create_index("ix_job_by_id", "job", ["by", "id"], unique=False)
    op.create_index("ix_job_parent_id", "job", ["parent", "id"], unique=False)
    op.create_table(
        "login_session",
        sa.Column("token_digest", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("how", sa.String(), nullable=False),
        sa.Column("agent", sa.String(), nullable=False),
        sa.Column("created_at", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("seen_at", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("idle_until", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("until", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("ended_at", homolog.register.columns.UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_login_session_account_id"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("token_digest", name=op.f("pk_login_session")),
        sa.UniqueConstraint("id", name=op.f("uq_login_session_id")),
        info={"passing": True},
    )
    op.create_index(op.f("ix_login_session_account_id"), "login_session", ["account_id"], unique=False)
    op.create_index(op.f("ix_login_session_until"), "login_session", ["until"], unique=False)
    op.create_table(
        "membership",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("organisation_id", sa.String(), nullable=False),
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_membership_account_id"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(["by"], ["account.id"], name=op.f("fk_membership_by"), initially="DEFERRED", deferrable=True),
        sa.ForeignKeyConstraint(
            ["organisation_id"],
            ["organisation.id"],
            name=op.f("fk_membership_organisation_id"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_membership")),
        info={"append_only": True},
    )
    op.create_index(op.f("ix_membership_account_id"), "membership", ["account_id"], unique=False)
    op.create_index(op.f("ix_membership_organisation_id"), "membership", ["organisation_id"], unique=False)
    op.create_table(
        "one_time_secret",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("purpose", sa.String(), nullable=False),
        sa.Column("account_id", sa.String(), nullable=True),
        sa.Column("details", homolog.register.columns.CanonicalJson(), nullable=False),
        sa.Column("created_at", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("until", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("used_at", homolog.register.columns.UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_one_time_secret_account_id"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_one_time_secret")),
        info={"passing": True},
    )
    op.create_index(op.f("ix_one_time_secret_account_id"), "one_time_secret", ["account_id"], unique=False)
    op.create_index(op.f("ix_one_time_secret_until"), "one_time_secret", ["until"], unique=False)
    op.create_table(
        "organisation_profile",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("organisation_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("content", homolog.register.columns.CanonicalJson(), nullable=False),
        sa.ForeignKeyConstraint(
            ["by"], ["account.id"], name=op.f("fk_organisation_profile_by"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["organisation_id"],
            ["organisation.id"],
            name=op.f("fk_organisation_profile_organisation_id"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_organisation_profile")),
        sa.UniqueConstraint("organisation_id", "number", name=op.f("uq_organisation_profile_organisation_id_number")),
        info={"append_only": True},
    )
    op.create_table(
        "outer_identity",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("issuer", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("created_at", homolog.register.columns.UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_outer_identity_account_id"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outer_identity")),
        sa.UniqueConstraint("issuer", "subject", name=op.f("uq_outer_identity_issuer_subject")),
    )
    op.create_index(op.f("ix_outer_identity_account_id"), "outer_identity", ["account_id"], unique=False)
    op.create_table(
        "passkey",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("credential", sa.String(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("sign_count", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("created_at", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("used_at", homolog.register.columns.UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_passkey_account_id"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passkey")),
        sa.UniqueConstraint("credential", name=op.f("uq_passkey_credential")),
    )
    op.create_index(op.f("ix_passkey_account_id"), "passkey", ["account_id"], unique=False)
    op.create_table(
        "role_grant",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("since", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("until", homolog.register.columns.UtcTime(), nullable=True),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("by", sa.String(), nullable=True),
        sa.CheckConstraint("role in ('board', 'laboratory', 'referee', 'administrator')", name=op.f("ck_role_grant_role")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_role_grant_account_id"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(["by"], ["account.id"], name=op.f("fk_role_grant_by"), initially="DEFERRED", deferrable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_role_grant")),
        info={"append_only": True},
    )
    op.create_index(op.f("ix_role_grant_account_id"), "role_grant", ["account_id"], unique=False)
    op.create_table(
        "rule_draft",
        sa.Column("id", homolog.register.columns.Ordered(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("label", sa.String(), nullable=True),
        sa.Column("content", homolog.register.columns.CanonicalJson(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.CheckConstraint("kind in ('edition', 'adoption')", name=op.f("ck_rule_draft_kind")),
        sa.ForeignKeyConstraint(["by"], ["account.id"], name=op.f("fk_rule_draft_by"), initially="DEFERRED", deferrable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rule_draft")),
        info={"append_only": True},
    )
    op.create_table(
        "scan_measured",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("measurer", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["digest"], ["stored_file.digest"], name=op.f("fk_scan_measured_digest"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("key", "measurer", name=op.f("pk_scan_measured")),
        info={"append_only": True},
    )
    op.create_table(
        "sealed_record",
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("kid", sa.String(), nullable=False),
        sa.Column("protected", sa.String(), nullable=False),
        sa.Column("signature", sa.String(), nullable=False),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.CheckConstraint("kind in ('report', 'certificate')", name=op.f("ck_sealed_record_kind")),
        sa.ForeignKeyConstraint(
            ["sha256"], ["stored_file.digest"], name=op.f("fk_sealed_record_sha256"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_sealed_record")),
        info={"append_only": True},
    )
    op.create_table(
        "upload",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("organisation_id", sa.String(), nullable=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("media_type", sa.String(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=True),
        sa.Column("expected", sa.String(), nullable=True),
        sa.Column("digest", sa.String(), nullable=True),
        sa.Column("created_at", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("finished_at", homolog.register.columns.UtcTime(), nullable=True),
        sa.Column("until", homolog.register.columns.UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_upload_account_id"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["digest"], ["stored_file.digest"], name=op.f("fk_upload_digest"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_upload_organisation_id"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_upload")),
    )
    op.create_index(op.f("ix_upload_account_id"), "upload", ["account_id"], unique=False)
    op.create_index(op.f("ix_upload_organisation_id"), "upload", ["organisation_id"], unique=False)
    op.create_index(op.f("ix_upload_until"), "upload", ["until"], unique=False)
    op.create_table(
        "application_event",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("application_id", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("to_state", sa.String(), nullable=False),
        sa.Column("data", homolog.register.columns.CanonicalJson(), nullable=False),
        sa.Column("process", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["application_id"],
            ["application.id"],
            name=op.f("fk_application_event_application_id"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["by"], ["account.id"], name=op.f("fk_application_event_by"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["process"], ["process_table.sha256"], name=op.f("fk_application_event_process"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_application_event")),
        sa.UniqueConstraint("application_id", "seq", name=op.f("uq_application_event_application_id_seq")),
        info={"append_only": True},
    )
    op.create_table(
        "application_file",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("application_id", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("by", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["application_id"],
            ["application.id"],
            name=op.f("fk_application_file_application_id"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(["by"], ["account.id"], name=op.f("fk_application_file_by"), initially="DEFERRED", deferrable=True),
        sa.ForeignKeyConstraint(
            ["digest"], ["stored_file.digest"], name=op.f("fk_application_file_digest"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_application_file")),
        sa.UniqueConstraint("application_id", "digest", name=op.f("uq_application_file_application_id_digest")),
        info={"append_only": True},
    )
    op.create_index(op.f("ix_application_file_digest"), "application_file", ["digest"], unique=False)
    op.create_table(
        "application_now",
        sa.Column("application_id", homolog.register.columns.Ordered(), nullable=False),
        sa.Column("organisation_id", sa.String(), nullable=False),
        sa.Column("item", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["application_id"],
            ["application.id"],
            name=op.f("fk_application_now_application_id"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["organisation_id"],
            ["organisation.id"],
            name=op.f("fk_application_now_organisation_id"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("application_id", name=op.f("pk_application_now")),
    )
    op.create_index(
        "ix_application_now_organisation_id_application_id", "application_now", ["organisation_id", "application_id"], unique=False
    )
    op.create_index("ix_application_now_state_application_id", "application_now", ["state", "application_id"], unique=False)
    op.create_table(
        "impact_plan",
        sa.Column("job_id", homolog.register.columns.Ordered(), nullable=False),
        sa.Column("found", homolog.register.columns.CanonicalJson(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_impact_plan_job_id"), initially="DEFERRED", deferrable=True),
        sa.PrimaryKeyConstraint("job_id", name=op.f("pk_impact_plan")),
        info={"append_only": True},
    )
    op.create_table(
        "impact_row",
        sa.Column("job_id", homolog.register.columns.Ordered(), nullable=False),
        sa.Column("application_id", homolog.register.columns.Ordered(), nullable=False),
        sa.Column("found", homolog.register.columns.CanonicalJson(), nullable=False),
        sa.ForeignKeyConstraint(
            ["application_id"], ["application.id"], name=op.f("fk_impact_row_application_id"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_impact_row_job_id"), initially="DEFERRED", deferrable=True),
        sa.PrimaryKeyConstraint("job_id", "application_id", name=op.f("pk_impact_row")),
        info={"append_only": True},
    )
    op.create_index("ix_impact_row_application_id", "impact_row", ["application_id"], unique=False)
    op.create_table(
        "job_end",
        sa.Column("job_id", homolog.register.columns.Ordered(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("result", homolog.register.columns.CanonicalJson(), nullable=False),
        sa.Column("by", sa.String(), nullable=True),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.CheckConstraint("outcome in ('done', 'failed', 'cancelled')", name=op.f("ck_job_end_outcome")),
        sa.ForeignKeyConstraint(["by"], ["account.id"], name=op.f("fk_job_end_by"), initially="DEFERRED", deferrable=True),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_job_end_job_id"), initially="DEFERRED", deferrable=True),
        sa.PrimaryKeyConstraint("job_id", name=op.f("pk_job_end")),
        info={"append_only": True},
    )
    op.create_table(
        "job_progress",
        sa.Column("job_id", homolog.register.columns.Ordered(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("word", sa.String(), nullable=False),
        sa.Column("worker", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_job_progress_job_id"), initially="DEFERRED", deferrable=True),
        sa.PrimaryKeyConstraint("job_id", name=op.f("pk_job_progress")),
        info={"passing": True},
    )
    op.create_table(
        "membership_end",
        sa.Column("membership_id", sa.String(), nullable=False),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["by"], ["account.id"], name=op.f("fk_membership_end_by"), initially="DEFERRED", deferrable=True),
        sa.ForeignKeyConstraint(
            ["membership_id"],
            ["membership.id"],
            name=op.f("fk_membership_end_membership_id"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("membership_id", name=op.f("pk_membership_end")),
        info={"append_only": True},
    )
    op.create_table(
        "role_grant_end",
        sa.Column("grant_id", sa.String(), nullable=False),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("by", sa.String(), nullable=True),
        sa.Column("reason", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["by"], ["account.id"], name=op.f("fk_role_grant_end_by"), initially="DEFERRED", deferrable=True),
        sa.ForeignKeyConstraint(
            ["grant_id"], ["role_grant.id"], name=op.f("fk_role_grant_end_grant_id"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("grant_id", name=op.f("pk_role_grant_end")),
        info={"append_only": True},
    )
    op.create_table(
        "rule_decision",
        sa.Column("draft_id", homolog.register.columns.Ordered(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("on", sa.Date(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.CheckConstraint("outcome in ('published', 'dropped')", name=op.f("ck_rule_decision_outcome")),
        sa.ForeignKeyConstraint(["by"], ["account.id"], name=op.f("fk_rule_decision_by"), initially="DEFERRED", deferrable=True),
        sa.ForeignKeyConstraint(
            ["draft_id"], ["rule_draft.id"], name=op.f("fk_rule_decision_draft_id"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("draft_id", name=op.f("pk_rule_decision")),
        info={"append_only": True},
    )
    op.create_table(
        "type_number",
        sa.Column("number", homolog.register.columns.Ordered(), nullable=False),
        sa.Column("letter", sa.String(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("application_id", sa.String(), nullable=True),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.CheckConstraint("ordinal > 0", name=op.f("ck_type_number_ordinal")),
        sa.ForeignKeyConstraint(
            ["application_id"],
            ["application.id"],
            name=op.f("fk_type_number_application_id"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_type_number")),
        sa.UniqueConstraint("application_id", name=op.f("uq_type_number_application_id")),
        sa.UniqueConstraint("letter", "ordinal", name=op.f("uq_type_number_letter_ordinal")),
        info={"append_only": True},
    )
    op.create_table(
        "upload_part",
        sa.Column("upload_id", sa.String(), nullable=False),
        sa.Column("begin", sa.BigInteger(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["upload_id"], ["upload.id"], name=op.f("fk_upload_part_upload_id"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("upload_id", "begin", name=op.f("pk_upload_part")),
        info={"passing": True},
    )
    op.create_index(op.f("ix_upload_part_digest"), "upload_part", ["digest"], unique=False)
    op.create_table(
        "registered_type",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("number", homolog.register.columns.Ordered(), nullable=False),
        sa.Column("sort_key", homolog.register.columns.Ordered(), nullable=False),
        sa.Column("item", sa.String(), nullable=False),
        sa.Column("family", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("maker", sa.String(), nullable=False),
        sa.Column("organisation_id", sa.String(), nullable=True),
        sa.Column("application_id", sa.String(), nullable=True),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("edition", sa.String(), nullable=False),
        sa.Column("named_by", sa.String(), nullable=True),
        sa.Column("named_id", sa.String(), nullable=True),
        sa.Column("found_by", sa.String(), nullable=False),
        sa.Column("details", homolog.register.columns.CanonicalJson(), nullable=False),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.CheckConstraint("item in ('ball', 'figure', 'goalkeeper')", name=op.f("ck_registered_type_item")),
        sa.ForeignKeyConstraint(
            ["application_id"],
            ["application.id"],
            name=op.f("fk_registered_type_application_id"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(
            ["number"], ["type_number.number"], name=op.f("fk_registered_type_number"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["organisation_id"],
            ["organisation.id"],
            name=op.f("fk_registered_type_organisation_id"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_registered_type")),
        sa.UniqueConstraint("application_id", name=op.f("uq_registered_type_application_id")),
        sa.UniqueConstraint("named_id", name=op.f("uq_registered_type_named_id")),
        sa.UniqueConstraint("number", name=op.f("uq_registered_type_number")),
        sa.UniqueConstraint("sort_key", name=op.f("uq_registered_type_sort_key")),
        info={"append_only": True},
    )
    op.create_index("ix_registered_type_family_sort_key", "registered_type", ["family", "sort_key"], unique=False)
    op.create_index(op.f("ix_registered_type_organisation_id"), "registered_type", ["organisation_id"], unique=False)
    op.create_table(
        "signed_status",
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("type_id", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["type_id"], ["registered_type.id"], name=op.f("fk_signed_status_type_id"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_signed_status")),
        info={"append_only": True},
    )
    op.create_index(op.f("ix_signed_status_type_id"), "signed_status", ["type_id"], unique=False)
    op.create_table(
        "type_change",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("type_id", sa.String(), nullable=False),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("on", sa.Date(), nullable=True),
        sa.Column("data", homolog.register.columns.CanonicalJson(), nullable=False),
        sa.ForeignKeyConstraint(
            ["type_id"], ["registered_type.id"], name=op.f("fk_type_change_type_id"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_type_change")),
        info={"append_only": True},
    )
    op.create_index(op.f("ix_type_change_type_id"), "type_change", ["type_id"], unique=False)
    op.create_table(
        "type_event",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("type_id", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("to_state", sa.String(), nullable=False),
        sa.Column("data", homolog.register.columns.CanonicalJson(), nullable=False),
        sa.Column("process", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["by"], ["account.id"], name=op.f("fk_type_event_by"), initially="DEFERRED", deferrable=True),
        sa.ForeignKeyConstraint(
            ["process"], ["process_table.sha256"], name=op.f("fk_type_event_process"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["type_id"], ["registered_type.id"], name=op.f("fk_type_event_type_id"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_type_event")),
        sa.UniqueConstraint("type_id", "seq", name=op.f("uq_type_event_type_id_seq")),
        info={"append_only": True},
    )
    op.create_table(
        "type_file",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("type_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("at", homolog.register.columns.UtcTime(), nullable=False),
        sa.CheckConstraint("kind in ('photo', 'certificate', 'report')", name=op.f("ck_type_file_kind")),
        sa.ForeignKeyConstraint(
            ["digest"], ["stored_file.digest"], name=op.f("fk_type_file_digest"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["type_id"], ["registered_type.id"], name=op.f("fk_type_file_type_id"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_type_file")),
        sa.UniqueConstraint("type_id", "kind", "digest", name=op.f("uq_type_file_type_id_kind_digest")),
        info={"append_only": True},
    )
    op.create_index(op.f("ix_type_file_digest"), "type_file", ["digest"], unique=False)
    op.create_table(
        "type_period",
        sa.Column("type_id", sa.String(), nullable=False),
        sa.Column("since", sa.Date(), nullable=False),
        sa.Column("until", sa.Date(), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("is_usable", sa.Boolean(), nullable=False),
        sa.Column("sort_key", homolog.register.columns.Ordered(), nullable=False),
        sa.Column("data", homolog.register.columns.CanonicalJson(), nullable=False),
        sa.ForeignKeyConstraint(
            ["type_id"], ["registered_type.id"], name=op.f("fk_type_period_type_id"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("type_id", "since", name=op.f("pk_type_period")),
    )
    op.create_index("ix_type_period_status_sort_key", "type_period", ["status", "sort_key"], unique=False)
    op.create_table(
        "type_word",
        sa.Column("beginning", homolog.register.columns.Ordered(), nullable=False),
        sa.Column("sort_key", homolog.register.columns.Ordered(), nullable=False),
        sa.Column("type_id", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["type_id"], ["registered_type.id"], name=op.f("fk_type_word_type_id"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("beginning", "sort_key", name=op.f("pk_type_word")),
        info={"append_only": True},
    )
    for statement in triggers_for(op.get_bind().dialect.name, APPEND_ONLY):
        op.execute(sa.text(statement))
