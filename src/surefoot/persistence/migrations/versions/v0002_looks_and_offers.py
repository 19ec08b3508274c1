"""Looks before a write are kept with its intent; cards that were shown are kept until they are answered."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column and the table."""
    op.add_column("effect", sa.Column("before", sa.Text(), nullable=True))
    op.create_table(
        "offer",
        sa.Column("card_id", sa.String(), nullable=False),
        sa.Column("call_id", sa.String(), nullable=False),
        sa.Column("user_id", sa.String(), nullable=False),
        sa.Column("content", sa.String(), nullable=False),
        sa.Column("card", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("card_id"),
    )
    op.create_index(op.f("ix_offer_call_id"), "offer", ["call_id"], unique=False)
