package io.baton.tck.sim.lock;

import io.baton.testkit.sim.Simulation;
import java.util.ArrayList;
import java.util.List;

/**
 * Since when the contact of each session has been undisturbed.
 *
 * <p>A contact is undisturbed from the first look at which all of this holds until the first at which the second part does
 * not: the client's library has contact; and its process runs, and was neither paused nor suspended since the look before;
 * {@link Contact#undisturbed() messages pass}; and no fault without a lasting trace has happened since the look before, nor
 * was another leader elected. So a client that breaks its contact without such a cause remains undisturbed.
 *
 * <p>Wall clocks that are set back disturb nothing, as deadlines rest on monotonic clocks. It looks after the first step in
 * every 50 ms of virtual time, without an event of its own: a run takes the same course with it and without it.
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

    /** One more to look at. */
    void add(Contact contact) {
        contacts.add(new Watched(contact));
    }

    /** For how long the contact of this session has been undisturbed, in nanoseconds; 0 if it is not, or not known. */
    long undisturbedNanos(long session) {
        for (Watched each : contacts) {
            if (each.since != DISTURBED && each.contact.isOf(session)) {
                return sim.now() - each.since;
            }
        }
        return 0;
    }

    /** Runs the check after every look; it must change nothing. */
    void afterEveryLook(Runnable check) {
        looks.add(check);
    }

    /** Looks at once, for what has happened since the last look; the checks are not run. */
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
