package io.baton.election;

import java.time.Instant;
import java.util.Optional;

/**
 * What the active one leaves in the store for as long as it may be active, and longer than its session lives. Who is to
 * be promoted and finds one has to see to it that its author does nothing any more.
 *
 * @param id which candidate
 * @param address where it could be reached; may be empty
 * @param term the term in which it was to be promoted
 * @param run which run of it: another for each {@link ActiveStandby} that is started
 * @param since when it was written, by its author's clock; empty if it does not say
 */
public record Breadcrumb(String id, String address, long term, String run, Optional<Instant> since) {

    /** For people, as {@code 'node-1', at 10.1.2.3:8080, active in term 41 since 2026-01-02T03:04:05Z}. */
    @Override
    public String toString() {
        return "'" + id + "'" + (address.isEmpty() ? "" : ", at " + address) + ", active in term " + term
                + since.map(at -> " since " + at).orElse("");
    }
}
