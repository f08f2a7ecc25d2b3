package io.baton.tck.sim.recipes;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.MultiHold;
import io.baton.MultiLock;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.recipe.Futures;
import io.baton.recipes.StripedLocks;
import io.baton.spi.Entry;
import io.baton.spi.Names;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Processes that acquire the locks of several keys, or several locks by name, keep them for a while, and give them
 * back. Some wait in a thread, with or without a time limit, and some without one; some are interrupted, or cancel.
 *
 * <p>A set is given whole, and none of it is lost by then. No lock is held twice. What a set guards is written only
 * while all its entries stand. The state is that of the worst part, and the loss of one is signalled once. Parts stay
 * held until the set is closed. A time limit counts for all locks together. In the end everybody gets what it asks for,
 * so nobody waits in a circle, and what was refused, cancelled or too late has left nothing; then nothing is left.
 */
final class StripedLocksRun extends TakerRun<StripedLocksRun.SetTaker> {

    private static final String NAME = "tck";

    /** A lock beside the striped ones, which comes before them in the order of all. */
    private static final String BESIDE = "beside";

    private static final RecordKey WRITTEN = new RecordKey("written", "set");
    private static final int KEYS = 12;
    private static final int LEAST = 5;
    private static final long SIGNALLED_NANOS = 1_000_000_000;

    /** The worst comes first. */
    private static final List<HoldState> BY_WEIGHT =
            List.of(HoldState.LOST, HoldState.RELEASED, HoldState.JEOPARDY, HoldState.HELD);

    private final int stripes;
    private final List<String> locks;
    private final List<Had> open = new ArrayList<>();
    private final List<Had> all = new ArrayList<>();
    private final List<BlockingCall<?>> waiting = new ArrayList<>();
    private final List<Try> overdue = new ArrayList<>();
    private final Map<String, Long> newest = new HashMap<>();
    private boolean calm;
    private long looked;
    private String written = "";

    /** Somebody who takes one set after the other. */
    static final class SetTaker extends TakerRun.Taker {

        private final Coordinator baton;
        private final StripedLocks striped;

        SetTaker(Member member, int stripes) {
            super(member);
            this.baton = SteppedCoordinator.of(member);
            this.striped = StripedLocks.named(baton, NAME, stripes);
        }
    }

    /** A call that waits. */
    private interface Call {
        Optional<MultiHold> call() throws InterruptedException;
    }

    /** A call that waits for at most a time. */
    private interface TimedCall {
        Optional<MultiHold> call(Duration limit) throws InterruptedException;
    }

    /** What is asked for at once, the locks of keys or those of names, and how. */
    private record Wanted(
            Set<String> locks, Call acquire, TimedCall tryAcquire, Supplier<CompletableFuture<MultiHold>> async) {

        static Wanted named(MultiLock lock, List<String> names) {
            return new Wanted(
                    Set.copyOf(names), () -> Optional.of(lock.acquire()), lock::tryAcquire, lock::acquireAsync);
        }

        static Wanted ofKeys(StripedLocks striped, List<String> keys) {
            return new Wanted(
                    keys.stream().map(key -> NAME + "/" + striped.stripe(key)).collect(Collectors.toSet()),
                    () -> Optional.of(striped.acquireAll(keys)),
                    limit -> striped.tryAcquireAll(keys, limit),
                    () -> striped.acquireAllAsync(keys));
        }

        @Override
        public String toString() {
            return locks.stream().sorted().toList().toString();
        }
    }

    /** A wait whose time is over. */
    private static final class Try {

        private final SetTaker taker;
        private final BlockingCall<Optional<MultiHold>> call;
        private long owedAt;

        Try(SetTaker taker, BlockingCall<Optional<MultiHold>> call, long now) {
            this.taker = taker;
            this.call = call;
            this.owedAt = now;
        }

        boolean isAnswered() {
            return call.outcome().isDone();
        }
    }

    /** A set that a program was given. */
    private static final class Had {

        private final SetTaker taker;
        private final int number;
        private final MultiHold hold;
        private final Map<String, Entry> entries = new LinkedHashMap<>();
        private boolean closed;
        private int signals;
        private long owedAt;

        Had(SetTaker taker, int number, MultiHold hold, long now) {
            this.taker = taker;
            this.number = number;
            this.hold = hold;
            this.owedAt = now;
        }

        boolean isUsed() {
            return !closed && !taker.member.gone();
        }

        /** Whether this is certain to exclude others from the lock. */
        boolean isCertain(String lock) {
            Hold part = hold.holds().get(lock);
            return !closed && part != null && !part.remaining().isZero();
        }

        @Override
        public String toString() {
            return taker.member.name + "'s set " + number + " of "
                    + hold.holds().values();
        }
    }

    StripedLocksRun(long seed) {
        super(seed);
        stripes = chance.nextInt(3, 6);
        locks = Stream.concat(Stream.of(BESIDE), IntStream.range(0, stripes).mapToObj(stripe -> NAME + "/" + stripe))
                .toList();
        sim.afterEveryStep(this::check);
    }

