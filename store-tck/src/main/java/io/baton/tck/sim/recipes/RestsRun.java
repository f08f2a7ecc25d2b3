package io.baton.tck.sim.recipes;

import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Item;
import io.baton.LockOptions;
import io.baton.RecordKey;
import io.baton.internal.lock.QueuedLock;
import io.baton.recipe.Futures;
import io.baton.recipe.Resource;
import io.baton.recipe.TextLines;
import io.baton.tck.sim.recipes.LineHistory.Stay;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Processes acquire one lock that rests: after a release before its least time, and after a loss. They release early or
 * late, lose the lock in all ways, are evicted by operators, give up, or do not wait at all. In half of the runs all
 * wall clocks agree at first, in the others they do not.
 *
 * <p>Nobody is granted before the rest of the last hold that a program had is over: by the record of it, less what the
 * grantee's wall clock may be ahead, and never later than a whole rest from its own turn on. While the owner of a
 * released hold lives, its entry stays for the least time, whatever the clocks say. The record is written by who is
 * first, and not before that; it says so truly when the entry has gone. Once all is well the rest ends for everybody,
 * also if those who wait come and go: what nobody had and what was served keep nobody out. A release does not wait for
 * the rest.
 */
final class RestsRun extends TakerRun<RestsRun.LockTaker> {

    private static final Resource LOCK = Resource.lock("tck");
    private static final RecordKey RECORD = LOCK.record("baton.delays");
    private static final int LEAST = 5;

    /** Once all is well, it is on record by then that the entry of the last hold has gone. */
    private static final long NOTED_NANOS = 500_000_000;

    /** Once all is well, an entry whose time is over has gone by then. */
    private static final long LEFT_NANOS = 700_000_000;

    private static final long EPOCH_MILLIS = 1_700_000_000_000L;
    private static final long MILLI = 1_000_000;

    /** Both stamps of a difference are whole milliseconds. */
    private static final long ROUNDED = 3;

    /** The longest freeze, the sessions of the dead, and what was under way. */
    private static final Duration SETTLED = Duration.ofSeconds(12);

    private final long holdMillis;
    private final long lossMillis;
    private final boolean clocksAgree;
    private final LineHistory line = new LineHistory(server, LOCK.line().path());
    private final SimEvictors evictors = new SimEvictors(this, LOCK);
    private final Map<String, Clock> clocks = new LinkedHashMap<>();
    private final Map<Long, Had> had = new HashMap<>();
    private final TreeMap<Long, Rest> rests = new TreeMap<>();
    private long looked = -1;
    private @Nullable Item known;
    private Written last = Written.NONE;
    private long settledAt = Long.MAX_VALUE;
    private long owedAt;
    private long unnotedAt;

    /** The wall clock of a process, by how many milliseconds it is and was ahead. */
    private static final class Clock {

        private final Member member;
        private long most;
        private long least;

        Clock(Member member, long now) {
            this.member = member;
            this.most = ahead(member, now);
            this.least = most;
        }

        void look(long now) {
            long ahead = ahead(member, now);
            most = Math.max(most, ahead);
            least = Math.min(least, ahead);
        }

        static long ahead(Member member, long now) {
            return member.process.wallMillis() - EPOCH_MILLIS - now / MILLI;
        }
    }

    /** Somebody who acquires the lock again and again. */
    static final class LockTaker extends TakerRun.Taker {

        private final QueuedLock lock;
        private CompletableFuture<?> pending = new CompletableFuture<>();

        LockTaker(Member member, QueuedLock lock) {
            super(member);
            this.lock = lock;
        }
    }

    /** A hold that a program was given. */
    private static final class Had {

        private final LockTaker taker;
        private final Hold hold;
        private final long since;
        private boolean closed;
        private boolean closedInTime;
        private boolean closedWhenSettled;
        private long closedAt;

        Had(LockTaker taker, Hold hold, long since) {
            this.taker = taker;
            this.hold = hold;
            this.since = since;
        }

        /** Whether it has ended without a release. A coordinator that is closed may have released it. */
        boolean isLost() {
            return !closedInTime && (taker.member.dead() || !taker.member.gone());
        }

        @Override
        public String toString() {
            return taker.member.name + "'s hold " + hold.token();
        }
    }

    /** What is on record of the last hold. */
    private record Written(long token, long at, boolean released, long gone) {

