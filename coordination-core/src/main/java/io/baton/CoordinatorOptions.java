package io.baton;

import io.baton.internal.line.EntryInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** What can be set when connecting; the defaults suit a service on its own network. Immutable. */
public final class CoordinatorOptions {

    private final Duration ttl;
    private final boolean strictTtl;
    private final Duration connectTimeout;
    private final Duration requestTimeout;
    private final Duration closeTimeout;
    private final int maxWaiting;
    private final boolean rejoin;
    private final boolean inBackground;
    private final boolean acceptLoss;
    private final boolean leakDetection;
    private final String client;
    private final @Nullable Executor callbacks;
    private final List<Telemetry> telemetry;

    private CoordinatorOptions(Builder b) {
        ttl = b.ttl;
        strictTtl = b.strictTtl;
        connectTimeout = b.connectTimeout;
        requestTimeout = b.requestTimeout;
        closeTimeout = b.closeTimeout;
        maxWaiting = b.maxWaiting;
        rejoin = b.rejoin;
        inBackground = b.inBackground;
        acceptLoss = b.acceptLoss;
        leakDetection = b.leakDetection;
        client = b.client == null ? EntryInfo.thisProcess() : b.client;
        callbacks = b.callbacks;
        telemetry = List.copyOf(b.telemetry);
    }

    /** The defaults. */
    public static CoordinatorOptions defaults() {
        return builder().build();
    }

    /** Starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** How long the store keeps a silent client's entries; a crashed holder's lock is free after about this long. */
    public Duration ttl() {
        return ttl;
    }

    /** Whether a session that the store would keep for longer than {@link #ttl()} is refused. */
    public boolean strictTtl() {
        return strictTtl;
    }

    /** How long {@link Coordinator#connect} waits for the first contact. */
    public Duration connectTimeout() {
        return connectTimeout;
    }

    /** How long a read or write of records, or a look at a queue, may take. */
    public Duration requestTimeout() {
        return requestTimeout;
    }

    /** How long {@link Hold#close} and {@link Coordinator#close} wait for the store's confirmation. */
    public Duration closeTimeout() {
        return closeTimeout;
    }

    /** How many acquisitions may be under way in this coordinator at once. */
    public int maxWaiting() {
        return maxWaiting;
    }

    /** Whether a waiter whose session ends joins the line again. */
    public boolean rejoin() {
        return rejoin;
    }

    /** Whether {@link Coordinator#connect} returns without contact. */
    public boolean inBackground() {
        return inBackground;
    }

    /** Whether recipes whose records must not be lost may use a store that may lose them. */
    public boolean acceptLoss() {
        return acceptLoss;
    }

    /** Whether holds that become garbage before they were closed are logged. */
    public boolean leakDetection() {
        return leakDetection;
    }

    /** What this client calls itself, for people who look at a queue. */
    public String client() {
        return client;
    }

    /** Where callbacks run; empty for Baton's own bounded pool. */
    public Optional<Executor> callbacks() {
        return Optional.ofNullable(callbacks);
    }

    /** Who is told what the coordinator does. */
    public List<Telemetry> telemetry() {
        return telemetry;
    }

    /** Collects options; {@link #build} checks them. */
    public static final class Builder {

        private Duration ttl = Duration.ofSeconds(10);
        private boolean strictTtl;
        private Duration connectTimeout = Duration.ofSeconds(10);
        private Duration requestTimeout = Duration.ofSeconds(10);
        private Duration closeTimeout = Duration.ofSeconds(5);
        private int maxWaiting = 10_000;
        private boolean rejoin;
        private boolean inBackground;
        private boolean acceptLoss;
        private boolean leakDetection;
        private @Nullable String client;
        private @Nullable Executor callbacks;
        private final List<Telemetry> telemetry = new ArrayList<>();

        private Builder() {}

        /**
         * How long the store keeps a silent client's entries. Default 10 s. A value that is too short for the store is
         * raised to the shortest that works; a warning in the log names both and the reason, once per coordinator, and
         * {@link Coordinator#ttl()} tells what was granted. See {@link #strictTtl}.
         */
        public Builder ttl(Duration value) {
            ttl = value;
            return this;
        }

        /**
         * Whether a ttl that the store would have to raise is refused instead. Default false.
         *
         * <p><b>Guarantees.</b> No session of this coordinator outlives its process, or its contact with the store, by more
         * than {@link #ttl} and the store's {@link io.baton.spi.Guarantees#expiryLag}. {@link Coordinator#connect} throws
         * {@link IllegalArgumentException} if the store is known to need more, and {@link CoordinationException} if only
         * the servers' answer shows it. The message says why, and what would work.
         *
         * <p><b>Not guaranteed:</b> that the store grants as much as was asked. It may grant less.
         */
        public Builder strictTtl(boolean value) {
            strictTtl = value;
            return this;
        }

