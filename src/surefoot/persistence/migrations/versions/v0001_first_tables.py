"""The first tables: leases, runs, effects, consents, events, tickets."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "consent",
        sa.Column("consent_id", sa.String(), nullable=False),
        sa.Column("card_id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("call_id", sa.String(), nullable=False),
        sa.Column("user_id", sa.String(), nullable=False),
        sa.Column("tool", sa.String(), nullable=False),
        sa.Column("args_hash", sa.String(), nullable=False),
        sa.Column("contract_version", sa.Integer(), nullable=False),
        sa.Column("plan_version", sa.Integer(), nullable=False),
        sa.Column("via", sa.String(), nullable=False),
        sa.Column("card", sa.Text(), nullable=False),
        sa.Column("shown", sa.String(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.Column("decided_at", sa.Float(), nullable=False),
        sa.Column("spent_at", sa.Float(), nullable=True),
        sa.Column("spent_by", sa.String(), nullable=True),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("consent_id"),
        sa.UniqueConstraint("card_id"),
    )
    op.create_index(op.f("ix_consent_run_id"), "consent", ["run_id"], unique=False)
    op.create_table(
        "control",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "effect",
        sa.Column("effect_id", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("call_id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("step_id", sa.String(), nullable=False),
        sa.Column("user_id", sa.String(), nullable=False),
        sa.Column("tool", sa.String(), nullable=False),
        sa.Column("contract_version", sa.Integer(), nullable=False),
        sa.Column("arguments", sa.Text(), nullable=False),
        sa.Column("args_hash", sa.String(), nullable=False),
        sa.Column("base", sa.String(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("deadline_at", sa.Float(), nullable=False),
        sa.Column("undo_on_failure", sa.Boolean(), nullable=False),
        sa.Column("commit_seq", sa.Integer(), nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("undoes", sa.String(), nullable=True),
        sa.Column("consent_id", sa.String(), nullable=True),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("updated_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["undoes"],
            ["effect.effect_id"],
        ),
        sa.PrimaryKeyConstraint("effect_id"),
        sa.UniqueConstraint("base", "generation", name="effect_request"),
        sa.UniqueConstraint("commit_seq"),
        sa.UniqueConstraint("seq"),
    )
    op.create_index(op.f("ix_effect_call_id"), "effect", ["call_id"], unique=False)
    op.create_index(op.f("ix_effect_run_id"), "effect", ["run_id"], unique=False)
    op.create_index(op.f("ix_effect_state"), "effect", ["state"], unique=False)
    op.create_table(
        "run",
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("user_id", sa.String(), nullable=False),
        sa.Column("app", sa.String(), nullable=False),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("lang", sa.String(), nullable=False),
        sa.Column("at", sa.String(), nullable=True),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("resumes", sa.Integer(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("updated_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("run_id"),
    )
    op.create_index(op.f("ix_run_thread_id"), "run", ["thread_id"], unique=False)
    op.create_index(op.f("ix_run_user_id"), "run", ["user_id"], unique=False)
    op.create_index("run_open", "run", ["thread_id", "status"], unique=False)
    op.create_table(
        "run_event",
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "seq"),
    )
    op.create_table(
        "run_lease",
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("thread_id"),
    )
    op.create_table(
        "ticket",
        sa.Column("ticket_id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("user_id", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("updated_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("ticket_id"),
    )
    op.create_index(op.f("ix_ticket_run_id"), "ticket", ["run_id"], unique=False)
    op.create_table(
        "effect_event",
        sa.Column("effect_id", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("event", sa.String(), nullable=False),
        sa.Column("writer", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["effect_id"],
            ["effect.effect_id"],
        ),
        sa.PrimaryKeyConstraint("effect_id", "seq"),
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("effect_event")
    op.drop_index(op.f("ix_ticket_run_id"), table_name="ticket")
    op.drop_table("ticket")
    op.drop_table("run_lease")
    op.drop_table("run_event")
    op.drop_index("run_open", table_name="run")
    op.drop_index(op.f("ix_run_user_id"), table_name="run")
    op.drop_index(op.f("ix_run_thread_id"), table_name="run")
    op.drop_table("run")
    op.drop_index(op.f("ix_effect_state"), table_name="effect")
    op.drop_index(op.f("ix_effect_run_id"), table_name="effect")
    op.drop_index(op.f("ix_effect_call_id"), table_name="effect")
    op.drop_table("effect")
    op.drop_table("control")
    op.drop_index(op.f("ix_consent_run_id"), table_name="consent")
    op.drop_table("consent")