        static final Written NONE = new Written(0, 0, true, 0);

        static Written of(Item record) {
            Map<String, String> lines = TextLines.decode(record.value());
            return new Written(
                    TextLines.number(lines.getOrDefault("token", "")),
                    TextLines.number(lines.getOrDefault("at", "")),
                    lines.containsKey("released"),
                    TextLines.number(lines.getOrDefault("gone", "")));
        }
    }

    /** Since when the lock rests after a hold, by wall clocks; 0 if that is not on record. */
    private static final class Rest {

        private final long writtenAt;
        private long granted;
        private long gone;

        Rest(long writtenAt) {
            this.writtenAt = writtenAt;
        }
    }

    RestsRun(long seed) {
        super(seed);
        int which = chance.nextInt(4);
        holdMillis = which == 0 ? 0 : chance.nextLong(300, 2_000);
        lossMillis = which == 1 ? 0 : chance.nextLong(300, 2_500);
        clocksAgree = chance.nextBoolean();
        sim.afterEveryStep(this::check);
        freezeBesideHeartbeats();
        evictLater();
    }

    @Override
    List<String> lines() {
        return List.of(LOCK.line().path());
    }

    private void evictLater() {
        sim.at(sim.now() + chance.nextLong(6_000) * MILLI, () -> {
            if (!stopping() && settledAt == Long.MAX_VALUE) {
                evictors.evictSome(members().get(chance.nextInt(members().size())));
                evictLater();
            }
        });
    }

    @Override
    void begin(Member member) {
        if (clocksAgree) {
            member.process.shiftWallClock(Duration.ofMillis(-Clock.ahead(member, sim.now())));
        }
        clocks.put(member.name, new Clock(member, sim.now()));
        super.begin(member);
    }

    @Override
    LockTaker taker(Member member) {
        LockOptions options = LockOptions.builder()
                .holdAtLeast(Duration.ofMillis(holdMillis))
                .delayAfterLoss(Duration.ofMillis(lossMillis))
                .build();
        return new LockTaker(member, (QueuedLock) member.baton.lock(LOCK.name(), options));
    }

    // ---- what programs do

    @Override
    void take(LockTaker taker) {
        if (chance.nextInt(4) == 0) {
            counts.add("locks asked for without waiting");
            answered(
                    taker,
                    taker.lock.tryAcquireAsync(),
                    hold -> hold.ifPresentOrElse(its -> taken(taker, its), () -> notTaken(taker, "without waiting")));
        } else {
            CompletableFuture<Hold> hold = taker.lock.acquireAsync();
            if (chance.nextInt(4) == 0) {
                later(taker.member, chance.nextBoolean() ? 10 : 2_000, () -> hold.cancel(false));
            }
            answered(taker, hold, its -> taken(taker, its));
        }
    }

    private <T> void answered(LockTaker taker, CompletableFuture<T> answer, Consumer<T> then) {
        taker.pending = answer;
        Futures.onDone(
                answer,
                (given, failure) -> guarded(() -> {
                            if (failure == null) {
                                then.accept(given);
                            } else {
                                notTaken(taker, known(failure).getClass().getSimpleName());
                            }
                        })
                        .run());
    }

    /** A program gives up, maybe just as its process is granted the lock. */
    private void giveUpSome(Stay granted) {
        for (LockTaker taker : takers()) {
            if (taker.member.name.equals(client(granted.entry)) && chance.nextInt(6) == 0) {
                CompletableFuture<?> pending = taker.pending;
                later(taker.member, 2, () -> {
                    if (pending.cancel(false)) {
                        counts.add("locks given up at their grant");
                    }
                });
            }
        }
    }

    private void notTaken(LockTaker taker, String why) {
        counts.add("locks not taken: " + why);
        later(taker.member, 400, () -> takeAgain(taker));
    }

    private void taken(LockTaker taker, Hold hold) {
        var its = new Had(taker, hold, sim.now());
        taker.member.thread.note("has " + its);
        counts.add("grants");
        taker.grants++;
        had.put(hold.token(), its);
        sim.check(rests.containsKey(hold.token()), () -> its + " is not on record");
        later(taker.member, stopping() ? 50 : chance.nextInt(5) == 0 ? 4_000 : 400, () -> close(its));
    }

