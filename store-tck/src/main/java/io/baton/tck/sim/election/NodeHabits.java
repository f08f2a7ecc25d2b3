package io.baton.tck.sim.election;

import io.baton.election.ActiveStandby;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * The limits of a simulated node's hooks, fencer and health checks, and the courses they take. In good times a course
 * is well within the limits; in bad times some exceed them.
 */
final class NodeHabits {

    private static final long MILLI = 1_000_000;

    /** The time until the node notices a reason to stop. */
    private static final long NOTICE_MILLIS = 100;

    private static final long LEAST_STOP_MILLIS = 190;
    private static final long LEAST_GRACE_MILLIS = 25;

    /** Half of the coordinator's close timeout, less the time until stopping begins. */
    private static final long MOST_STOP_MILLIS = 2_400;

    private final SplittableRandom chance;
    private final BooleanSupplier calm;
    private final int troubledOneIn;
    private final boolean clumsy;
    private final boolean halts;
    private final long promote;
    private final long demote;
    private final long grace;
    private final long fence;
    private final int fencingAttempts;
    private final long healthPause;
    private final long healthTimeout;
    private final int healthFailures;
    private final int healthSuccesses;

    NodeHabits(Duration ttl, SplittableRandom chance, BooleanSupplier calm) {
        this.chance = chance;
        this.calm = calm;
        troubledOneIn = chance.nextInt(3) == 0 ? 2 : 5;
        clumsy = chance.nextInt(3) == 0;
        halts = chance.nextBoolean();
        long most = Math.min(MOST_STOP_MILLIS, ttl.toMillis() * 3 / 10);
        long stop = chance.nextLong(LEAST_STOP_MILLIS, Math.max(LEAST_STOP_MILLIS, most) + 1);
        grace = Math.max(LEAST_GRACE_MILLIS, (stop - NOTICE_MILLIS) / 5) * MILLI;
        demote = (stop - NOTICE_MILLIS) * MILLI - 2 * grace;
        promote = chance.nextLong(100, 3_000) * MILLI;
        fence = chance.nextLong(100, 3_000) * MILLI;
        fencingAttempts = chance.nextInt(1, 4);
        healthPause = chance.nextLong(100, 600) * MILLI;
        healthTimeout = chance.nextLong(60, 300) * MILLI;
        healthFailures = chance.nextInt(1, 4);
        healthSuccesses = chance.nextInt(1, 3);
    }

    /** Sets all limits but the fencer's. */
    ActiveStandby.Builder limit(ActiveStandby.Builder builder) {
        return builder.interruptGrace(Duration.ofNanos(grace))
                .healthEvery(Duration.ofNanos(healthPause), Duration.ofNanos(healthTimeout))
                .healthAfter(healthFailures, healthSuccesses)
                .fencingAttempts(fencingAttempts);
    }

    Duration promote() {
        return Duration.ofNanos(promote);
    }

    Duration demote() {
        return Duration.ofNanos(demote);
    }

    Duration fence() {
        return Duration.ofNanos(fence);
    }

    /** How long a task may take to return after an interrupt. */
    Duration grace() {
        return Duration.ofNanos(grace);
    }

    /** How long stopping may take. */
    Duration stop() {
        return Duration.ofNanos(NOTICE_MILLIS * MILLI + demote + 2 * grace);
    }

    /** How long it may take to detect that the node is unhealthy. */
    Duration detection() {
        return Duration.ofNanos(healthTimeout + (healthPause + healthTimeout) * healthFailures);
    }

    /** Whether the last resort ends the process; otherwise it does nothing. */
    boolean halts() {
        return halts;
    }

    /** Whether a hook with this course may exceed the limits. */
    boolean tooLong(SimHands.Kind hook, Course course) {
        return course.exceeds(hook == SimHands.Kind.PROMOTE ? 0 : demote, grace);
    }

    Course promotion() {
        if (good()) {
            return Course.returns(upTo(promote / 2), heeds());
        }
        return switch (chance.nextInt(6)) {
            case 0, 1 -> Course.fails(upTo(promote / 2), heeds(), "the node cannot be promoted");
            case 2 -> Course.returns(upTo(promote * 2), heeds());
            case 3 -> Course.untilInterrupted(heeds(), chance.nextBoolean());
            default -> deaf(chance.nextInt(2));
        };
    }

    /** Draws the course of a demotion; with {@code again} one after a failure, which may be worse. */
    Course demotion(boolean again) {
        if (again && !calm.getAsBoolean() && chance.nextInt(3) == 0) {
            return deaf(chance.nextInt(2));
        }
        if (calm.getAsBoolean() || (clumsy ? chance.nextBoolean() : good())) {
            return Course.returns(upTo(demote / 2), heeds());
        }
        return switch (chance.nextInt(6)) {
            case 0, 1, 2 -> Course.fails(upTo(demote / 2), heeds(), "the node cannot be demoted");
            case 3 -> Course.untilInterrupted(heeds(), chance.nextBoolean());
            default -> deaf(chance.nextInt(2));
        };
    }

    /**
     * Draws the course of a fencer. It has the effect when it ends by itself without failure, and sometimes with one.
     */
    Course fencing(Runnable effect) {
        if (good()) {
            return Course.returns(upTo(fence / 2), heeds()).with(effect);
        }
        return switch (chance.nextInt(5)) {
            case 0 -> Course.fails(upTo(fence / 2), heeds(), "no power switch");
            case 1 ->
                Course.fails(upTo(fence / 2), heeds(), "the power switch does not answer")
                        .with(effect);
            case 2 -> Course.returns(upTo(fence * 2), heeds()).with(effect);
            case 3 -> Course.untilInterrupted(heeds(), true);
            default -> Course.returns(upTo(12_000 * MILLI), Course.NEVER).with(effect);
        };
    }

    Course goodCheck() {
        return Course.returns(upTo(healthTimeout / 2), heeds());
    }

    /** Draws the course of a health check while the node is unhealthy; it may fail or hang. */
    Course badCheck() {
        return switch (chance.nextInt(4)) {
            case 0 -> Course.untilInterrupted(heeds(), true);
            case 1 -> Course.returns(upTo(4_000 * MILLI), Course.NEVER);
            case 2 -> Course.fails(upTo(healthTimeout / 2), heeds(), "the node is not well");
            default -> goodCheck();
        };
    }

    /** Ignores interrupts: for a while or, if the last resort ends the process, for ever. */
    private Course deaf(int endless) {
        return endless == 1 && halts ? Course.endless() : Course.returns(upTo(6_000 * MILLI), Course.NEVER);
    }

    private boolean good() {
        return calm.getAsBoolean() || chance.nextInt(troubledOneIn) != 0;
    }

    private long heeds() {
        return upTo(grace / 2);
    }

    private long upTo(long nanos) {
        return chance.nextLong(MILLI, Math.max(nanos, MILLI) + 1);
    }
}