    private static String line(String lock) {
        return "locks/" + Names.encode(lock);
    }

    @Override
    List<String> lines() {
        return locks.stream().map(StripedLocksRun::line).toList();
    }

    @Override
    SetTaker taker(Member member) {
        return new SetTaker(member, stripes);
    }

    // ---- what programs do

    @Override
    void take(SetTaker taker) {
        try {
            take(taker, wanted(taker));
        } catch (RuntimeException refused) {
            known(refused);
        }
    }

    private Wanted wanted(SetTaker taker) {
        if (chance.nextInt(3) == 0) {
            List<String> names = some(locks);
            return Wanted.named(taker.baton.multiLock(names), names);
        }
        return Wanted.ofKeys(
                taker.striped,
                some(IntStream.range(0, KEYS).mapToObj(key -> "key" + key).toList()));
    }

    /** One to three of these, in any order. */
    private List<String> some(List<String> of) {
        var left = new ArrayList<>(of);
        var drawn = new ArrayList<String>();
        for (int i = chance.nextInt(1, 4); i > 0; i--) {
            drawn.add(left.remove(chance.nextInt(left.size())));
        }
        return drawn;
    }

    private void take(SetTaker taker, Wanted wanted) {
        taker.member.thread.note("wants " + wanted);
        switch (chance.nextInt(calm ? 2 : 5)) {
            case 0 -> takeAsync(taker, wanted);
            case 1 -> takeInThread(taker, wanted);
            case 2 -> {
                counts.add("sets asked for without waiting");
                tryInThread(taker, wanted, Duration.ZERO);
            }
            default -> {
                var limit = Duration.ofMillis(chance.nextInt(1, 2_500));
                overdueAfter(taker, tryInThread(taker, wanted, limit), limit);
            }
        }
    }

    private void takeAsync(SetTaker taker, Wanted wanted) {
        CompletableFuture<MultiHold> answer = wanted.async().get();
        if (!calm && chance.nextInt(3) == 0) {
            later(taker.member, chance.nextBoolean() ? 10 : 1_500, () -> {
                if (answer.cancel(false)) {
                    counts.add("sets cancelled");
                }
            });
        }
        answered(taker, wanted, answer.thenApply(Optional::of));
    }

    private void takeInThread(SetTaker taker, Wanted wanted) {
        inThread(taker, wanted, wanted.acquire());
    }

    private BlockingCall<Optional<MultiHold>> tryInThread(SetTaker taker, Wanted wanted, Duration limit) {
        return inThread(taker, wanted, () -> wanted.tryAcquire().call(limit));
    }

    private BlockingCall<Optional<MultiHold>> inThread(SetTaker taker, Wanted wanted, Call body) {
        BlockingCall<Optional<MultiHold>> call = BlockingCall.start(taker.member.thread, body::call);
        waiting.add(call);
        if (!calm && chance.nextInt(4) == 0) {
            later(taker.member, 1_500, () -> {
                if (!call.outcome().isDone()) {
                    counts.add("threads interrupted");
                    call.interrupt();
                }
            });
        }
        answered(taker, wanted, call.outcome());
        return call;
    }

    private void overdueAfter(SetTaker taker, BlockingCall<Optional<MultiHold>> call, Duration limit) {
        taker.member.thread.after(limit, () -> overdue.add(new Try(taker, call, sim.now())));
    }

    private void answered(SetTaker taker, Wanted wanted, CompletableFuture<Optional<MultiHold>> answer) {
        Futures.onDone(
                answer,
                (found, failure) -> guarded(() -> {
                            if (failure != null) {
                                notTaken(taker, failure);
                            } else if (found.isPresent()) {
                                taken(taker, wanted, found.get());
                            } else {
                                counts.add("sets not taken in time");
                                takeLater(taker);
                            }
                        })
                        .run());
    }

    private void notTaken(SetTaker taker, Throwable failure) {
        Throwable cause = Futures.cause(failure);
        counts.add("sets not taken: " + cause.getClass().getSimpleName());
        taker.member.thread.note("has no set: " + cause);
        if (!(cause instanceof InterruptedException)) {
            known(cause);
        }
        takeLater(taker);
    }

    private void takeLater(SetTaker taker) {
        later(taker.member, 200, () -> takeAgain(taker));
    }

    private void taken(SetTaker taker, Wanted wanted, MultiHold hold) {
        var had = new Had(taker, all.size(), hold, sim.now());
        taker.member.thread.note("has " + had);
        counts.add("sets");
        sim.check(hold.holds().keySet().equals(wanted.locks()), () -> had + " was given for " + wanted);
        sim.check(hold.state() != HoldState.LOST, () -> had + " was given, and is lost");
        hold.holds().forEach((lock, part) -> taken(had, lock, part));
        taker.grants++;
        all.add(had);
        open.add(had);
        hold.onLost(lost -> guarded(() -> lost(had, lost)).run());
        if (chance.nextInt(3) == 0) {
            later(taker.member, 400, () -> write(had));
        }
        later(taker.member, stopping() ? 50 : chance.nextInt(6) == 0 ? 3_000 : 400, () -> close(had));
    }

