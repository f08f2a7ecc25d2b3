"""A contender on a kazoo Lock that does what it is told on stdin, line by line, and tells what happened on stdout."""

import logging
import sys

from kazoo.client import KazooClient


def tell(word):
    print(word, flush=True)


def main():
    hosts, path, timeout, patterns = sys.argv[1:5]
    logging.basicConfig(level=logging.CRITICAL)
    client = KazooClient(hosts=hosts, timeout=float(timeout))
    client.start()
    options = {"extra_lock_patterns": patterns.split(",")} if patterns else {}
    lock = client.Lock(path, "kazoo", **options)
    tell("session %d" % client.client_id[0])
    for line in sys.stdin:
        command = line.strip()
        if command == "acquire":
            lock.acquire()
            tell("held")
        elif command == "try":
            tell("held" if lock.acquire(blocking=False) else "taken")
        elif command == "release":
            lock.release()
            tell("released")
        elif command == "contenders":
            tell("contenders %d" % len(lock.contenders()))
    client.stop()
    client.close()


main()
