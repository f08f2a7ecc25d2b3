package io.baton;

/**
 * A position in the course of a store's events.
 *
 * @param history which course: another one where the store has been replaced, set back, or the tree in question removed as a
 *     whole, as far as the store can tell; empty if there is nothing yet by which to tell. Revisions compare within one.
 * @param revision the larger the later; nothing was changed between the revision of the last change seen and this one
 */
public record Position(String history, long revision) {}
