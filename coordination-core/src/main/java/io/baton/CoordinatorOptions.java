package io.baton;

import io.baton.internal.line.EntryInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Options of a {@link Coordinator}. The defaults suit a service on its own network. Immutable. */
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

    /** Returns the defaults. */
    public static CoordinatorOptions defaults() {
        return builder().build();
    }

    /** Returns a builder that starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** How long the store keeps a silent client's entries. A crashed holder's lock is free after about this time. */
    public Duration ttl() {
        return ttl;
    }

    /** Whether a session is refused if the store would keep it for longer than {@link #ttl()}. */
    public boolean strictTtl() {
        return strictTtl;
    }

    /** How long {@link Coordinator#connect} waits for the first contact. */
    public Duration connectTimeout() {
        return connectTimeout;
    }

    /** How long a request may take: a read or write of records, or {@link DistributedLock#queue}. */
    public Duration requestTimeout() {
        return requestTimeout;
    }

    /** How long {@link Hold#close} and {@link Coordinator#close} wait for the store's confirmation. */
    public Duration closeTimeout() {
        return closeTimeout;
    }

    /** How many acquisitions of this coordinator may be under way at once. */
    public int maxWaiting() {
        return maxWaiting;
    }

    /** Whether a waiter whose session ends rejoins the line. */
    public boolean rejoin() {
        return rejoin;
    }

    /** Whether {@link Coordinator#connect} returns before the first contact. */
    public boolean inBackground() {
        return inBackground;
    }

    /** Whether recipes that rely on their records may use a store that may lose acknowledged writes. */
    public boolean acceptLoss() {
        return acceptLoss;
    }

    /** Whether a hold that is garbage collected before it was closed is logged. */
    public boolean leakDetection() {
        return leakDetection;
    }

    /** The name of this client, for people who look at a queue. */
    public String client() {
        return client;
    }

    /** The executor of callbacks; empty for Baton's own bounded pool. */
    public Optional<Executor> callbacks() {
        return Optional.ofNullable(callbacks);
    }

    /** The telemetry listeners, in the order in which they were added. */
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
         * How long the store keeps a silent client's entries. Default 10 s.
         *
         * <p>A value that is too short for the store is raised to the shortest that works, unless {@link #strictTtl} is
         * set. A warning, logged once per coordinator, names both values and the reason. {@link Coordinator#ttl()}
         * returns the granted value.
         */
        public Builder ttl(Duration value) {
            ttl = value;
            return this;
        }

        /**
         * Whether a session is refused if the store would have to raise its {@link #ttl}. Default false.
         *
         * <p><b>Guarantees.</b> No session of this coordinator outlives its process, or its contact with the store, by
         * more than {@link #ttl} and the store's {@link io.baton.spi.Guarantees#expiryLag}. {@link Coordinator#connect}
         * throws {@link IllegalArgumentException} if the store is known to need more, and {@link CoordinationException}
         * if only the servers' answer shows it. The message gives the reason and a value that works.
         *
         * <p><b>Not guaranteed.</b> The store may grant less than the ttl.
         */
        public Builder strictTtl(boolean value) {
            strictTtl = value;
            return this;
        }

        /** How long {@link Coordinator#connect} waits for the first contact. Default 10 s. */
        public Builder connectTimeout(Duration value) {
            connectTimeout = value;
            return this;
        }

        /** How long a request may take: a read or write of records, or {@link DistributedLock#queue}. Default 10 s. */
        public Builder requestTimeout(Duration value) {
            requestTimeout = value;
            return this;
        }

        /** How long {@link Hold#close} and {@link Coordinator#close} wait for the store's confirmation. Default 5 s. */
        public Builder closeTimeout(Duration value) {
            closeTimeout = value;
            return this;
        }

        /**
         * How many acquisitions may be under way at once; more fail with {@link TooManyWaitersException}. Candidacies and
         * unconfirmed releases count as well. Entries that {@link LockOptions#holdAtLeast} keeps after a release are
         * counted apart: once there are as many of them, acquisitions with that option fail in the same way. Default
         * 10,000.
         */
        public Builder maxWaiting(int value) {
            maxWaiting = value;
            return this;
        }

        /**
         * Whether an acquisition whose session ends while it waits rejoins the line in the next session. It joins at
         * the end, with the rest of its time limit. Default false: it fails with {@link SessionLostException}.
         *
         * <p>In both cases the place in line is gone and a lost hold stays lost. {@link DistributedLock#tryAcquire()}
         * never rejoins.
         */
        public Builder rejoin(boolean value) {
            rejoin = value;
            return this;
        }

        /**
         * Whether {@link Coordinator#connect} returns at once, and the coordinator connects in the background until it
         * is closed. Default false. For a service that can start while the store is down. Until the first contact,
         * requests fail after {@link #requestTimeout} and acquisitions wait.
         */
        public Builder inBackground(boolean value) {
            inBackground = value;
            return this;
        }

        /**
         * Whether recipes that rely on their records may use a store that may lose acknowledged writes when a server
         * fails ({@link io.baton.spi.Guarantees.Survival#LATEST_MAY_BE_LOST}). Default false: on such a store, live
         * configuration, active and standby nodes, counters, sequences and other recipes fail with {@link
         * IllegalArgumentException}. Such a node relies on its breadcrumb to fence the former active node.
         */
        public Builder acceptLoss(boolean value) {
            acceptLoss = value;
            return this;
        }

        /**
         * Whether a {@link Hold} that is garbage collected before it was closed is logged. Default false.
         *
         * <p>The logger {@code io.baton.Coordinator} logs it once, at level WARN, with the name of the lock and the
         * stack of its acquisition. The lock stays held until the coordinator is closed or its session ends.
         *
         * <p><b>Cost.</b> A stack trace for each acquisition, and one daemon thread for the process.
         *
         * <p><b>Not guaranteed.</b> The time of the log line depends on the garbage collector. A hold is not collected
         * while a listener that is registered at it refers to it. A lost hold is not logged. At most 20 leaks are
         * logged a minute, with a count of the others.
         */
        public Builder leakDetection(boolean value) {
            leakDetection = value;
            return this;
        }

        /**
         * The name of this client, for people. It appears in queues, in the store's sessions and in the names of its
         * threads. Default the host and the process, as {@code web-1-4711}. At most 200 characters, not blank, no
         * control characters.
         */
        public Builder client(String value) {
            client = value;
            return this;
        }

        /**
         * The executor of callbacks, instead of Baton's own pool. It must not run a task in the thread that submits it.
         * Its {@code execute} must not block either, as with a bounded queue that is full: the thread that would wait
         * there is the one that sends the heartbeats, and holds would be lost.
         */
        public Builder callbacks(Executor value) {
            callbacks = value;
            return this;
        }

        /** Adds a telemetry listener; may be called several times. Default none. */
        public Builder telemetry(Telemetry listener) {
            telemetry.add(listener);
            return this;
        }

        /**
         * Checks the values and builds the options.
         *
         * @throws IllegalArgumentException if a duration is not positive or longer than a day, or another value is out
         *     of its range; the message names it
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
