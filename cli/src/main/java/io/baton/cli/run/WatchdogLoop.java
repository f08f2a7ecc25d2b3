package io.baton.cli.run;

import io.baton.HoldState;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.Report;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The loop of the watchdog process. It starts the command on baton's message, and ends it in time by the last deadline
 * from baton. Deadlines are times of the monotonic clock, which all processes of a machine share. So the delay of a
 * message does not matter.
 */
final class WatchdogLoop {

    /** The message for baton's end, or the end of its connection. */
    static final String GONE = "gone";

    private static final String TERM = "TERM";

    /** The status of a command that HUP, INT or TERM has ended, or of a shell whose last command has ended so. */
    private static final Set<Integer> ENDED_BY_SIGNAL = Set.of(129, 130, 143);

    /** How late after the end of the command a signal may be passed on that was sent before it. */
    private static final long SIGNAL_NANOS = Duration.ofMillis(300).toNanos();

    /** How long after SIGKILL what survives it gets another one. */
    private static final long AGAIN_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long IDLE_NANOS = Duration.ofMinutes(1).toNanos();

    /** How often to look for what the command has left running. */
    private static final long LOOK_NANOS = Duration.ofMillis(50).toNanos();

    private final LineChannel channel;
    private final LinkedBlockingQueue<String> inbox;
    private final Duration grace;
    private final List<String> command;
    private final StatusFile statusFile;
    private final Killer killer;
    private final boolean inner;
    private final KillSchedule schedule;

    private @Nullable Child child;
    private String token = "";
    private long deadline;
    private boolean signalled;

    /** The command has ended, and something that it started has not and is waited for. */
    private boolean left;

    private long endedAt;
    private boolean reported;

    /** The end of the command was reported to baton. */
    private boolean over;

    /** When SIGKILL is due, if {@link #ending} says so. */
    private long killAt;

    private boolean ending;

    private boolean killed;

    /**
     * A loop that waits for baton's messages.
     *
     * @param inner whether baton belongs to the command of another baton
     */
    WatchdogLoop(
            LineChannel channel,
            LinkedBlockingQueue<String> inbox,
            Duration grace,
            List<String> command,
            StatusFile statusFile,
            Killer killer,
            boolean inner) {
        this.channel = channel;
        this.inbox = inbox;
        this.grace = grace;
        this.command = command;
        this.statusFile = statusFile;
        this.killer = killer;
        this.inner = inner;
        this.schedule = new KillSchedule(grace);
    }

    void run() throws InterruptedException {
        send("ready " + System.nanoTime());
        while (true) {
            String message = inbox.poll(pollNanos(), TimeUnit.NANOSECONDS);
            if (message != null) {
                String[] words = message.split(" ", 3);
                switch (words[0]) {
                    case "start" -> start(Long.parseLong(words[1]), words[2]);
                    case "deadline" -> deadline = Long.parseLong(words[1]);
                    case "signal" -> signal(words[1]);
                    case "end" -> end();
                    case "exited" -> exited();
                    case "done" -> {
                        done();
                        return;
                    }
                    case GONE -> {
                        orphaned();
                        return;
                    }
                    default -> throw new IllegalStateException(message);
                }
            }
            guard();
            if (left && inbox.isEmpty()) {
                exited();
            }
        }
    }

    private void start(long until, String forToken) {
        token = forToken;
        deadline = until;
        if (schedule.nextAct(System.nanoTime(), HoldState.HELD, remaining()) == KillSchedule.Act.KILL) {
            send("refused " + Exit.LOST + " lost before the command could be started");
            return;
        }
        try {
            Child started = Child.start(command, Map.of("BATON_FENCING_TOKEN", token), killer);
            child = started;
            send("started " + started.pid());
            started.onExit(() -> inbox.add("exited"));
        } catch (Failure refused) {
            send("refused " + refused.status() + " " + Failure.text(refused));
        }
    }

    private void signal(String name) {
        if (child == null || over) {
            return;
        }
        if (left && signalled) {
            endRest(child);
        } else {
            signalled = true;
            child.signal(name);
        }
    }

    /** Sends SIGTERM, as the mandate ends. What a command that has ended has left running is killed after the grace. */
    private void term() {
        signalled |= left;
        signal(TERM);
    }

