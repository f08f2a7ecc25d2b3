package io.baton;

/**
 * The identity of one written value of a record, as its store tells it. Opaque: made by a store, compared with
 * {@code equals}, and handed back in {@link Guard#unchanged}. A deleted and recreated record has another one.
 */
public interface Revision {

    /** Where in the store's order the value was written: the larger the later, as {@link Position#revision()}. */
    long order();
}