        /** How long to wait for the first contact. Default 10 s. */
        public Builder connectTimeout(Duration value) {
            connectTimeout = value;
            return this;
        }

        /** How long a read or write of records may take. Default 10 s. */
        public Builder requestTimeout(Duration value) {
            requestTimeout = value;
            return this;
        }

        /** How long closing waits for the store's confirmation. Default 5 s. */
        public Builder closeTimeout(Duration value) {
            closeTimeout = value;
            return this;
        }

        /** How many acquisitions may be under way at once. Default 10,000. */
        public Builder maxWaiting(int value) {
            maxWaiting = value;
            return this;
        }

        /**
         * Whether an acquisition whose session ends while it waits joins the line again in the next session, at the
         * end, with what is left of its time limit. Default false: it fails with {@link SessionLostException}. Either
         * way the place is gone, a hold that is lost stays lost, and {@link DistributedLock#tryAcquire()} does not wait.
         */
        public Builder rejoin(boolean value) {
            rejoin = value;
            return this;
        }

        /**
         * Whether {@link Coordinator#connect} returns at once, without contact, and goes on trying for as long as it is open:
         * for a service that can start while the store is down. What is asked of the store until then fails after {@link
         * #requestTimeout}; an acquisition waits. Default false.
         */
        public Builder inBackground(boolean value) {
            inBackground = value;
            return this;
        }

        /**
         * Whether recipes whose records must not be lost may use a store that may lose acknowledged writes when a server fails
         * ({@link io.baton.spi.Guarantees.Survival#LATEST_MAY_BE_LOST}). Default false: on such a store active and standby
         * nodes, whose breadcrumb says whom to fence, and live configuration are refused.
         */
        public Builder acceptLoss(boolean value) {
            acceptLoss = value;
            return this;
        }

        /**
         * Whether a {@link Hold} that becomes garbage before it was closed is logged: once, at level WARN by the logger {@code
         * io.baton.Coordinator}, with the name of the lock and the stack of its acquisition. The lock stays held: its entry
         * stands until the coordinator is closed or its session ends. Default false, for it costs a stack trace each time that
         * a lock is asked for, and a daemon thread for the process.
         *
         * <p><b>Not guaranteed.</b> When it is logged: the garbage collector finds out. A hold is not garbage while a listener
         * that is registered at it refers to it. A hold that is lost is not logged. At most 20 leaks are logged a minute, with
         * a count of the others.
         */
        public Builder leakDetection(boolean value) {
            leakDetection = value;
            return this;
        }

        /**
         * What this client calls itself, for people: in a queue, in the store's sessions, and in the names of its threads.
         * Default the host and the process, as {@code web-1-4711}. At most 200 characters, no control characters.
         */
        public Builder client(String value) {
            client = value;
            return this;
        }

        /** Where callbacks run, instead of Baton's own pool. It must not run them in the thread that hands them over. */
        public Builder callbacks(Executor value) {
            callbacks = value;
            return this;
        }

        /** Adds a listener who is told what the coordinator does; may be called for several. Default none. */
        public Builder telemetry(Telemetry listener) {
            telemetry.add(listener);
            return this;
        }

        /**
         * Checks and builds.
         *
         * @throws IllegalArgumentException if a value makes no sense; the message names it
         */
        @CheckReturnValue
        public CoordinatorOptions build() {
            positive("ttl", ttl);
            positive("connectTimeout", connectTimeout);
            positive("requestTimeout", requestTimeout);
            positive("closeTimeout", closeTimeout);
            if (maxWaiting < 1) {
                throw new IllegalArgumentException("maxWaiting must be at least 1, not " + maxWaiting);
            }
            if (client != null && !isShowable(client)) {
                throw new IllegalArgumentException("client must be 1 to 200 characters without control characters");
            }
            return new CoordinatorOptions(this);
        }

        private static boolean isShowable(String name) {
            return !name.isBlank() && name.length() <= 200 && name.chars().noneMatch(Character::isISOControl);
        }

        private static void positive(String name, Duration value) {
            if (value.isZero() || value.isNegative()) {
                throw new IllegalArgumentException(name + " must be positive, not " + value);
            }
            if (value.compareTo(Duration.ofDays(1)) > 0) {
                throw new IllegalArgumentException(name + " must be at most a day, not " + value);
            }
        }
    }
}
