package io.baton.election.internal.standby;

import io.baton.election.ActiveStandby;
import io.baton.election.internal.line.ElectionLine;
import io.baton.recipe.Texts;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The present problems of a node, one of each kind. All but those of its health checks are also troubles of the
 * coordinator: a health check may ask for these. Any thread.
 */
final class NodeProblems {

    /** The kind of problem. */
    enum Kind {
        /** Fencing, a hook, the breadcrumb. */
        TERM("has trouble in its term"),
        /** The health checks. */
        HEALTH("is not healthy"),
        /** A ttl with which the timings cannot work. */
        TIMINGS("cannot stand for election"),
        /** Another candidate of the same id. */
        TWIN("is not the only candidate of its id");

        private final String what;

        Kind(String what) {
            this.what = what;
        }
    }

    private static final Logger log = LoggerFactory.getLogger(ActiveStandby.class);

    private final String who;
    private final ElectionLine line;
    private final Runnable changed;
    private final Map<Kind, String> present = new ConcurrentHashMap<>();

    /**
     * Starts without problems.
     *
     * @param who the node, for people
     * @param line its coordinator receives the troubles
     * @param changed runs on the caller's thread when the problems have changed
     */
    NodeProblems(String who, ElectionLine line, Runnable changed) {
        this.who = who;
        this.line = line;
        this.changed = changed;
    }

    /**
     * Notes a problem, or that it goes on. The text is cut: a hook may throw a whole response body, and problems are
     * written into records and entries.
     */
    void report(Kind kind, String text) {
        String what = Texts.shortened(text);
        boolean isNew = !what.equals(present.put(kind, what));
        if (kind != Kind.HEALTH) {
            line.reportTrouble(trouble(kind), what);
        } else if (isNew) {
            log.warn("{}: {}", who, what);
        }
        if (isNew) {
            changed.run();
        }
    }

    void resolved(Kind kind) {
        if (present.remove(kind) != null) {
            line.resolveTrouble(trouble(kind));
            changed.run();
        }
    }

    /** Ends the coordinator's troubles, as the node is closed. Its own text remains. */
    void end() {
        present.keySet().forEach(kind -> line.resolveTrouble(trouble(kind)));
    }

    private String trouble(Kind kind) {
        return who + " " + kind.what;
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
