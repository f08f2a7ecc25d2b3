package io.baton.tck.sim.lock;

import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks that an audit finds nothing where no server has forgotten an event: each waiter receives its events in time.
 *
 * <p>A finding is an entry that a waiter still waits for, and that an audit finds gone. Where events and answers come
 * in one order, each finding fails the run. Elsewhere events may be late. A finding then fails the run only if the
 * entry left the line some time ago, by the store's truth. The client's contact must have been
 * {@link HealthyContact undisturbed} for longer than that. {@link WakeUpBound} does not detect a wake-up that was lost
 * in the middle of a line, or that an audit made up for soon enough.
 */
public final class AuditsFindNothing {

    /** The findings of one session's audits. */
    public interface Findings {

        /** The session's id in the store. */
        long session();

        /** The number of findings. */
        long count();

        /** The name of the entry in the last finding, as in the line's truth. */
        String newest();
    }

    private static final class Audited {
        final Findings findings;
        long seen;

        Audited(Findings findings) {
            this.findings = findings;
        }
    }

    private final Simulation sim;
    private final HealthyContact contacts;
    private final long late;
    private final long undisturbed;
    private final List<RemovalTimes> lines = new ArrayList<>();
    private final List<Audited> sessions = new ArrayList<>();
    private long count;

    /**
     * Judges findings whenever contacts are checked.
     *
     * @param late how much later than an answer an event may come that is sent before it; zero if they come in one
     *     order
     * @param undisturbed how long a contact has to be undisturbed for that
     */
    AuditsFindNothing(Simulation sim, HealthyContact contacts, Duration late, Duration undisturbed) {
        this.sim = sim;
        this.contacts = contacts;
        this.late = late.toNanos();
        this.undisturbed = undisturbed.toNanos();
        sim.afterEveryStep(this::noteRemovals);
        contacts.afterEveryLook(this::check);
    }

    /** Adds a line in which audits may find nothing; lines that were not added are not judged. */
    void judge(LockTruth line) {
        lines.add(new RemovalTimes(line));
    }

    /** Adds a session. */
    void add(Findings findings) {
        sessions.add(new Audited(findings));
    }

    /** The number of findings in all lines. */
    long count() {
        return count;
    }

    private void noteRemovals() {
        for (RemovalTimes line : lines) {
            line.look(sim.now());
        }
    }

    private void check() {
        for (Audited each : sessions) {
            long found = each.findings.count();
            if (found != each.seen) {
                count += found - each.seen;
                each.seen = found;
                judge(each.findings);
            }
        }
    }

    private void judge(Findings findings) {
        String name = findings.newest();
        long healthy = contacts.undisturbedNanos(findings.session());
        for (RemovalTimes line : lines) {
            long age = line.age(name, sim.now());
            sim.check(
                    age <= late || healthy < undisturbed,
                    () -> "an audit has found that " + name + " has gone, " + age / 1_000_000
                            + " ms after that, and its waiter was not told, in undisturbed contact for "
                            + healthy / 1_000_000 + " ms");
        }
    }
}
