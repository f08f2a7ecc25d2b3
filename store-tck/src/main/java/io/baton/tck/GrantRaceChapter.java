package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.DistributedReadWriteLock;
import io.baton.DistributedSemaphore;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.LockOptions;
import io.baton.SemaphoreView;
import io.baton.testkit.LongRun;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Acquisitions that are cancelled, or whose time limit ends, at about the moment of the grant. Each is granted or not,
 * and says so; the next one is granted in either case, and nothing stays in the line. What is about that moment is
 * measured first, as stores differ.
 */
abstract class GrantRaceChapter extends Chapter {

    private static final int RACES = LongRun.rounds(15, 100);
    private static final int MEASURED = 5;
    private static final int PERMITS = 3;
    private static final LockOptions COHORT =
            LockOptions.builder().cohort(1_000_000, Duration.ofHours(1)).build();

    private final Random random = new Random();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    /** A hold, a contender that it keeps out, and one that both keep out. */
    private interface Contest {

        /** Acquires what keeps the others out; the next round begins. */
        Hold first() throws InterruptedException;

        /** Asks without a time limit. */
        CompletableFuture<? extends Hold> ask();

        /** Asks for this long. */
        Optional<? extends Hold> ask(Duration limit) throws InterruptedException;

        /** Asks behind the other one. */
        CompletableFuture<? extends Hold> next();

        /** How many entries those that have asked in this round make. */
        int entries();

        /** How many entries stand in the store. */
        int standing() throws InterruptedException;
    }

    @Test
    void permits_cancelledAsTheyAreGranted_areHeldOrNot() throws Exception {
        cancelAtAboutTheGrant(new Permits(coordinator(), coordinator()));
    }

    @Test
    void permits_timeLimitEndsAsTheyAreGranted_areHeldOrNot() throws Exception {
        endAtAboutTheGrant(new Permits(coordinator(), coordinator()));
    }

    @Test
    void readersAndWriters_cancelledAsTheyAreGranted_holdOrNot() throws Exception {
        cancelAtAboutTheGrant(new ReadersAndWriters(coordinator(), coordinator()));
    }

    @Test
    void readersAndWriters_timeLimitEndsAsTheyAreGranted_holdOrNot() throws Exception {
        endAtAboutTheGrant(new ReadersAndWriters(coordinator(), coordinator()));
    }

    @Test
    void cohort_cancelledAsItIsGranted_holdsOrNot() throws Exception {
        cancelAtAboutTheGrant(new CohortMembers(coordinator(), coordinator()));
    }

    @Test
    void cohort_timeLimitEndsAsItIsGranted_holdsOrNot() throws Exception {
        endAtAboutTheGrant(new CohortMembers(coordinator(), coordinator()));
    }

    private void cancelAtAboutTheGrant(Contest contest) throws Exception {
        long usual = usual(contest);
        int granted = 0;
        for (int i = 0; i < RACES; i++) {
            Hold first = contest.first();
            CompletableFuture<? extends Hold> asked = contest.ask();
            awaitInLine(contest, asked);
            CompletableFuture<? extends Hold> next = contest.next();
            awaitInLine(contest, asked, next);

            CompletableFuture<?> released = release(first, usual);
            boolean cancelled = outcome(CompletableFuture.supplyAsync(() -> asked.cancel(true), within(2 * usual)));
            outcome(released);
            granted += cancelled ? 0 : 1;
            finish(contest, cancelled ? Optional.empty() : Optional.of(outcome(asked)), next);
        }
        report(contest, granted, "cancel");
    }

    /** Waits until all that have asked stand in the line; these wait there. */
    private static void awaitInLine(Contest contest, CompletableFuture<?>... waiting) {
        soon().until(() -> {
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            return contest.standing() == contest.entries();
        });
    }

    private void endAtAboutTheGrant(Contest contest) throws Exception {
        long usual = usual(contest);
        Duration limit = Duration.ofNanos(2 * usual);
        int granted = 0;
        for (int i = 0; i < RACES; i++) {
            Hold first = contest.first();
            CompletableFuture<?> released = release(first, 2 * usual);
            Future<Optional<? extends Hold>> asked = threads.submit(() -> contest.ask(limit));

            Optional<? extends Hold> hold = outcome(asked);
            outcome(released);
            granted += hold.isPresent() ? 1 : 0;
            finish(contest, hold, contest.next());
        }
        report(contest, granted, "end of the time limit");
    }

    private void report(Contest contest, int granted, String end) {
        System.out.printf(
                "%s: %d of %d granted before the %s%n", contest.getClass().getSimpleName(), granted, RACES, end);
    }

