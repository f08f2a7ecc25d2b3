package io.baton.testkit.sim;

import io.baton.Coordinator;
import io.baton.SessionState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks at the end of a run that no coordinator of a living process keeps more than it may, or reports trouble. For a
 * closed coordinator, the check skips trouble and the last session, which is no longer in use.
 */
public final class NothingLeft {

    private static final int LOOKS = 3;

    /** Still reported for a while after the last of many breaks. */
    private static final String MAY_GO_ON = "Contact breaks again and again";

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    private final Simulation sim;
    private final Map<String, Integer> bounds;
    private final Map<String, Integer> withoutSession;
    private final List<Part> parts = new ArrayList<>();

    private record Part(SimProcess process, Coordinator coordinator) {}

    /**
     * Starts without coordinators.
     *
     * @param session the simple name of the class of the store's sessions
     * @param bounds those of {@link Leftovers#of}
     */
    public NothingLeft(Simulation sim, String session, Map<String, Integer> bounds) {
        this.sim = sim;
        this.bounds = new HashMap<>(bounds);
        this.bounds.put("Troubles", 0); // checked through trouble()
        this.withoutSession = new HashMap<>(this.bounds);
        withoutSession.put(session, 0);
    }

    /** Adds a coordinator of this process to the check. */
    public void add(SimProcess process, Coordinator coordinator) {
        parts.add(new Part(process, coordinator));
    }

    /**
     * Checks all coordinators once every process has stopped and settled. Looks again later, as a periodic request may
     * be under way.
     */
    public void checkEnd() {
        for (Part part : parts) {
            List<String> left = left(part);
            for (int look = 1; look < LOOKS && !left.isEmpty(); look++) {
                sim.runFor(BETWEEN_LOOKS);
                left = left(part);
            }
            sim.check(left.isEmpty(), part.process.name() + "'s coordinator still keeps " + left);
        }
    }

    private List<String> left(Part part) {
        if (part.process.dead()) {
            return List.of();
        }
        boolean closed = part.coordinator.state() == SessionState.CLOSED;
        List<String> left = new ArrayList<>(Leftovers.of(part.coordinator, closed ? withoutSession : bounds));
        if (!closed) {
            part.coordinator.trouble().stream()
                    .filter(trouble -> !trouble.what().startsWith(MAY_GO_ON))
                    .forEach(trouble -> left.add("trouble: " + trouble));
        }
        return left;
    }
}
