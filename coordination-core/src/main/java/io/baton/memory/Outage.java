package io.baton.memory;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A short loss of contact, armed by {@link MemoryStore#outage}. It happens once. The client is back in contact at once,
 * and has to find out what became of its request.
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
        /** The answer or notification is lost. */
        BEFORE_NOTIFICATION,
        /** The answer or notification has arrived. */
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

    /** Returns the request or notification that it hit, such as {@code join} or {@code clear}; empty until then. */
    public Optional<String> triggeredAt() {
        return Optional.ofNullable(triggeredAt);
    }

    /**
     * Arms another one for the same client, which counts from when this one has happened.
     *
     * @throws IllegalArgumentException if {@code nth} is less than 1
     */
    public Outage then(When next, int nth) {
        return server.arm(new Outage(server, this, client, next, nth));
    }

    /** Disarms this outage. */
    public void cancel() {
        cancelled = true;
    }

    /** Counts an event of its kind, and returns whether the outage happens now. Under the store's lock. */
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
