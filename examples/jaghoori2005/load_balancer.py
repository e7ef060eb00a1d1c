"""Writes the load balancers of [JaghooriEtAl05], section 6, for any number of clients, balancers and servers.

    python load_balancer.py dynamic --clients 8 --balancers 2 --servers 3 -o eight.rebeca

Clients are dealt out to the balancers in order, as evenly as possible. The models beside this file are
``static 6 2 3``, ``dynamic 6 2 3`` and, under the name ``load_balancer_small``, ``dynamic 4 2 2``.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from string import Template

MOST = 100  # numbers of clients and turns are bytes

STATIC = Template("""\
// The load balancer of [JaghooriEtAl05], section 6, with static references only: servers know all clients, and a client
// is told by the number it was given. Clients: $clients, balancers: $balancers, servers: $servers.

reactiveclass Client(2) {
  knownrebecs { LoadBalancer balancer; }
  statevars { byte number; }
  msgsrv initial(byte n) { number = n; self.go(); }
  msgsrv go() { balancer.request(number); }
  msgsrv reply() { self.go(); }
}

reactiveclass LoadBalancer($requests) {
  knownrebecs { $known_servers }
  statevars { byte turn; }
  msgsrv initial() { turn = 0; }
  msgsrv request(byte client) {
    switch (turn) {
$turns
    }
    turn = (byte)((turn + 1) % $servers);
  }
}

reactiveclass Server($tasks) {
  knownrebecs { $known_clients }
  statevars { }
  msgsrv initial() { }
  msgsrv serve(byte client) {
    switch (client) {
$replies
    }
  }
}

main {
$main
}
""")

DYNAMIC = Template("""\
// The load balancer of [JaghooriEtAl05], section 6, with references that are sent: the balancer passes on who asked,
// and servers know nobody. Clients: $clients, balancers: $balancers, servers: $servers.

reactiveclass Client(2) {
  knownrebecs { LoadBalancer balancer; }
  statevars { }
  msgsrv initial() { self.go(); }
  msgsrv go() { balancer.request(); }
  msgsrv reply() { self.go(); }
}

reactiveclass LoadBalancer($requests) {
  knownrebecs { $known_servers }
  statevars { byte turn; }
  msgsrv initial() { turn = 0; }
  msgsrv request() {
    switch (turn) {
$turns
    }
    turn = (byte)((turn + 1) % $servers);
  }
}

reactiveclass Server($tasks) {
  knownrebecs { }
  statevars { }
  msgsrv initial() { }
  msgsrv serve(Client client) { client.reply(); }
}

main {
$main
}
""")


def load_balancer(variant: str, *, clients: int, balancers: int, servers: int) -> str:
    """The text of a model; ``variant`` is ``static`` or ``dynamic``.

    >>> "Server s1():();" in load_balancer("dynamic", clients=1, balancers=1, servers=1)
    True
    """
    is_static = variant == "static"
    every_client = [f"c{k}" for k in range(1, clients + 1)]
    every_server = [f"s{k}" for k in range(1, servers + 1)]
    owners = [1 + k * balancers // clients for k in range(clients)]
    instances = {
        "Client": [f"c{k}(lb{b}):({k if is_static else ''})" for k, b in enumerate(owners, 1)],
        "LoadBalancer": [f"lb{b}({', '.join(every_server)}):()" for b in range(1, balancers + 1)],
        "Server": [f"{s}({', '.join(every_client) if is_static else ''}):()" for s in every_server],
    }
    return (STATIC if is_static else DYNAMIC).substitute(
        clients=clients,
        balancers=balancers,
        servers=servers,
        requests=max(owners.count(b) for b in set(owners)) + 1,
        tasks=clients + 1,
        known_servers=" ".join(f"Server server{k};" for k in range(1, servers + 1)),
        known_clients=" ".join(f"Client client{k};" for k in range(1, clients + 1)),
        turns="\n".join(_turns(servers, "client" if is_static else "(Client)sender")),
        replies="\n".join(f"      case {k}: client{k}.reply(); break;" for k in range(1, clients + 1)),
        main="\n".join(f"  {kind} {', '.join(rebecs)};" for kind, rebecs in instances.items()),
    )


def _turns(servers: int, client: str) -> list[str]:
    last = f"      default: server{servers}.serve({client});"
    return [f"      case {k}: server{k + 1}.serve({client}); break;" for k in range(servers - 1)] + [last]


def _number(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"a number from 1 to {MOST}, not '{text}'")
    return int(text)


def main() -> None:
    """Write a model to a file or to the standard output."""
    parser = argparse.ArgumentParser(description="Write a load balancer as a Rebeca model.")
    parser.add_argument("variant", choices=("static", "dynamic"))
    parser.add_argument("--clients", type=_number, default=6)
    parser.add_argument("--balancers", type=_number, default=2)
    parser.add_argument("--servers", type=_number, default=3)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    if given.clients < given.balancers:
        parser.error("every balancer needs a client")
    text = load_balancer(given.variant, clients=given.clients, balancers=given.balancers, servers=given.servers)
    if given.output is None:
        sys.stdout.write(text)
    else:
        given.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
