package io.baton.memory;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A short loss of contact that waits for its moment: see {@link MemoryStore#outage}. It happens once; the client comes back
 * into contact at once, and has to find out what became of what it asked.
 *
 * <p><b>Threads.</b> Any.
 */
public final class Outage {

    /** When it happens. */
    public enum When {
        /** The request is lost, and has no effect. */
        BEFORE_REQUEST,
        /** The request takes effect, and its answer is lost. */
        AFTER_REQUEST,
        /** What the store has to tell does not arrive: an answer is lost, news are told once there is contact. */
        BEFORE_NOTIFICATION,
        /** The client has been told. */
        AFTER_NOTIFICATION
    }

    private final MemoryServer server;
    private final @Nullable Outage after;
    private final String client;
    private final When when;
    private final int n;
    private int seen;
    private volatile boolean cancelled;
    private volatile @Nullable String triggeredAt;

    Outage(MemoryServer server, @Nullable Outage after, String client, When when, int n) {
        if (n < 1) {
            throw new IllegalArgumentException("requests and notifications are counted from 1: " + n);
        }
        this.server = server;
        this.after = after;
        this.client = client;
        this.when = when;
        this.n = n;
    }

    /** What was asked or told when it happened, as {@code join} or {@code clear}; empty until then. */
    public Optional<String> triggeredAt() {
        return Optional.ofNullable(triggeredAt);
    }

    /** Arms another one, of the same client, which counts from when this one has happened. */
    public Outage then(When next, int nth) {
        return server.arm(new Outage(server, this, client, next, nth));
    }

    /** From now on it does not happen any more. */
    public void cancel() {
        cancelled = true;
    }

    /** Counts if this is of its kind; true if it happens now. Under the store's lock. */
    boolean triggers(String its, When now, String what) {
        if (isDone()
                || (after != null && after.triggeredAt == null)
                || now != when
                || !its.equals(client)
                || ++seen < n) {
            return false;
        }
        triggeredAt = what;
        return true;
    }

    boolean isDone() {
        return cancelled || triggeredAt != null;
    }
}
