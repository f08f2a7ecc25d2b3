package io.baton.jdbc;

import java.sql.SQLException;

/** A row is locked, probably by a transaction of a user: nothing was applied, and the step may be repeated. */
final class BusyException extends SQLException {
    private static final long serialVersionUID = 1;

    /** Of a step that others wait behind: a transaction of a program may last for hours. */
    static final int FEW_ATTEMPTS = 10;

    /** How often the step is to be made before it is refused. */
    final int attempts;

    BusyException(int attempts) {
        super("a transaction of a program keeps an entry");
        this.attempts = attempts;
    }
}
