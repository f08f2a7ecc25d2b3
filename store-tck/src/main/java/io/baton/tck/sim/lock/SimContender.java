package io.baton.tck.sim.lock;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.SessionState;
import io.baton.Subscription;
import io.baton.WriteHold;
import io.baton.spi.Claim;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A user of the lock, on its own thread. It acquires, holds for a while, sometimes writes a guarded record without
 * checking the hold first, releases, and repeats. Sometimes it cancels a wait. Sometimes it holds on while out of
 * contact, for as long as the hold allows.
 */
public final class SimContender {

    private static final long MILLI = 1_000_000;

    private final LockInvariants invariants;
    private final SimProcess process;
    private final SimLoop thread;
    private final Coordinator coordinator;
    private final Duration ttl;
    private final SplittableRandom chance;
    private final Habits habits;
    private final int longOneIn;
    private boolean stopping;
    private boolean idle;
    private int grants;

    /** Creates a user of this process's coordinator, with callbacks on this thread. */
    SimContender(
            LockInvariants invariants,
            SimProcess process,
            SimLoop thread,
            Coordinator coordinator,
            Duration ttl,
            SplittableRandom chance,
            Habits habits) {
        this.habits = habits;
        this.invariants = invariants;
        this.process = process;
        this.thread = thread;
        this.coordinator = coordinator;
        this.ttl = ttl;
        this.chance = chance;
        this.longOneIn = chance.nextInt(4) == 0 ? 2 : 12;
    }

    /** Starts to acquire. */
    public void start() {
        pause(500, this::acquire);
    }

    /** Stops acquiring. */
    public void stop() {
        stopping = true;
    }

    /** Whether it has stopped and all its requests were answered. */
    public boolean idle() {
        return idle;
    }

    /** The number of its grants. */
    public int grants() {
        return grants;
    }

    Duration ttl() {
        return ttl;
    }

    /** The session timeout that the store granted last. */
    Duration timeout() {
        return coordinator.ttl();
    }

    /** Whether its coordinator has reported the end of the session, and has no new one yet. */
    boolean sessionLost() {
        return coordinator.state() == SessionState.LOST;
    }

    SimProcess process() {
        return process;
    }

    private void acquire() {
        if (stopping) {
            idle = true;
            return;
        }
        Asked asked = habits.asking().ask(coordinator, chance);
        CompletableFuture<? extends Hold> future = asked.hold();
        long pauses = process.pauses();
        if (habits.cancels()) {
            maybeCancel(future);
        }
        future.whenComplete((hold, failure) -> invariants.guard(() -> {
            if (failure == null) {
                granted(hold, asked.claim(), pauses == process.pauses());
            } else {
                failed(failure);
            }
        }));
    }

    private void maybeCancel(CompletableFuture<? extends Hold> future) {
        switch (chance.nextInt(8)) {
            case 0 -> pause(1_500, () -> future.cancel(false));
            case 1 -> pause(chance.nextBoolean() ? 30 : 4, () -> future.cancel(false));
            case 2, 3 -> {
                Subscription contact = coordinator.onState(state -> {
                    if (state == SessionState.SUSPENDED) {
                        future.cancel(false);
                    }
                });
                future.whenComplete((hold, failure) -> contact.close());
            }
            default -> {}
        }
    }

    private void failed(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        thread.note("not acquired: " + cause);
        if (!(cause instanceof CancellationException || cause instanceof CoordinationException)) {
            throw new AssertionError("an acquisition failed in no known way", cause);
        }
        invariants.failed(cause);
        pause(200, this::acquire);
    }

    private void granted(Hold hold, Claim claim, boolean undisturbed) {
        grants++;
        LockInvariants.Held held = invariants.granted(this, hold, claim, undisturbed);
        thread.note("granted, token " + Long.toHexString(hold.token()) + ", " + hold.state());
        boolean[] over = {false};
        awaitLoss(held, over);
        boolean forLong = habits.ofItself() && chance.nextInt(longOneIn) == 0;
        long most = forLong ? Math.max(6_000, ttl.toMillis() * 3 / 2) : habits.mostHeldMillis();
        long until = chance.nextLong(MILLI, most * MILLI);
        boolean writer = habits.ofItself() && claim.equals(Claim.EXCLUSIVE);
        for (int writes = writer ? chance.nextInt(3) : 0; writes > 0; writes--) {
            thread.after(Duration.ofNanos(chance.nextLong(until)), () -> write(held));
        }
        if (hold instanceof WriteHold && chance.nextInt(3) == 0) {
            thread.after(Duration.ofNanos(chance.nextLong(until)), () -> downgrade(held, over));
        }
        if (chance.nextInt(3) == 0) {
            look(held);
        }
        boolean holdsOn = chance.nextInt(4) > 0;
        thread.after(Duration.ofNanos(until), () -> workDone(held, over, holdsOn));
    }

