package io.baton;

import java.nio.charset.StandardCharsets;

/**
 * A record's value at one revision.
 *
 * @param key which record
 * @param value its bytes; not to be modified
 * @param revision identity of this value
 */
public record Item(RecordKey key, byte[] value, Revision revision) {

    /** The value as UTF-8 text. */
    public String text() {
        return new String(value, StandardCharsets.UTF_8);
    }
}
