package io.baton.election.internal.standby;

import io.baton.election.ActiveStandby;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The present problems of a node, one of each kind. Any thread. */
final class NodeProblems {

    /** The kind of problem. */
    enum Kind {
        /** Fencing, a hook, the breadcrumb. */
        TERM,
        /** The health checks. */
        HEALTH,
        /** A ttl with which the timings cannot work. */
        TIMINGS,
        /** Another candidate of the same id. */
        TWIN
    }

    private static final Logger log = LoggerFactory.getLogger(ActiveStandby.class);

    private final String who;
    private final Runnable changed;
    private final Map<Kind, String> present = new ConcurrentHashMap<>();

    /**
     * Starts without problems.
     *
     * @param who the node, for people
     * @param changed runs on the caller's thread when the problems have changed
     */
    NodeProblems(String who, Runnable changed) {
        this.who = who;
        this.changed = changed;
    }

    /** Notes a problem, and logs it if it is new. */
    void report(Kind kind, String what) {
        if (!what.equals(present.put(kind, what))) {
            log.warn("{}: {}", who, what);
            changed.run();
        }
    }

    void resolved(Kind kind) {
        if (present.remove(kind) != null) {
            changed.run();
        }
    }

    /** Returns all problems, for people. */
    Optional<String> text() {
        String all = Arrays.stream(Kind.values())
                .map(present::get)
                .filter(Objects::nonNull)
                .collect(Collectors.joining("; "));
        return all.isEmpty() ? Optional.empty() : Optional.of(all);
    }
}
