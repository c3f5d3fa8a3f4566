"""What stands in the bodies and queries of requests, and in the bodies of answers."""
