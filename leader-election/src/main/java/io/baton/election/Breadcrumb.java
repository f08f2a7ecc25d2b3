package io.baton.election;

import java.time.Instant;
import java.util.Optional;

/**
 * The record that the active node keeps in the store while it may be active. It outlives the node's session. A node
 * that finds another's breadcrumb before its own promotion must make sure that its author has stopped.
 *
 * @param id the candidate's id
 * @param address where it could be reached; may be empty
 * @param term the term in which it was to be promoted
 * @param run the id of its run; each {@link ActiveStandby} that is started has a new one
 * @param since when it was written, by its author's clock; empty if the record does not say
 */
public record Breadcrumb(String id, String address, long term, String run, Optional<Instant> since) {

    /** For people, as {@code 'node-1', at 10.1.2.3:8080, active in term 41 since 2026-01-02T03:04:05Z}. */
    @Override
    public String toString() {
        return "'" + id + "'" + (address.isEmpty() ? "" : ", at " + address) + ", active in term " + term
                + since.map(at -> " since " + at).orElse("");
    }
}
