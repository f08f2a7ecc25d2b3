package io.baton.internal;

import io.baton.Dialect;
import io.baton.spi.Line;
import io.baton.spi.Names;

/**
 * What is contended for, and the line that its contenders stand in.
 *
 * @param what a lock, or an election
 * @param name what people call it
 * @param line where they stand
 */
record Resource(What what, String name, Line line) {

    /** What the first in the line has. */
    enum What {
        LOCK("locks/"),
        ELECTION("elections/");

        private final String tree;

        What(String tree) {
            this.tree = tree;
        }

        /** The one of this name, among the store's own. */
        Resource named(String name) {
            return new Resource(this, name, Line.of(tree + Names.encode(name)));
        }

        /** The one at exactly this path, with the names of this dialect. */
        Resource at(String path, Dialect dialect) {
            return new Resource(this, path, new Line(Names.checkPath(path), dialect));
        }
    }

    /** Its name where locks and elections are told together. */
    String label() {
        return what == What.LOCK ? name : What.ELECTION.tree + name;
    }

    @Override
    public String toString() {
        return (what == What.LOCK ? "lock '" : "election '") + name + "'";
    }
}
