package io.baton.config;

import io.baton.Position;
import io.baton.SessionState;
import java.time.Duration;
import java.util.Optional;

/**
 * The progress of this instance.
 *
 * @param source where the present values come from
 * @param applied the position of the values in use
 * @param appliedChange the number of the last change in them
 * @param seen the position of the newest values received from the store
 * @param seenChange the number of the last change in those
 * @param contact the contact with the store
 * @param unconfirmedFor how long ago the values seen were last confirmed as the newest; zero while they are
 *     followed, which needs contact, and that the store shows them
 * @param rejection why the newest values seen are not applied; empty if they are. If only a canary was rejected, the
 *     common values are applied, and this stays until that canary ends
 * @param canary the id of the canary that is in use here; empty if none is
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

    /** Returns by how many changes the values in use are behind those seen. */
    public long behind() {
        return Math.max(0, seenChange - appliedChange);
    }

    /** Returns whether the values in use are the newest that the store has, as far as this instance can determine. */
    public boolean healthy() {
        return source == ConfigSource.LIVE
                && contact == SessionState.CONNECTED
                && unconfirmedFor.isZero()
                && applied.equals(seen)
                && rejection.isEmpty();
    }
}
