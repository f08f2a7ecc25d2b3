package io.baton.cli.run;

import io.baton.HoldState;
import io.baton.Subscription;
import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.Report;
import io.baton.cli.run.Watchdog.Exited;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a command to end, sends its watchdog the mandate's deadlines, and ends the command if the mandate does not
 * last.
 */
final class CommandSupervisor {

    private static final long MILLI = 1_000_000;
    /** The watchdog gets a new deadline at most this often during the time that was left at first. */
    private static final int LOOKS = 20;
    /**
     * How long the watchdog may take to send SIGKILL; longer on a machine on which this process is rarely scheduled,
     * too.
     */
    private static final long OVERDUE = Duration.ofSeconds(1).toNanos();

    private static final int OVERDUE_LOOKS = 40;

    /** How many times as long it may be silent once it sends SIGKILL, which it does again and says again. */
    private static final int PATIENCE = 3;

    /** How often to look for what could not be ended. */
    private static final long SURVIVOR_NANOS = Duration.ofMillis(50).toNanos();

    /** How long after SIGKILL what survives it gets another one. */
    private static final long AGAIN_NANOS = Duration.ofSeconds(1).toNanos();

    private final Mandate mandate;
    private final Watchdog watchdog;
    private final Duration grace;
    private final KillSchedule schedule;
    private final String token;
    private long look;
    private long told;
    private long killAsked;
    private long lastHeard;
    private int looksSince;
    private @Nullable Long survivesSince;
    private boolean reported;

    CommandSupervisor(Mandate mandate, Watchdog watchdog, Duration grace) {
        this.mandate = mandate;
        this.watchdog = watchdog;
        this.grace = grace;
        this.schedule = new KillSchedule(grace);
        this.token = mandate.token();
    }

    /** Starts the command. */
    void start() {
        // The clock is read first: a pause between the two must make the deadline earlier, not later.
        long now = System.nanoTime();
        Duration remaining = mandate.remaining();
        look = Math.max(MILLI, remaining.toNanos() / LOOKS);
        told = now + remaining.toNanos();
        watchdog.run(token, told);
    }

    /** Returns how the command ended. */
    Ending watch() {
        Thread watcher = Thread.currentThread();
        CompletableFuture<Void> unused = watchdog.exited().handle((exited, failed) -> {
            LockSupport.unpark(watcher);
            return null;
        });
        try (Subscription wakeUp = mandate.onChange(() -> LockSupport.unpark(watcher))) {
            while (!watchdog.exited().isDone()) {
                long now = System.nanoTime();
                Duration remaining = mandate.remaining();
                sendDeadline(now + remaining.toNanos());
                act(nextAct(now, remaining), now, remaining);
                OptionalLong stuck = watchdog.stuck();
                if (stuck.isPresent() && outlives(stuck.getAsLong(), now, remaining)) {
                    return mayRunOn(stuck.getAsLong());
                }
                LockSupport.parkNanos(
                        wakeUp,
                        Math.min(look, schedule.untilNextChange(remaining).toNanos()));
            }
        }
        return ended();
    }

    private KillSchedule.Act nextAct(long now, Duration remaining) {
        KillSchedule.Act act = schedule.nextAct(now, mandate.state(), remaining);
        boolean recalled = act == KillSchedule.Act.NOTHING && mandate.recall().isPresent();
        return recalled ? schedule.recalled(now) : act;
    }

    private void sendDeadline(long deadline) {
        // A deadline that was sent to end the command stays.
        if (!schedule.isDone() && Math.abs(deadline - told) > MILLI) {
            told = deadline;
            watchdog.deadline(deadline);
        }
    }

    private void act(KillSchedule.Act act, long now, Duration remaining) {
        switch (act) {
            case TERM -> {
                watchdog.end();
                Report.lineAside(why(remaining) + ": SIGTERM to the command");
            }
            case KILL -> {
                watchdog.deadline(now);
                killAsked = now;
            }
            case NOTHING -> {
                if (schedule.isDone()) {
                    overdue(now);
                }
            }
        }
    }

