"""The routes: each parses, calls one method of the service, and shapes the answer."""