    private void awaitLoss(LockInvariants.Held held, boolean[] over) {
        held.hold.onLost(() -> invariants.guard(() -> {
            thread.note("lost, token " + Long.toHexString(held.token()));
            invariants.lost(held);
            if (!over[0]) {
                over[0] = true;
                pause(chance.nextInt(4) == 0 ? 2_000 : 50, () -> release(held));
            }
        }));
    }

    /** Shares the lock from now on. If that fails, nothing is held. */
    private void downgrade(LockInvariants.Held held, boolean[] over) {
        if (held.released || over[0] || !(held.hold instanceof WriteHold writer)) {
            return;
        }
        thread.note("downgrades token " + Long.toHexString(held.token()) + ", " + held.look());
        held.downgrading = true;
        invariants.downgrading(held);
        writer.downgradeAsync()
                .whenComplete((reader, failure) -> invariants.guard(() -> {
                    held.downgrading = false;
                    if (failure == null) {
                        thread.note("shares token " + Long.toHexString(held.token()) + ", " + reader.state());
                        invariants.downgraded(held, reader);
                        awaitLoss(held, over);
                    } else {
                        notDowngraded(held, over, failure);
                    }
                }));
    }

    private void notDowngraded(LockInvariants.Held held, boolean[] over, Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        thread.note("not downgraded: " + cause);
        if (!(cause instanceof CoordinationException)) {
            throw new AssertionError("a downgrade failed in no known way", cause);
        }
        invariants.notDowngraded(held);
        held.toldByDowngrade = true;
        if (!over[0]) {
            over[0] = true;
            release(held);
        }
    }

    /** Releases the hold. A contender that holds on out of contact continues while the hold is in jeopardy. */
    private void workDone(LockInvariants.Held held, boolean[] over, boolean holdsOn) {
        HoldState state = held.look();
        if (held.downgrading) {
            pause(100, () -> workDone(held, over, holdsOn));
        } else if (state == HoldState.LOST && !held.toldByDowngrade) {
            awaitSignal(held, 10);
        } else if (!over[0] && holdsOn && state == HoldState.JEOPARDY) {
            pause(100, () -> workDone(held, over, true));
        } else if (!over[0]) {
            over[0] = true;
            release(held);
        }
    }

    private void look(LockInvariants.Held held) {
        if (!held.released) {
            invariants.guard(held::look);
            pause(100, () -> look(held));
        }
    }

    /** Checks that the listener of a lost hold is called in time; in small steps, as the process may be paused. */
    private void awaitSignal(LockInvariants.Held held, int steps) {
        if (held.lostSignals == 0) {
            invariants.guard(() -> {
                if (steps == 0) {
                    throw new AssertionError(held + " is lost, and nobody was told");
                }
                thread.after(Duration.ofMillis(50), () -> awaitSignal(held, steps - 1));
            });
        }
    }

    private void write(LockInvariants.Held held) {
        if (held.released || held.downgrading || !held.claim.equals(Claim.EXCLUSIVE)) {
            return;
        }
        String value = invariants.nextValue(held.hold);
        CompletableFuture<Boolean> done =
                coordinator.transactAsync(List.of(Guard.held(held.hold)), List.of(Op.put(LockRun.RECORD, value)));
        done.whenComplete((applied, failure) -> invariants.guard(() -> {
            thread.note("write " + value + " -> "
                    + (failure == null ? applied : failure.getClass().getSimpleName()));
            invariants.written(value, failure == null ? applied : unknown(failure));
        }));
    }

    /** False if nothing was applied, null if that is not known. */
    private static @Nullable Boolean unknown(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (!(cause instanceof CoordinationException)) {
            throw new AssertionError("a write failed in no known way", cause);
        }
        return cause instanceof OutcomeUnknownException ? null : false;
    }

    private void release(LockInvariants.Held held) {
        thread.note("releases token " + Long.toHexString(held.hold.token()) + ", " + held.look());
        held.released = true;
        boolean waits = chance.nextBoolean();
        held.hold
                .releaseAsync()
                .whenComplete((done, failure) -> invariants.guard(() -> {
                    held.removed = true;
                    if (waits) {
                        pause(100, this::acquire);
                    }
                }));
        if (!waits) {
            pause(100, this::acquire);
        }
    }

    private void pause(long millis, Runnable then) {
        thread.after(Duration.ofNanos(chance.nextLong(millis * MILLI)), then);
    }
}
