package io.baton.jdbc;

import io.baton.spi.kernel.StepWire.Events;
import io.baton.spi.support.RepeatedRefusal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tells of overdue sessions that could not be ended several times, until none of them is overdue. On the loop. */
final class OverdueSessions {

    private static final String WHAT = "Cannot end a session that is overdue";

    private final Events to;
    private final Map<String, Integer> failures = new HashMap<>();

    OverdueSessions(Events to) {
        this.to = to;
    }

    /** A session could not be ended once more. */
    void failed(String session, String why) {
        if (failures.merge(session, 1, Integer::sum) >= RepeatedRefusal.MANY) {
            to.troubled(WHAT, session + ": " + why);
        }
    }

    /** A look has found these. */
    void found(List<String> overdue) {
        boolean told = isTroubled();
        if (overdue.size() < Sql.MOST_OVERDUE) { // these are all
            failures.keySet().retainAll(overdue);
        }
        if (told && !isTroubled()) {
            to.resolved(WHAT);
        }
    }

    private boolean isTroubled() {
        return failures.values().stream().anyMatch(count -> count >= RepeatedRefusal.MANY);
    }
}
