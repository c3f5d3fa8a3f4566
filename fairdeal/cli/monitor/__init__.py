"""Looks at a log again and again, and tells somebody what it finds."""
