"""The former name of the store; goes once nobody imports it."""

from fairdeal.store.sql import SqlStore as SqliteStore

__all__ = ["SqliteStore"]
