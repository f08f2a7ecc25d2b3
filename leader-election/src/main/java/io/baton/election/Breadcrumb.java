package io.baton.election;

/**
 * What the active one leaves in the store for as long as it may be active, and longer than its session lives. Who is to
 * be promoted and finds one has to see to it that its author does nothing any more.
 *
 * @param id which candidate
 * @param address where it could be reached; may be empty
 * @param term the term in which it was to be promoted
 * @param run which run of it: another for each {@link ActiveStandby} that is started
 */
public record Breadcrumb(String id, String address, long term, String run) {}