    /** Ends what the command has left running, which may ignore the signal that the command had. */
    private void endRest(Child rest) {
        rest.signal(TERM);
        if (!ending) {
            ending = true;
            killAt = System.nanoTime() + grace.toNanos();
        }
    }

    private void end() {
        if (!schedule.ending()) {
            schedule.asked();
            term();
        }
    }

    private void guard() {
        if (child == null) {
            return;
        }
        switch (schedule.nextAct(System.nanoTime(), HoldState.HELD, remaining())) {
            case TERM -> term();
            case KILL -> kill(child);
            case NOTHING -> {
                if (ending && System.nanoTime() - killAt >= 0) {
                    kill(child);
                }
            }
        }
    }

    /**
     * Kills the command and the rest of it, and reports what survives that, again and again. Baton takes a watchdog for
     * frozen that neither ends the command nor reports.
     */
    private void kill(Child victim) {
        send("killing");
        OptionalLong survivor = victim.kill();
        survivor.ifPresent(process -> send("stuck " + process));
        killed = true;
        ending = survivor.isPresent();
        killAt = System.nanoTime() + AGAIN_NANOS;
    }

    /** Whether anything of the command runs. What SIGKILL has ended as a whole starts nothing more. */
    private boolean anyAlive(Child whole) {
        return !(killed && !ending) && whole.anyAlive();
    }

    /**
     * Handles the end of the command. If it was asked to end, its descendants end with it; what cannot be ended is
     * waited for. If it was sent a signal, they were as well, and may need longer.
     *
     * <p>A service manager sends a signal to all processes at once. The command may then end before baton has passed it
     * on, with the status for that signal or with another one. The status alone is no order to wait: a shell has
     * it too if it ended one of its own processes.
     */
    private void exited() {
        Child ended = running();
        if (!left) {
            endedAt = System.nanoTime();
            if (schedule.ending() && !killed) {
                kill(ended);
            }
        }
        boolean waits = signalled || schedule.ending() || System.nanoTime() - endedAt < signalNanos(ended);
        left = waits && anyAlive(ended);
        if (!left) {
            over = true;
            send("exited " + ended.status() + " " + schedule.ending());
        } else if (signalled && !schedule.ending() && !ending && !reported) {
            reported = true;
            Report.lineAside(
                    "the command has ended, and what it started has not: waiting for that; another signal ends it");
        }
    }

    /** How long after its end a signal may arrive that has ended the command. */
    private long signalNanos(Child ended) {
        return ENDED_BY_SIGNAL.contains(ended.status()) ? Math.max(grace.toNanos(), SIGNAL_NANOS) : SIGNAL_NANOS;
    }

    /** Handles baton's last message. It comes behind the end of the command, unless something fails in baton. */
    private void done() {
        if (child != null && (left || child.alive())) {
            child.kill();
        }
    }

    /**
     * Handles the end of baton. The hold is no longer renewed; it lasts until the last deadline, and the command must
     * end before. An inner baton may have been killed because the outer hold ends, so its command gets no grace.
     */
    private void orphaned() throws InterruptedException {
        if (child != null) {
            waitForEnd(child);
        }
        OptionalInt status = child == null ? OptionalInt.empty() : child.ended();
        statusFile.write(Ending.batonDied(token, status));
    }

    private void waitForEnd(Child orphan) throws InterruptedException {
        Report.lineAside("baton itself has ended: the command is being ended");
        if (!inner) {
            end();
            waitForAll(orphan);
        }
        orphan.kill();
        orphan.waitFor(IDLE_NANOS);
        Report.flush();
    }

    private void waitForAll(Child orphan) throws InterruptedException {
        long patience =
                Math.min(grace.toNanos(), remaining().minus(schedule.lead()).toNanos());
        if (orphan.alive() || left) {
            orphan.waitForAll(Math.max(0, patience));
        }
    }

    private Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
    }

    private long pollNanos() {
        long change = child == null || schedule.isDone()
                ? IDLE_NANOS
                : schedule.untilNextChange(remaining()).toNanos();
        long look = left ? LOOK_NANOS : ending ? AGAIN_NANOS : IDLE_NANOS;
        return Math.min(look, change);
    }

    private Child running() {
        if (child == null) {
            throw new IllegalStateException("nothing runs");
        }
        return child;
    }

    private void send(String line) {
        try {
            channel.send(line);
        } catch (IOException batonHasGone) {
            // The reader sees it as well and handles it.
        }
    }
}
