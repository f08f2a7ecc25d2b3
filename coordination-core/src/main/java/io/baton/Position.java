package io.baton;

/**
 * A position in the history of a store.
 *
 * @param history identifies the history; revisions compare within one only. It changes if the store was replaced or set
 *     back, or the whole tree was removed, as far as the store can tell. Empty while it is not known.
 * @param revision larger is later; nothing changed between the revision of the last change seen and this one
 */
public record Position(String history, long revision) {}
