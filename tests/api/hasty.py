"""The worker of the server with little patience, so that a test need not wait for it."""

from api import patience
from api.patience import PatientWorker

vars(patience).update(READ_S=0.2, ANSWER_S=0.6)

HastyWorker = PatientWorker