    private void overdue(long now) {
        OptionalLong word = watchdog.killing();
        long heard = word.orElse(killAsked);
        looksSince = heard == lastHeard ? looksSince + 1 : 0;
        lastHeard = heard;
        int patience = word.isPresent() ? PATIENCE : 1;
        if (looksSince > patience * OVERDUE_LOOKS && now - heard > patience * OVERDUE) {
            // The watchdog was frozen. Without it, baton ends the command itself.
            watchdog.kill();
        }
    }

    /**
     * Handles a process of the command that SIGKILL did not end. It is reported once, after a moment: on a busy machine
     * it may end yet.
     *
     * @return whether it runs on after the mandate, so that waiting for it helps no more
     */
    private boolean outlives(long process, long now, Duration remaining) {
        if (survivesSince == null) {
            survivesSince = now;
        }
        if (now - survivesSince < OVERDUE) {
            return false;
        }
        if (!remaining.isZero() && !reported) {
            reported = true;
            Report.lineAside(
                    "cannot end process " + process + ", which belongs to another user, or waits for a device; '"
                            + mandate.name() + "' is kept until it ends");
        }
        return remaining.isZero();
    }

    private String why(Duration remaining) {
        if (handingOver()) {
            return "'" + mandate.name() + "' is being " + mandate.recall().orElseThrow();
        }
        return "no contact with the store, '" + mandate.name() + "' is ours for "
                + DurationOption.format(Duration.ofMillis(remaining.toMillis())) + " more";
    }

    /** Whether the mandate is given back although it lasts. */
    private boolean handingOver() {
        return mandate.state() == HoldState.HELD && mandate.recall().isPresent();
    }

    private Ending ended() {
        Exited exited;
        try {
            exited = watchdog.exited().join();
        } catch (CompletionException failed) {
            return unguarded(failed);
        }
        // Read last: a command that ended while this process was frozen may have ended after the mandate.
        boolean lost = mandate.remaining().isZero();
        if (!lost && !schedule.ending() && !exited.forced()) {
            return Ending.commandEnded(exited.status(), token);
        }
        if (lost) {
            // Ends any processes that the command has left running.
            watchdog.deadline(System.nanoTime());
        }
        String how =
                lost ? mandate.lossReason().orElse("lost") : mandate.recall().orElse("about to be lost");
        String message = "'" + mandate.name() + "' was " + how + " while the command ran; the command has been ended";
        return lost || !handingOver()
                ? Ending.lost(exited.status(), token, message)
                : Ending.handedOver(exited.status(), token, message);
    }

    private Ending mayRunOn(long process) {
        String how = mandate.lossReason().orElse("lost");
        return Ending.mayRunOn(
                token,
                "'" + mandate.name() + "' was " + how + " while the command ran; its process " + process
                        + " could not be ended, and may still be running");
    }

    private Ending unguarded(CompletionException failed) {
        if (failed.getCause() instanceof Failure failure && failure.status() != Exit.CANNOT_GUARD) {
            throw failure.status() == Exit.LOST
                    ? new Failure(Exit.LOST, "'" + mandate.name() + "' was " + Failure.text(failure))
                    : failure;
        }
        Duration patience = mandate.remaining().minus(schedule.lead());
        Abandoned abandoned = watchdog.abandoned();
        abandoned.end(patience.compareTo(grace) < 0 ? patience : grace);
        long killed = System.nanoTime();
        for (OptionalLong left = abandoned.survivor(); left.isPresent(); left = abandoned.survivor()) {
            if (outlives(left.getAsLong(), System.nanoTime(), mandate.remaining())) {
                return mayRunOn(left.getAsLong());
            }
            if (System.nanoTime() - killed > AGAIN_NANOS) {
                abandoned.kill();
                killed = System.nanoTime();
            }
            LockSupport.parkNanos(SURVIVOR_NANOS);
        }
        throw new Failure(
                Exit.CANNOT_GUARD, "the watchdog was killed while the command ran; the command has been ended");
    }
}
