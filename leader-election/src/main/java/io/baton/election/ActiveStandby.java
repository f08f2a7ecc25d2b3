package io.baton.election;

import io.baton.Coordinator;
import io.baton.Subscription;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One of several nodes of which one is active at a time, and the others stand by.
 *
 * <pre>{@code
 * ActiveStandby node = ActiveStandby.builder(baton, "ledger", "node-1")
 *         .address("10.1.2.3:8080")
 *         .onPromote(leadership -> ledger.open(leadership), Duration.ofSeconds(5))
 *         .onDemote(leadership -> ledger.shut(), Duration.ofSeconds(1))
 *         .health(ledger::isHealthy)
 *         .fencer(last -> power.off(last.address()), Duration.ofSeconds(10))
 *         .start();
 * }</pre>
 *
 * <p><b>Guarantees.</b> A node is promoted only as leader of the election of this name, while it is healthy, and after every
 * other that may have been active has been demoted, and has said so in the store, or has been fenced. It is told to demote
 * while it is still certain to lead for as long as that may take; timings with which it would not be are refused. Transitions
 * are told once and in order. Hooks and the fencer of one node never run at the same time.
 *
 * <p><b>Not guaranteed.</b> That a process that was frozen does nothing between waking up and being demoted: that is what the
 * fencer, and writes with the leadership's guard or term, are for. {@link #describe()} says what a configuration relies on.
 *
 * <p><b>Threads.</b> All methods may be called by any thread. Hooks, the fencer and health checks have threads of their own;
 * listeners run where the coordinator's callbacks do.
 */
public final class ActiveStandby implements AutoCloseable {

    /** The tree of records that breadcrumbs are in, by the election's name. */
    public static final String BREADCRUMBS = "breadcrumbs";

    /** What a node is. */
    public enum State {
        /** Not active: it waits for its turn, or does not stand in line, as it is not healthy. */
        STANDBY,
        /** It leads, and is on the way to be active: the former one is fenced if need be, then the hook runs. */
        PROMOTING,
        /** It is the active one. */
        ACTIVE,
        /** It stops being active, and leads until it has. */
        DEMOTING,
        /** Closed, for good. */
        CLOSED
    }

    private ActiveStandby() {}

    /**
     * Starts with what every node needs.
     *
     * @param name the election's name: the same for all nodes of one service
     * @param id which node this is: another for each
     */
    public static Builder builder(Coordinator coordinator, String name, String id) {
        return new Builder();
    }

    /** Begins: checks health, and stands in line once healthy. Without effect if it has begun before. */
    public ActiveStandby start() {
        return this;
    }

    /** The present state. */
    public State state() {
        return State.STANDBY;
    }

    /** The present state, and what there is to know about it. */
    public StandbyStatus status() {
        throw new UnsupportedOperationException();
    }

    /** The term, while this node is ACTIVE and has not been told to stop. */
    public Optional<Leadership> leadership() {
        return Optional.empty();
    }

    /** Told the present state and then every transition, once and in order; who falls behind by a thousand is told the newest only. */
    public Subscription onState(Consumer<State> listener) {
        return () -> {};
    }

    /** For people: how it is configured, what it relies on, and how long a failover takes at worst. */
    public String describe() {
        return "";
    }

    /**
     * Ends it: demotes, removes the breadcrumb, leaves the election. Waits for that, but no longer than the demotion may take
     * and then the coordinator's close timeout; past that it goes on. Called from a callback or a hook it does not wait. Idempotent.
     */
    @Override
    public void close() {}

    /** As {@link #close()} without waiting; completes when all is over. */
    public CompletableFuture<Void> closeAsync() {
        return CompletableFuture.completedFuture(null);
    }

    /** Collects options; {@link #build} checks them. */
    public static final class Builder {

        private Builder() {}

        /** Where clients reach it while it is active, as {@code 10.1.2.3:8080}. Default none. */
        public Builder address(String value) {
            return this;
        }

        /** Something more for observers. Default nothing. */
        public Builder metadata(String key, String value) {
            return this;
        }

        /** What makes it active, and how long that may take. Required. */
        public Builder onPromote(StandbyHook hook, Duration budget) {
            return this;
        }

        /**
         * What makes it passive again, and how long that may take. Also called after a promotion that failed or was broken off.
         * Required.
         */
        public Builder onDemote(StandbyHook hook, Duration budget) {
            return this;
        }

        /** Whether it is fit to be active. Default: it always is. */
        public Builder health(HealthCheck check) {
            return this;
        }

        /** How often health is checked, and how long a check may take. Default 1 s and 1 s. */
        public Builder healthEvery(Duration pause, Duration timeout) {
            return this;
        }

        /** So many checks in a row must fail for a healthy node to become unhealthy, or succeed for the opposite. Default 3 and 2. */
        public Builder healthAfter(int failures, int successes) {
            return this;
        }

        /** What stops a former active one that has not gone cleanly, and how long that may take. Required, or {@link #withoutFencer}. */
        public Builder fencer(Fencer fencer, Duration budget) {
            return this;
        }

        /** So many times fencing is tried before another node in line gets its chance. Default 3. */
        public Builder fencingAttempts(int value) {
            return this;
        }

        /**
         * Does without a fencer: a former active one that has not gone cleanly is passed over with a warning.
         *
         * @param reason why that is safe here, as "every write carries the guard"; {@link #describe} and warnings show it
         */
        public Builder withoutFencer(String reason) {
            return this;
        }

        /** How long a hook may take to return once it is interrupted. Default 250 ms. */
        public Builder interruptGrace(Duration value) {
            return this;
        }

        /** What an active one does without contact. Default {@link WhenSuspended#STOP}. */
        public Builder whenSuspended(WhenSuspended value) {
            return this;
        }

        /** What to do about a hook that does not return. Default {@link LastResort#log()}. */
        public Builder lastResort(LastResort value) {
            return this;
        }

        /**
         * Checks and builds; the node does nothing yet.
         *
         * @throws IllegalArgumentException if something is missing, a value makes no sense, or with these timings an old active
         *     one could still run when the next one is promoted; the message says which
         */
        public ActiveStandby build() {
            return new ActiveStandby();
        }

        /** As {@link #build}, and starts it. */
        public ActiveStandby start() {
            return build();
        }
    }
}
