"""The steps that bring a database to the newest schema, run by Alembic."""
