package io.baton.jdbc;

import io.baton.Revision;

/** The revision of its tree that wrote a record; never used twice. */
record JdbcRevision(long order) implements Revision {}
