package io.baton.tck.sim.lock;

import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An audit finds nothing where no server has forgotten an event: whatever a waiter waits for, it is told of in time.
 *
 * <p>A finding is an entry that a waiter still waits for, and that an audit finds gone. Where events and answers come in one
 * order, each finding fails the run. Elsewhere events may be late, so a finding fails the run only if that entry left the
 * line some time ago, by the store's truth, and the client's contact has been {@link HealthyContact undisturbed} for longer
 * than that. {@link WakeUpBound} does not see a wake-up that was lost in the middle of a line, or that an audit made up for
 * soon enough.
 */
public final class AuditsFindNothing {

    /** What the audits of one session have found. */
    public interface Findings {

        /** The session's number, as the store knows it. */
        long session();

        /** How many findings there were. */
        long count();

        /** The name of the entry that was found to have gone last, as the line's truth has it. */
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
     * Judges what was found whenever contacts are looked at.
     *
     * @param late how much later than an answer an event may come that is sent before it; zero if they come in one order
     * @param undisturbed for how long a contact has to be undisturbed for that
     */
    AuditsFindNothing(Simulation sim, HealthyContact contacts, Duration late, Duration undisturbed) {
        this.sim = sim;
        this.contacts = contacts;
        this.late = late.toNanos();
        this.undisturbed = undisturbed.toNanos();
        sim.afterEveryStep(this::noteRemovals);
        contacts.afterEveryLook(this::check);
    }

    /** One more line in which audits may find nothing; in a line that was not added they may find anything. */
    void judge(LockTruth line) {
        lines.add(new RemovalTimes(line));
    }

    /** One more session. */
    void add(Findings findings) {
        sessions.add(new Audited(findings));
    }

    /** How many findings there were, in all lines. */
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