    /** What was granted is held until it is released, and keeps the next one out for as long. */
    private static void finish(
            Contest contest, Optional<? extends Hold> granted, CompletableFuture<? extends Hold> next)
            throws InterruptedException {
        List<String> lost = new CopyOnWriteArrayList<>();
        if (granted.isPresent()) {
            Hold hold = granted.get();
            hold.onLost(() -> lost.add(hold.toString()));
            int standing = contest.standing();
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            assertThat(standing).as("entries while it is held").isPositive();
            assertThat(next).as("the next one, while %s", hold).isNotDone();
            hold.close();
        }
        Hold after = outcome(next);
        assertThat(after.state()).isEqualTo(HoldState.HELD);
        after.close();
        soon().until(() -> contest.standing() == 0);
        assertThat(lost).isEmpty();
    }

    /** The usual time from asking to the grant, if the holder releases meanwhile, in nanoseconds. */
    private static long usual(Contest contest) throws InterruptedException {
        long shortest = Long.MAX_VALUE;
        for (int i = 0; i < MEASURED; i++) {
            Hold first = contest.first();
            long start = System.nanoTime();
            CompletableFuture<? extends Hold> asked = contest.ask();
            first.close();
            outcome(asked).close();
            shortest = Math.min(shortest, System.nanoTime() - start);
        }
        return shortest;
    }

    private CompletableFuture<?> release(Hold hold, long nanos) {
        return CompletableFuture.supplyAsync(hold::releaseAsync, within(nanos)).thenCompose(released -> released);
    }

    /** Runs a task at some time within this one. */
    private Executor within(long nanos) {
        return CompletableFuture.delayedExecutor((long) (random.nextDouble() * nanos), TimeUnit.NANOSECONDS);
    }

    /** Contenders of which no two fit into the size together. */
    private final class Permits implements Contest {

        private final DistributedSemaphore here;
        private final DistributedSemaphore there;
        private int asked;

        Permits(Coordinator here, Coordinator there) {
            this.here = here.semaphore("tck", PERMITS);
            this.there = there.semaphore("tck", PERMITS);
        }

        private int some() {
            asked++;
            return random.nextInt(PERMITS / 2 + 1, PERMITS + 1);
        }

        @Override
        public Hold first() throws InterruptedException {
            asked = 0;
            return there.acquire(some());
        }

        @Override
        public CompletableFuture<? extends Hold> ask() {
            return here.acquireAsync(some());
        }

        @Override
        public Optional<? extends Hold> ask(Duration limit) throws InterruptedException {
            return here.tryAcquire(some(), limit);
        }

        @Override
        public CompletableFuture<? extends Hold> next() {
            return there.acquireAsync(some());
        }

        @Override
        public int entries() {
            return asked;
        }

        @Override
        public int standing() throws InterruptedException {
            SemaphoreView view = there.view();
            return view.holders().size() + view.waiting().size();
        }
    }

    /** A writer, a reader or a writer behind it, and a writer. */
    private final class ReadersAndWriters implements Contest {

        private final DistributedReadWriteLock here;
        private final DistributedReadWriteLock there;
        private int asked;

        ReadersAndWriters(Coordinator here, Coordinator there) {
            this.here = here.readWriteLock("tck");
            this.there = there.readWriteLock("tck");
        }

        @Override
        public Hold first() throws InterruptedException {
            asked = 1;
            return there.write().acquire();
        }

        @Override
        public CompletableFuture<? extends Hold> ask() {
            asked++;
            return random.nextBoolean()
                    ? here.read().acquireAsync()
                    : here.write().acquireAsync();
        }

        @Override
        public Optional<? extends Hold> ask(Duration limit) throws InterruptedException {
            return random.nextBoolean()
                    ? here.read().tryAcquire(limit)
                    : here.write().tryAcquire(limit);
        }

        @Override
        public CompletableFuture<? extends Hold> next() {
            asked++;
            return there.write().acquireAsync();
        }

        @Override
        public int entries() {
            return asked;
        }

        @Override
        public int standing() throws InterruptedException {
            return there.queue().size();
        }
    }

    /** A contender that shares its place, behind one of its own process or another, and before one of either. */
    private final class CohortMembers implements Contest {

        private final DistributedLock here;
        private final DistributedLock there;
        private int shared;
        private int others;

        CohortMembers(Coordinator here, Coordinator there) {
            this.here = here.lock("tck", COHORT);
            this.there = there.lock("tck");
        }

        private DistributedLock either() {
            boolean shares = random.nextBoolean();
            shared += shares ? 1 : 0;
            others += shares ? 0 : 1;
            return shares ? here : there;
        }

        @Override
        public Hold first() throws InterruptedException {
            shared = 0;
            others = 0;
            return either().acquire();
        }

        @Override
        public CompletableFuture<? extends Hold> ask() {
            shared++;
            return here.acquireAsync();
        }

        @Override
        public Optional<? extends Hold> ask(Duration limit) throws InterruptedException {
            return here.tryAcquire(limit);
        }

        @Override
        public CompletableFuture<? extends Hold> next() {
            return either().acquireAsync();
        }

        @Override
        public int entries() {
            return others + Math.min(1, shared);
        }

        @Override
        public int standing() throws InterruptedException {
            return there.queue().size();
        }
    }
}
