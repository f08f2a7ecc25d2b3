package io.baton;

/**
 * The identity of one written value of a record. Opaque: created by the store, compared with {@code equals}, and passed
 * back in {@link Guard#unchanged}. A record that was deleted and recreated has another one.
 */
public interface Revision {

    /** Returns the value's place in the store's order of writes. Larger is later, as {@link Position#revision()}. */
    long order();
}
