package io.baton;

import java.nio.charset.StandardCharsets;

/**
 * A record's value at one revision.
 *
 * @param key the record's key
 * @param value its bytes; not to be modified
 * @param revision identity of this value
 */
public record Item(RecordKey key, byte[] value, Revision revision) {

    /** Returns the value as UTF-8 text. */
    public String text() {
        return new String(value, StandardCharsets.UTF_8);
    }
}
