package io.baton.jdbc;

import io.baton.jdbc.Flight.Row;

/** What a removed or downgraded entry was. */
record Leaving(String name, byte[] path, long token, boolean exclusive) {

    static Leaving of(String name, Row row) {
        return new Leaving(name, row.bytes(0), row.number(1), row.number(2) == 0 && !row.flag(3));
    }
}
