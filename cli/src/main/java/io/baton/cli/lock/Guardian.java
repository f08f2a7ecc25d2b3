package io.baton.cli.lock;

import io.baton.Hold;
import io.baton.Subscription;
import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.Report;
import io.baton.cli.Signals.Signal;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for a command to end, and ends it in time if its hold does not last. */
final class Guardian {

    private static final Signal TERM = new Signal("TERM", 15);

    private final Hold hold;
    private final Child child;
    private final Vigil vigil;

    Guardian(Hold hold, Child child, Duration grace) {
        this.hold = hold;
        this.child = child;
        this.vigil = new Vigil(grace);
    }

    /** Returns the exit status for baton once the command has ended. */
    int watch() {
        Thread watcher = Thread.currentThread();
        child.onExit(() -> LockSupport.unpark(watcher));
        try (Subscription wakeUp = hold.onState(state -> LockSupport.unpark(watcher))) {
            while (child.alive()) {
                Duration remaining = hold.remaining();
                act(vigil.look(System.nanoTime(), hold.state(), remaining), remaining);
                LockSupport.parkNanos(wakeUp, vigil.rest(remaining).toNanos());
            }
        }
        // Asked last: a command that ended while this process was frozen may have ended after the hold.
        boolean lost = hold.remaining().isZero();
        if (!lost && !vigil.ending()) {
            return child.status();
        }
        child.kill();
        Report.line("'" + hold.name() + "' was " + (lost ? "lost" : "about to be lost")
                + " while the command ran; the command has been ended");
        return Exit.LOST;
    }

    private void act(Vigil.Act act, Duration remaining) {
        switch (act) {
            case TERM -> {
                Report.line("no contact with the store, '" + hold.name() + "' is ours for "
                        + DurationOption.format(Duration.ofMillis(remaining.toMillis()))
                        + " more: SIGTERM to the command");
                child.signal(TERM);
            }
            case KILL -> child.kill();
            case NOTHING -> {}
        }
    }
}
