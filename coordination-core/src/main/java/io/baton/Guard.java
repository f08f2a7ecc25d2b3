package io.baton;

/** What must hold at the moment a transaction is applied; if it does not, nothing is written. */
public sealed interface Guard {

    /** The hold's entry still stands in its line: nobody else has been granted since. */
    record Held(Hold hold) implements Guard {}

    /** The record has not been written, deleted or recreated since. */
    record Unchanged(RecordKey key, Revision revision) implements Guard {}

    /** There is no such record. */
    record Absent(RecordKey key) implements Guard {}

    /** The hold's entry still stands in its line, by the store's own word and whatever this process believes. */
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
