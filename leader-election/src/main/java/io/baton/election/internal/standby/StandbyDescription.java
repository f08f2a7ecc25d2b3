package io.baton.election.internal.standby;

import io.baton.election.WhenSuspended;
import io.baton.recipe.Texts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A description of a node's configuration and its consequences. */
public final class StandbyDescription {

    private final StandbySetup setup;
    private final StandbyTimings timings;
    private final Duration ttl;
    private final Duration expiryLag;

    public StandbyDescription(StandbySetup setup, Duration ttl, Duration expiryLag) {
        this.setup = setup;
        this.timings = setup.timings();
        this.ttl = ttl;
        this.expiryLag = expiryLag;
    }

    /** Returns the longest time from the active node's silence until another node is active. */
    Duration silent() {
        return ttl.plus(expiryLag).plus(timings.fence()).plus(timings.promote());
    }

    /** Returns the longest time from the active node's failing health until another node is active. */
    Duration unhealthy() {
        HealthRules rules = setup.health();
        Duration detection = rules == null ? Duration.ZERO : rules.detection();
        return detection.plus(timings.stop()).plus(timings.promote());
    }

    /** Returns the longest time from a close until another node is active. */
    Duration closed() {
        return timings.stop().plus(timings.promote());
    }

    public String text() {
        List<String> lines = new ArrayList<>();
        lines.add("node '" + setup.id() + "' of '" + setup.name() + "'"
                + (setup.address().isEmpty() ? "" : ", at " + setup.address()));
        lines.add("  session    ttl " + Texts.of(ttl) + "; a silent node's entry goes after that and up to "
                + Texts.of(expiryLag) + " more, which is how finely the servers look");
        lines.add("  hooks      promotion " + Texts.of(timings.promote()) + ", demotion " + Texts.of(timings.demote())
                + "; then interrupted, with " + Texts.of(timings.grace()) + " to return");
        lines.add("  stopping   takes " + timings.stopText()
                + " at most, and begins while the node is certain to lead for so long");
        lines.add("  contact    "
                + (setup.whenSuspended() == WhenSuspended.STOP
                        ? "lost: stops at once"
                        : "lost: goes on until only that is left"));
        lines.add("  health     " + health());
        lines.add("  fencing    " + fencing());
        lines.add(
                "  worst case until another node is active, if one stands in line, fencing succeeds at once, and servers"
                        + " are well:");
        lines.add("    killed, frozen or cut off: " + Texts.of(silent()) + " = detection and expiry "
                + Texts.of(ttl.plus(expiryLag))
                + (setup.fencer() == null ? "" : " + fencing " + Texts.of(timings.fence()))
                + " + promotion " + Texts.of(timings.promote()));
        HealthRules rules = setup.health();
        if (rules != null) {
            lines.add("    unhealthy: " + Texts.of(unhealthy()) + " = detection " + Texts.of(rules.detection())
                    + " + demotion " + Texts.of(timings.stop()) + " + promotion " + Texts.of(timings.promote()));
        }
        lines.add("    closed: " + Texts.of(closed()) + " = demotion " + Texts.of(timings.stop()) + " + promotion "
                + Texts.of(timings.promote()));
        lines.add(
                "    each and a few round trips to the store. A new leader among the servers begins expiry anew: up to "
                        + Texts.of(ttl.plus(expiryLag)) + " more, and the time they took to elect it");
        return String.join("\n", lines);
    }

    private String health() {
        HealthRules rules = setup.health();
        if (rules == null) {
            return "not checked: this node counts as healthy";
        }
        return "every " + Texts.of(rules.every()) + ", within " + Texts.of(rules.timeout()) + "; unhealthy after "
                + rules.failures() + " in a row, healthy after " + rules.successes();
    }

    private String fencing() {
        if (setup.fencer() == null) {
            return "none (" + setup.unfenced()
                    + "): a former active one that was frozen may go on for a moment when it wakes,"
                    + " and only writes with the guard or the term are refused then; one whose hook does not stop goes on"
                    + " beside the next, unless the last resort ends it";
        }
        return "of a former active one that has not gone cleanly, within " + Texts.of(timings.fence()) + "; after "
                + timings.fencingAttempts() + " failures another node gets its chance";
    }
}