    private void close(Had its) {
        if (its.taker.member.gone()) {
            return;
        }
        its.closed = true;
        its.closedInTime = its.hold.state() != HoldState.LOST;
        its.closedWhenSettled = isSettled();
        its.taker.member.thread.note("closes " + its);
        if (its.closedInTime && sim.now() < its.since + holdMillis * MILLI) {
            counts.add("early releases");
        }
        its.closedAt = sim.now();
        Futures.onDone(
                its.hold.releaseAsync(),
                (done, failure) -> guarded(() -> released(its)).run());
        later(its.taker.member, 300, () -> takeAgain(its.taker));
    }

    /** Once all is well, the store has it on record at once. */
    private void released(Had its) {
        if (!its.closedWhenSettled || !its.closedInTime) {
            return;
        }
        long token = its.hold.token();
        sim.check(
                sim.now() - its.closedAt < SOON.toNanos(),
                () -> "the release of " + its + " took as long as the lock rests");
        boolean stands = line.first().filter(first -> first.token() == token).isPresent();
        sim.check(
                !stands || lossMillis == 0 || last.released(),
                () -> its + " is released, and has to be held for longer, and on record is " + last);
    }

    // ---- rules

    private void check() {
        clocks.values().forEach(clock -> clock.look(sim.now()));
        if (looked != server.version()) {
            looked = server.version();
            List<Stay> gone = line.look();
            evictors.look(gone);
            Optional<Item> record = server.record(RECORD);
            if (record.isPresent() && !record.get().equals(known)) {
                known = record.get();
                checkRecord(Written.of(record.get()));
            }
            gone.forEach(this::checkGone);
        }
        checkEnds();
    }

    /** What was written is so, and was written by who may. */
    private void checkRecord(Written now) {
        Written before = last;
        last = now;
        Stay its = line.of(now.token());
        sim.check(its != null, () -> "no such hold: " + now);
        if (its == null) {
            return;
        }
        Rest rest = rests.get(now.token());
        if (rest == null) {
            sim.check(
                    line.first().filter(its::equals).isPresent(), () -> "who is not first in line has written " + now);
            rest = new Rest(sim.now());
            rests.put(now.token(), rest);
            checkRested(its);
            giveUpSome(its);
        }
        if (now.at() > 0) {
            rest.granted = now.at();
            sim.check(
                    now.at() >= wallAt(its.firstAt()) + clockOf(its).least,
                    () -> now + " was granted, it says, before its turn at " + wallAt(its.firstAt()));
        }
        if (now.gone() > 0 && rest.gone == 0) {
            counts.add("rests on record");
            rest.gone = now.gone();
            sim.check(
                    its.isGone() && now.gone() >= wallAt(its.goneAt()) + leastAhead(),
                    () -> now + " was gone, it says, and went at " + wallAt(its.goneAt()));
        }
        sim.check(now.gone() == 0 || now.gone() == rest.gone, () -> before + " has begun to rest once more: " + now);
        Had owned = had.get(now.token());
        sim.check(
                !now.released() || owned == null || owned.closed || owned.taker.member.gone(),
                () -> now + " was released, it says, and " + owned + " was not");
    }

    private void checkGone(Stay gone) {
        Had its = had.get(gone.token());
        boolean meddled = server.isMeddledWith(gone.entry)
                || evictors.hasEvicted(gone.token())
                || !server.lives(gone.entry.session());
        if (its != null && !its.closed) {
            counts.add("holds that have gone unreleased");
        }
        if (meddled || (its != null && (!its.closedInTime || its.taker.member.gone()))) {
            return;
        }
        Rest rest = rests.get(gone.token());
        if (its != null && rest != null) {
            sim.check(
                    sim.now() >= rest.writtenAt + slow(holdMillis),
                    () -> its + " was released, and its entry has gone before its time");
        }
        if ((its == null ? isSettled() : its.closedWhenSettled) && rest != null) {
            sim.check(
                    last.token() != gone.token() || (last.released() && last.at() == 0),
                    () -> "the hold " + gone.token() + " is over, and keeps others out: " + last);
        }
    }

