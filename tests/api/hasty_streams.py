"""The workers that stream, with quick beats and little patience with those who do not read."""

from api import auth, loop, wire
from api.loop import StreamWorker
from api.patience import PatientWorker

vars(wire).update(SEND_S=0.5)
vars(loop).update(READ_S=0.5)


class HastyStreams(PatientWorker):
    """Beats five times a second."""

    def load_wsgi(self):
        """Load the application, and have it beat fast."""
        super().load_wsgi()
        self.wsgi.extensions[auth.EXTENSION].feed.beat_s = 0.2


class HastyLoop(StreamWorker):
    """Beats five times a second."""

    def load_wsgi(self):
        """Load the application, and have it beat fast."""
        super().load_wsgi()
        self.asgi._feed.beat_s = 0.2
