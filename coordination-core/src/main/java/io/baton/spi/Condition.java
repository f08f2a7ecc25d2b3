package io.baton.spi;

import io.baton.RecordKey;
import io.baton.Revision;

/** A condition that must hold at the moment a transaction is applied. */
public sealed interface Condition {

    /** This very entry still stands in its line. */
    record Stands(Peer peer) implements Condition {}

    /** The record exists and has not been written, deleted or recreated since this revision was read. */
    record Unchanged(RecordKey key, Revision revision) implements Condition {}

    /** There is no such record. */
    record Absent(RecordKey key) implements Condition {}
}
