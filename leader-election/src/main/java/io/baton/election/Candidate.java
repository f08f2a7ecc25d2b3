package io.baton.election;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** A candidate for an election, with its options as leader. Immutable. */
public final class Candidate {

    /** The most bytes that an id or an address may have, in UTF-8. */
    public static final int MAX_TEXT_BYTES = 512;

    /** The most bytes that the metadata may have in UTF-8, keys and values together. */
    public static final int MAX_METADATA_BYTES = 8192;

    private final String id;
    private final String address;
    private final Map<String, String> metadata;
    private final WhenSuspended whenSuspended;
    private final Duration stopTimeout;
    private final LastResort lastResort;
    private final int priority;
    private final Duration priorityDelay;
    private final BooleanSupplier ready;

    private Candidate(Builder b) {
        id = b.id;
        address = b.address;
        metadata = Map.copyOf(b.metadata);
        whenSuspended = b.whenSuspended;
        stopTimeout = b.stopTimeout;
        lastResort = b.lastResort;
        priority = b.priority;
        priorityDelay = b.priorityDelay;
        ready = b.ready;
    }

    /** A candidate with nothing but an id. */
    public static Candidate of(String id) {
        return builder(id).build();
    }

    /** Returns a builder for this id, which must be different for each candidate of an election. */
    public static Builder builder(String id) {
        return new Builder(id);
    }

    /** The candidate's id, visible to all observers of the election. */
    public String id() {
        return id;
    }

    /** Where clients reach it while it leads; empty if it is not to be reached. */
    public String address() {
        return address;
    }

    /** Further data for observers; may be empty. */
    public Map<String, String> metadata() {
        return metadata;
    }

    /** What it does as leader when there is no contact with the store. */
    public WhenSuspended whenSuspended() {
        return whenSuspended;
    }

    /** How long its work may take to stop. */
    public Duration stopTimeout() {
        return stopTimeout;
    }

    /** What is done about work that does not stop in time. */
    public LastResort lastResort() {
        return lastResort;
    }

    /** The candidate's priority, at least 0. */
    public int priority() {
        return priority;
    }

    /** How long it stands behind a leader of smaller priority before it asks for the leadership. */
    public Duration priorityDelay() {
        return priorityDelay;
    }

    /** Whether it would lead if the leadership were handed over to it. */
    public BooleanSupplier ready() {
        return ready;
    }

    @Override
    public String toString() {
        return "candidate '" + id + "'";
    }

    /** Collects options; {@link #build} checks them. */
    public static final class Builder {

        private final String id;
        private String address = "";
        private final Map<String, String> metadata = new TreeMap<>();
        private WhenSuspended whenSuspended = WhenSuspended.STOP;
        private Duration stopTimeout = Duration.ofSeconds(2);
        private LastResort lastResort = LastResort.log();
        private int priority;
        private Duration priorityDelay = Duration.ofSeconds(10);
        private BooleanSupplier ready = () -> true;

        private Builder(String id) {
            this.id = id;
        }

        /** Where clients reach it, as {@code 10.1.2.3:8080}. Default none. */
        public Builder address(String value) {
            address = value;
            return this;
        }

        /** Adds an entry to the data for observers. Default none. */
        public Builder metadata(String key, String value) {
            metadata.put(key, value);
            return this;
        }

        /** What to do without contact. Default {@link WhenSuspended#STOP}. */
        public Builder whenSuspended(WhenSuspended value) {
            whenSuspended = value;
            return this;
        }

        /** How long the work may take to stop. Default 2 s. */
        public Builder stopTimeout(Duration value) {
            stopTimeout = value;
            return this;
        }

        /** What to do when the work does not stop in time. Default {@link LastResort#log()}. */
        public Builder lastResort(LastResort value) {
            lastResort = value;
            return this;
        }

        /**
         * The candidate's priority. Once it has stood for the {@link #priorityDelay} behind a leader of smaller
         * priority, it requests a hand-over, and repeats a refused request after a while. It requests none while an
         * operator's hand-over has {@linkplain LeaderElection#handOver(String, Duration) pinned} the leader. Among
         * equals the order of the line decides. Default 0, which never requests one.
         */
        public Builder priority(int value) {
            priority = value;
            return this;
        }

        /** How long to stand behind a leader of smaller priority before asking. Default 10 s. */
        public Builder priorityDelay(Duration value) {
            priorityDelay = value;
            return this;
        }

        /**
         * Called before a leadership is handed over to this candidate, where the coordinator's callbacks run. False, or
         * an exception, refuses the hand-over. One call runs at a time: while it has not returned, further hand-overs
         * are refused. It is not called if the line makes this candidate the first. Default always true.
         */
        public Builder ready(BooleanSupplier value) {
            ready = value;
            return this;
        }

        /**
         * Checks and builds.
         *
         * @throws IllegalArgumentException if a value makes no sense; the message names it
         */
        public Candidate build() {
            if (id.isBlank()) {
                throw new IllegalArgumentException("a candidate's id must not be empty");
            }
            text("id", id);
            text("address", address);
            duration("stopTimeout", stopTimeout);
            duration("priorityDelay", priorityDelay);
            if (priority < 0) {
                throw new IllegalArgumentException("priority must be at least 0, not " + priority);
            }
            int size = 0;
            for (Map.Entry<String, String> one : metadata.entrySet()) {
                if (one.getKey().isEmpty()) {
                    throw new IllegalArgumentException("a key of the metadata must not be empty");
                }
                size += bytes(one.getKey()) + bytes(one.getValue());
            }
            if (size > MAX_METADATA_BYTES) {
                throw new IllegalArgumentException(
                        "metadata may have " + MAX_METADATA_BYTES + " bytes in all, keys and values; this has " + size);
            }
            return new Candidate(this);
        }

        private static void duration(String name, Duration value) {
            if (value.isZero() || value.isNegative() || value.compareTo(Duration.ofDays(1)) > 0) {
                throw new IllegalArgumentException(name + " must be positive and at most a day, not " + value);
            }
        }

        private static void text(String name, String value) {
            if (bytes(value) > MAX_TEXT_BYTES || value.chars().anyMatch(Character::isISOControl)) {
                throw new IllegalArgumentException(
                        name + " may have " + MAX_TEXT_BYTES + " bytes and no control characters");
            }
        }

        private static int bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8).length;
        }
    }
}
