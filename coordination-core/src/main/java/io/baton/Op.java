package io.baton;

import java.nio.charset.StandardCharsets;

/** A change that a transaction applies. */
public sealed interface Op {

    /** Returns the key of the record that is changed. */
    RecordKey key();

    /** Writes a value, creating the record if it is absent. */
    record Put(RecordKey key, byte[] value) implements Op {}

    /** Deletes the record. Has no effect if it is absent. */
    record Delete(RecordKey key) implements Op {}

    /**
     * Writes a value, creating the record if it is absent. {@link Coordinator#transact} and {@link
     * Coordinator#transactAsync} copy the value: changing the array after the call has no effect.
     */
    @CheckReturnValue
    static Op put(RecordKey key, byte[] value) {
        return new Put(key, value);
    }

    /** Writes UTF-8 text, creating the record if it is absent. */
    @CheckReturnValue
    static Op put(RecordKey key, String text) {
        return new Put(key, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Deletes the record. Has no effect if it is absent. */
    @CheckReturnValue
    static Op delete(RecordKey key) {
        return new Delete(key);
    }
}