    /** Whether the lock has rested after the hold before, which a program had, when this one is on record. */
    private void checkRested(Stay next) {
        Map.Entry<Long, Rest> before = rests.lowerEntry(next.token());
        Had former = before == null ? null : had.get(before.getKey());
        if (before == null || former == null) {
            return;
        }
        Rest rest = before.getValue();
        if (former.isLost()) {
            counts.add("grants after a loss");
            checkNotBefore(next, former, next.firstAt(), lossMillis, List.of(rest.gone));
        }
        long since = Math.min(rest.writtenAt, next.firstAt());
        checkNotBefore(next, former, since, holdMillis, List.of(rest.granted, rest.gone));
    }

    /** A rest is over so long after this time, or when the grantee's wall clock is so long past one of those. */
    private void checkNotBefore(Stay next, Had former, long since, long millis, List<Long> from) {
        long least = since + slow(millis);
        for (long wall : from) {
            if (wall > 0) {
                least = Math.min(least, (wall - EPOCH_MILLIS + millis - clockOf(next).most - ROUNDED) * MILLI);
            }
        }
        long earliest = least;
        sim.check(
                sim.now() >= earliest,
                () -> client(next.entry) + " is granted token " + next.token() + " " + (earliest - sim.now()) / MILLI
                        + " ms before the rest after " + former + " was over");
    }

    /** Once all is well, who is first is granted soon after the rest that is on record, and that begins soon. */
    private void checkEnds() {
        Stay first = isSettled() ? line.first().orElse(null) : null;
        if (first != null) {
            checkLeaves(first);
        }
        if (first == null
                || had.containsKey(first.token())
                || clockOf(first).member.process.paused()) {
            owedAt = sim.now();
            unnotedAt = sim.now();
            return;
        }
        boolean rests = dueAt(first) > sim.now();
        owedAt = rests ? sim.now() : owedAt;
        unnotedAt = rests && last.gone() == 0 ? unnotedAt : sim.now();
        sim.check(
                sim.now() - owedAt < SOON.toNanos(),
                () -> "the rest is over, and nobody is granted: token " + first.token() + ", " + last);
        sim.check(sim.now() - unnotedAt < NOTED_NANOS, () -> "the lock rests, and nobody notes since when: " + last);
    }

    /** Once all is well, the entry of a hold that was released stays for no longer than it has to. */
    private void checkLeaves(Stay first) {
        Had its = had.get(first.token());
        Rest rest = rests.get(first.token());
        if (its != null && rest != null && its.closedInTime && rest.writtenAt >= settledAt) {
            long due = Math.max(its.closedAt, its.since + holdMillis * MILLI * 101 / 100);
            sim.check(
                    sim.now() - due < LEFT_NANOS || its.taker.member.process.paused(),
                    () -> its + " was released, its time is over, and its entry stands");
        }
    }

    /** When the lock has rested for who is first, at the latest. */
    private long dueAt(Stay first) {
        long due = first.firstAt();
        if (last.token() != first.token() && last.at() > 0) {
            due = Math.max(due, end(first, holdMillis, List.of(last.at(), last.gone())));
        }
        if (last.token() != first.token() && !last.released()) {
            due = Math.max(due, end(first, lossMillis, List.of(last.gone())));
        }
        return due;
    }

    private long end(Stay first, long millis, List<Long> from) {
        long end = first.firstAt() + millis * MILLI * 101 / 100;
        for (long wall : from) {
            if (wall > 0) {
                end = Math.min(end, (wall - EPOCH_MILLIS + millis - clockOf(first).least + ROUNDED) * MILLI);
            }
        }
        return end;
    }

    private Clock clockOf(Stay stay) {
        return Objects.requireNonNull(clocks.get(client(stay.entry)));
    }

    private boolean isSettled() {
        return sim.now() >= settledAt;
    }

    /** How long so many milliseconds of a process are at least. */
    private static long slow(long millis) {
        return millis * MILLI * 99 / 100;
    }

    private static long wallAt(long time) {
        return EPOCH_MILLIS + time / MILLI - ROUNDED;
    }

    private long leastAhead() {
        return clocks.values().stream().mapToLong(clock -> clock.least).min().orElse(0);
    }

    // ---- the end

    @Override
    void recover() {
        sim.runFor(SETTLED);
        settledAt = sim.now();
        awaitGrants("everybody is granted once more", 1);
    }

    @Override
    void stop() {
        awaitIdle("everybody has released");
    }

    @Override
    boolean judge() {
        checkNothingIsLeft();
        return had.size() >= LEAST;
    }
}
