package io.baton;

/** A condition of a transaction. If it does not hold when the transaction is applied, nothing is written. */
public sealed interface Guard {

    /** The hold's entry is still in its line: no conflicting contender has been granted since; see {@link Hold}. */
    record Held(Hold hold) implements Guard {}

    /** The record has not been written, deleted or recreated since. */
    record Unchanged(RecordKey key, Revision revision) implements Guard {}

    /** There is no such record. */
    record Absent(RecordKey key) implements Guard {}

    /** The hold's entry is still in its line. The store decides that, not the state of the hold in this process. */
    @CheckReturnValue
    static Guard held(Hold hold) {
        return new Held(hold);
    }

    /** The record has not been written, deleted or recreated since this item was read. */
    @CheckReturnValue
    static Guard unchanged(Item item) {
        return new Unchanged(item.key(), item.revision());
    }

    /** There is no such record. */
    @CheckReturnValue
    static Guard absent(RecordKey key) {
        return new Absent(key);
    }
}
