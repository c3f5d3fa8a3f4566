"""``fairdeal stats``: tests of chance over many verified deals (protocol §2.9 and §4).

They cannot prove a deal fair: the verifier does that, deal by deal. They show whether something
upstream of it, such as which games are finished or published, leans to one side.
"""
