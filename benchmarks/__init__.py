"""Figures of merit and long runs; nothing here gates a test."""
