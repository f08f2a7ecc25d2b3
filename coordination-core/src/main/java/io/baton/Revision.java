package io.baton;

/**
 * The identity of one written value of a record, as its store tells it. Opaque: made by a store, compared with
 * {@code equals}, and handed back in {@link Guard#unchanged}. A deleted and recreated record has another one.
 */
public interface Revision {}
