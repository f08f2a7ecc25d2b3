package io.baton.tck.sim.lock;

import io.baton.testkit.sim.Simulation;
import java.util.ArrayList;
import java.util.List;

/**
 * Tracks since when the contact of each session has been undisturbed.
 *
 * <p>A contact becomes undisturbed at the first look with all of these conditions, and stays so while all but the first
 * hold:
 * <ul>
 * <li>The client's library has contact.
 * <li>Its process runs, and was neither paused nor suspended since the last look.
 * <li>{@link Contact#undisturbed() Messages pass}.
 * <li>No fault without a lasting trace and no election of a leader has happened since the last look.
 * </ul> So a client that breaks its contact without such a cause remains undisturbed.
 *
 * <p>Wall clocks that are set back disturb nothing, as deadlines rest on monotonic clocks. It looks after the first
 * step in every 50 ms of virtual time. It adds no events, so it does not change the course of a run.
 */
final class HealthyContact {

    private static final long EVERY_NANOS = 50_000_000;
    private static final long DISTURBED = -1;

    private final Simulation sim;
    private final List<Watched> contacts = new ArrayList<>();
    private final List<Runnable> looks = new ArrayList<>();
    private long next;

    /** Looks from now on. */
    HealthyContact(Simulation sim) {
        this.sim = sim;
        sim.afterEveryStep(this::lookNowAndThen);
    }

    private static final class Watched {
        final Contact contact;
        long since = DISTURBED;
        long pauses;
        long disturbances;

        Watched(Contact contact) {
            this.contact = contact;
        }

        void look(long now) {
            long pausesBefore = pauses;
            long disturbancesBefore = disturbances;
            pauses = contact.process().pauses();
            disturbances = contact.disturbances();
            boolean still = pauses == pausesBefore && disturbances == disturbancesBefore;
            if (!still || contact.process().paused() || !contact.undisturbed()) {
                since = DISTURBED;
            } else if (since == DISTURBED && contact.inContact()) {
                since = now;
            }
        }
    }

    /** Adds a contact. */
    void add(Contact contact) {
        contacts.add(new Watched(contact));
    }

    /** How long the contact of this session has been undisturbed, in nanoseconds; 0 if it is disturbed or unknown. */
    long undisturbedNanos(long session) {
        for (Watched each : contacts) {
            if (each.since != DISTURBED && each.contact.isOf(session)) {
                return sim.now() - each.since;
            }
        }
        return 0;
    }

    /** Runs the check after every look. The check must change nothing. */
    void afterEveryLook(Runnable check) {
        looks.add(check);
    }

    /** Looks at once, for events since the last look; does not run the checks. */
    void look() {
        contacts.removeIf(
                each -> each.contact.closed() || each.contact.process().dead());
        for (Watched each : contacts) {
            each.look(sim.now());
        }
    }

    private void lookNowAndThen() {
        if (sim.now() < next) {
            return;
        }
        next = sim.now() + EVERY_NANOS;
        look();
        for (Runnable look : looks) {
            look.run();
        }
    }
}
