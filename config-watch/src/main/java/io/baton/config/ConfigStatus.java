package io.baton.config;

import io.baton.Position;
import io.baton.SessionState;
import java.time.Duration;
import java.util.Optional;

/**
 * How far this instance follows.
 *
 * @param source where the present values have come from
 * @param applied the position of the values in use
 * @param appliedChange the number of the last change in them
 * @param seen the position of the newest values that the store has told
 * @param seenChange the number of the last change in those
 * @param contact with the store
 * @param unconfirmedFor how long ago the values seen were known to be the newest for the last time; zero while in contact
 * @param rejection why the newest values seen are not applied; empty if they are. If only a canary was rejected, what the
 *     others use is applied, and this stays for as long as there is that canary
 * @param canary the id of the canary change that is in use here; empty if none is
 */
public record ConfigStatus(
        ConfigSource source,
        Position applied,
        long appliedChange,
        Position seen,
        long seenChange,
        SessionState contact,
        Duration unconfirmedFor,
        Optional<Rejection> rejection,
        Optional<String> canary) {

    /** By how many changes the values in use are behind those seen. */
    public long behind() {
        return Math.max(0, seenChange - appliedChange);
    }

    /** Whether the values in use are the newest that the store has, as far as can be known. */
    public boolean healthy() {
        return source == ConfigSource.LIVE
                && contact == SessionState.CONNECTED
                && applied.equals(seen)
                && rejection.isEmpty();
    }
}
