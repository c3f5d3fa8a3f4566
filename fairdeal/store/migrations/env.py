"""What Alembic runs: the steps that are due, in the transaction of whoever asked for them."""

from alembic import context

from fairdeal.store.tables import METADATA

# SQLite undoes a step as a whole only because the transaction was begun by hand: engines.py.
context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
    transactional_ddl=True,
)
context.run_migrations()
