"""``fairdeal play``: a person at the terminal against bots, over the HTTP API.

`command` reads the command line; `opening` starts a service, opens a game and takes the seat;
`kept` is what stays in the player's folder; `remote` speaks to the service and comes back when the
connection was lost; `cut` asks for the player's cut; `loop` plays; `typed` reads what was typed;
`story` tells what happens in sentences; `picture` shows the table; `asked` answers the single
letters; `scored` has score sheets and runs the verifier, and `checking` says what came of it;
`seats` takes part in a room's draw for seats; `screen` prints and asks.
"""