    private void taken(Had had, String lock, Hold part) {
        Optional<Entry> entry = server.line(line(lock)).stream()
                .filter(each -> each.token() == part.token())
                .findFirst();
        entry.ifPresent(its -> had.entries.put(lock, its));
        if (had.isCertain(lock) && entry.isPresent() && !server.isMeddledWith(entry.get())) {
            long before = newest.getOrDefault(lock, 0L);
            sim.check(part.token() > before, () -> had + " was granted after token " + before + " of " + lock);
            newest.put(lock, part.token());
        }
    }

    private void lost(Had had, Hold lost) {
        had.taker.member.thread.note("has lost " + lost + " of set " + had.number);
        counts.add("sets lost");
        had.signals++;
        sim.check(!had.closed, () -> had + " is said to be lost, and is closed");
        sim.check(had.signals == 1, () -> had + " was said to be lost twice");
        sim.check(lost.state() == HoldState.LOST, () -> had + " is said to have lost " + lost);
    }

    private void write(Had had) {
        if (had.isUsed()) {
            CompletableFuture<Boolean> written = had.taker.member.baton.transactAsync(
                    had.hold.guards(), List.of(Op.put(WRITTEN, String.valueOf(had.number))));
            Futures.onDone(written, (applied, failure) -> {
                if (failure != null) {
                    guarded(() -> known(failure)).run();
                } else {
                    counts.add(applied ? "writes" : "writes refused");
                }
            });
        }
    }

    private void close(Had had) {
        if (had.isUsed()) {
            had.taker.member.thread.note("closes " + had);
            had.closed = true;
            var unused = had.hold.releaseAsync();
            later(had.taker.member, chance.nextBoolean() ? 1 : 300, () -> takeAgain(had.taker));
        }
    }

    // ---- rules

    private void check() {
        open.removeIf(had ->
                had.closed || (had.taker.member.gone() && had.hold.remaining().isZero()));
        open.forEach(this::check);
        locks.forEach(this::checkHeldOnce);
        overdue.removeIf(its -> its.isAnswered() || its.taker.member.gone());
        overdue.forEach(this::checkAnswered);
        if (looked != server.version()) {
            looked = server.version();
            server.record(WRITTEN).ifPresent(item -> checkWritten(item.text()));
        }
    }

    private void check(Had had) {
        List<HoldState> states =
                had.hold.holds().values().stream().map(Hold::state).toList();
        HoldState worst =
                BY_WEIGHT.stream().filter(states::contains).findFirst().orElseThrow();
        sim.check(had.hold.state() == worst, () -> had + " is " + had.hold.state() + ", and its parts are " + states);
        sim.check(
                worst != HoldState.RELEASED || had.taker.member.gone(),
                () -> had + " was released, and nobody has closed it");
        had.hold
                .holds()
                .values()
                .forEach(part -> sim.check(
                        had.hold.remaining().compareTo(part.remaining()) <= 0,
                        () -> had + " is certain for longer than " + part));
        if (worst != HoldState.LOST || had.signals > 0 || had.taker.member.process.paused()) {
            had.owedAt = sim.now();
        }
        sim.check(sim.now() - had.owedAt < SIGNALLED_NANOS, () -> had + " is lost, and nobody was told");
    }

    private void checkHeldOnce(String lock) {
        @Nullable Had other = null;
        for (Had had : open) {
            Entry entry = had.entries.get(lock);
            if (entry != null && had.isCertain(lock) && !server.isMeddledWith(entry)) {
                Had before = other;
                sim.check(before == null, () -> lock + " of " + had + " is held twice: " + before);
                other = had;
            }
        }
    }

    private void checkAnswered(Try its) {
        if (its.taker.member.process.paused()) {
            its.owedAt = sim.now();
        }
        sim.check(
                sim.now() - its.owedAt < SIGNALLED_NANOS,
                () -> its.taker.member.name + " waits, though its time is over");
    }

    private void checkWritten(String number) {
        if (number.equals(written)) {
            return;
        }
        written = number;
        Had had = all.get(Integer.parseInt(number));
        had.hold.holds().keySet().forEach(lock -> {
            Entry entry = had.entries.get(lock);
            sim.check(
                    entry != null && server.stands(entry),
                    () -> had + " has written, and its entry of " + lock + " has gone");
        });
    }

    // ---- the end

    @Override
    void recover() {
        calm = true;
        awaitGrants("everybody has what it asks for, twice", 2);
    }

    @Override
    void stop() {
        awaitIdle("everybody is answered");
    }

    @Override
    boolean judge() {
        checkNothingIsLeft();
        return all.size() >= LEAST;
    }

    @Override
    void cleanUp() {
        waiting.forEach(BlockingCall::abandon);
    }
}
