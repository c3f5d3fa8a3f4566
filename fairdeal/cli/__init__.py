"""The fairdeal command; the outermost layer.

The one package that may import api and verifier.
"""
