package io.baton.internal;

import io.baton.Dialect;
import io.baton.spi.Line;
import io.baton.spi.Names;

/**
 * A lock and the line that its contenders stand in.
 *
 * @param name what people call it
 * @param line where they stand
 */
record LockLine(String name, Line line) {

    /** The lock of this name, among the store's own. */
    static LockLine named(String name) {
        return new LockLine(name, Line.of("locks/" + Names.encode(name)));
    }

    /** The lock at exactly this path, with the names of this dialect. */
    static LockLine at(String path, Dialect dialect) {
        return new LockLine(path, new Line(Names.checkPath(path), dialect));
    }
}
