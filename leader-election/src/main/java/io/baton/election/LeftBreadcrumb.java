package io.baton.election;

import io.baton.Item;

/**
 * The breadcrumb of an election as it was read.
 *
 * @param breadcrumb what it says
 * @param item the record, at the revision at which it was read
 * @param inContact whether its author is in contact with the store, as far as the store knows: a session that it had
 *     has not ended
 */
public record LeftBreadcrumb(Breadcrumb breadcrumb, Item item, boolean inContact) {}
