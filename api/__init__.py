"""The HTTP interface, thin: parse, call one service method, shape the answer.

Uses fairdeal.service and fairdeal.errors, nothing else of ours.
"""
