package io.baton.tck.sim.recipes;

import io.baton.HoldState;
import io.baton.PermitHold;
import io.baton.RecordKey;
import io.baton.SessionState;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipes.Seat;
import io.baton.recipes.Seats;
import io.baton.recipes.internal.SeatHints;
import io.baton.recipes.internal.SeatSearch;
import io.baton.spi.Entry;
import io.baton.spi.Names;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Processes that take seats, keep them for a while, and give them back. Some programs do not close a seat that was lost.
 * Some try, with a time limit or without waiting: as {@link Seats} does, but the permit comes without a thread.
 *
 * <p>No seat is had twice. A seat that a program has and has not closed is never released, and its loss is signalled. The
 * lock of a seat stands in the line no longer than its permit. A try ends when its time is over, and leaves
 * nothing. In the end all seats are taken, if there are enough that want one, and then nothing is left.
 */
final class SeatsRun extends TakerRun<SeatsRun.SeatTaker> {

    private static final String NAME = "tck";
    private static final String QUEUE = "semaphores/" + NAME;
    private static final String PERMITS = "baton.permits/" + NAME;
    private static final int LEAST = 5;
    private static final long SIGNALLED_NANOS = 1_000_000_000;

    private final int number;
    private final List<Had> open = new ArrayList<>();
    private final List<Had> standing = new ArrayList<>();
    private final List<Try> overdue = new ArrayList<>();
    private final Map<Integer, Long> newest = new HashMap<>();
    private boolean calm;
    private boolean keeping;
    private long looked;
    private int grants;

    /** Somebody who takes one seat after the other. */
    static final class SeatTaker extends TakerRun.Taker {

        private final Seats seats;
        private final RecipeContext context;
        private final SeatHints hints;

        SeatTaker(Member member, int number) {
            super(member);
            this.seats = Seats.named(member.baton, NAME, number);
            this.context = RecipeContext.of(member.baton, "seats");
            this.hints = new SeatHints(context, new RecordKey(Seats.TREE, NAME));
        }
    }

    /** A search whose time is limited. */
    private static final class Try {

        private final SeatTaker taker;
        private final SeatSearch search;
        private boolean answered;
        private boolean interrupted;
        private long owedAt;

        Try(SeatTaker taker, SeatSearch search) {
            this.taker = taker;
            this.search = search;
        }
    }

    /** A seat that a program was given. */
    private static final class Had {

        private final SeatTaker taker;
        private final Seat seat;
        private final @Nullable Entry entry;
        private boolean closed;
        private boolean kept;
        private boolean forgotten;
        private int signals;
        private boolean seenLost;
        private long owedAt;
        private boolean disturbed;
        private long pauses;

        Had(SeatTaker taker, Seat seat, @Nullable Entry entry, long now) {
            this.owedAt = now;
            this.pauses = taker.member.process.pauses();
            this.taker = taker;
            this.seat = seat;
            this.entry = entry;
        }

        boolean isValid() {
            HoldState state = seat.state();
            return !closed
                    && (state == HoldState.HELD || state == HoldState.JEOPARDY)
                    && !seat.remaining().isZero();
        }

        /** Whether its process was always in contact, so that neither lock nor permit can have been lost by its clock. */
        boolean isUndisturbed() {
            disturbed |=
                    taker.member.process.pauses() != pauses || taker.member.baton.state() != SessionState.CONNECTED;
            return !disturbed;
        }

        @Override
        public String toString() {
            return taker.member.name + "'s " + seat;
        }
    }

    SeatsRun(long seed) {
        super(seed);
        number = chance.nextInt(1, 4);
        sim.afterEveryStep(this::check);
    }

    private static String lock(int number) {
        return "locks/" + Names.encode(NAME + "/" + number);
    }

    @Override
    List<String> lines() {
        return Stream.concat(
                        Stream.of(QUEUE, PERMITS), IntStream.range(0, number).mapToObj(SeatsRun::lock))
                .toList();
    }

    @Override
    SeatTaker taker(Member member) {
        return new SeatTaker(member, number);
    }

    @Override
    void take(SeatTaker taker) {
        if (!calm && chance.nextInt(3) == 0) {
            tryTake(taker);
            return;
        }
        var answer = taker.seats.takeAsync();
        if (!calm && chance.nextInt(5) == 0) {
            later(taker.member, chance.nextBoolean() ? 10 : 1_500, () -> answer.cancel(false));
        }
        Futures.onDone(
                answer,
                (seat, failure) -> guarded(() -> {
                            if (failure == null) {
                                taken(taker, seat);
                            } else {
                                notTaken(taker, failure);
                            }
                        })
                        .run());
    }

    private void notTaken(SeatTaker taker, Throwable failure) {
        counts.add("seats not taken: " + known(failure).getClass().getSimpleName());
        taker.member.thread.note("no seat: " + failure);
        later(taker.member, 200, () -> takeAgain(taker));
    }

    private void tryTake(SeatTaker taker) {
        boolean once = chance.nextInt(3) == 0;
        CompletableFuture<PermitHold> permit =
                taker.member.baton.semaphore(NAME, number).acquireAsync(1);
        later(taker.member, once ? 100 : 2_000, () -> permit.cancel(false));
        Futures.onDone(
                permit,
                (hold, failure) -> guarded(() -> {
                            if (failure == null) {
                                search(taker, hold, once);
                            } else {
                                notTaken(taker, failure);
                            }
                        })
                        .run());
    }

    private void search(SeatTaker taker, PermitHold permit, boolean once) {
        int first = once && chance.nextBoolean() ? chance.nextInt(number) : -1;
        var room = first < 0
                ? new SeatSearch.Room(NAME, 0, number, taker.hints)
                : new SeatSearch.Room(NAME, first, first + 1, taker.hints);
        var its = new Try(
                taker,
                once
                        ? SeatSearch.once(taker.context, room, permit)
                        : SeatSearch.untilFound(taker.context, room, permit));
        later(taker.member, chance.nextBoolean() ? 20 : 2_000, () -> timeOver(its));
        Futures.onDone(
                taker.context.callbacks().completeInCallback(its.search.outcome()),
                (found, failure) -> guarded(() -> {
                            its.answered = true;
                            if (its.interrupted) {
                                return; // nobody is told
                            }
                            if (failure == null) {
                                searched(taker, found);
                            } else {
                                notTaken(taker, failure);
                            }
                        })
                        .run());
    }

    private void timeOver(Try its) {
        if (its.answered) {
            return;
        }
        its.owedAt = sim.now();
        overdue.add(its);
        if (chance.nextInt(3) == 0) {
            counts.add("tries interrupted");
            its.interrupted = true;
            its.search.giveUp();
            later(its.taker.member, 200, () -> takeAgain(its.taker));
        } else {
            counts.add("tries whose time is over");
            its.search.timeOver();
        }
    }

    private void searched(SeatTaker taker, Optional<Seat> found) {
        if (found.isPresent()) {
            counts.add("tries that found a seat");
            taken(taker, found.get());
        } else {
            counts.add("tries that found none");
            later(taker.member, 200, () -> takeAgain(taker));
        }
    }

    private void taken(SeatTaker taker, Seat seat) {
        Entry entry = server.line(lock(seat.number())).stream()
                .filter(each -> each.token() == seat.token())
                .findFirst()
                .orElse(null);
        var had = new Had(taker, seat, entry, sim.now());
        taker.member.thread.note("has " + seat);
        counts.add("grants");
        grants++;
        taker.grants++;
        if (had.isValid() && entry != null && !server.isMeddledWith(entry)) {
            long before = newest.getOrDefault(seat.number(), 0L);
            sim.check(seat.token() > before, () -> had + " was granted after token " + before);
            newest.put(seat.number(), seat.token());
        }
        open.add(had);
        standing.add(had);
        seat.onLost(guarded(() -> lost(had)));
        if (keeping) {
            had.kept = true;
        } else {
            later(taker.member, stopping() ? 50 : chance.nextInt(6) == 0 ? 5_000 : 600, () -> close(had));
        }
    }

    private void lost(Had had) {
        had.taker.member.thread.note("has lost " + had.seat);
        counts.add("seats lost");
        had.signals++;
        sim.check(had.signals == 1, () -> had + " was said to be lost twice");
        sim.check(had.seat.state() == HoldState.LOST, () -> had + " is said to be lost");
        if (chance.nextInt(3) > 0) {
            later(had.taker.member, 200, () -> close(had));
        } else {
            had.forgotten = true;
            later(had.taker.member, 200, () -> takeAgain(had.taker));
        }
    }

    private void close(Had had) {
        if (!had.closed && !had.forgotten && !had.taker.member.gone()) {
            had.taker.member.thread.note("closes " + had.seat);
            had.closed = true;
            had.kept = false;
            var unused = had.seat.releaseAsync();
            later(had.taker.member, chance.nextBoolean() ? 1 : 400, () -> takeAgain(had.taker));
        }
    }

    // ---- rules

    private void check() {
        open.removeIf(had -> had.closed || (had.taker.member.gone() && !had.isValid()));
        Map<Integer, Had> valid = new HashMap<>();
        for (Had had : open) {
            HoldState state = had.seat.state();
            sim.check(
                    state != HoldState.RELEASED || had.taker.member.gone(),
                    () -> had + " was released, and nobody has closed it");
            signalled(had, state);
            if (had.isValid() && had.entry != null && !server.isMeddledWith(had.entry)) {
                Had other = valid.put(had.seat.number(), had);
                sim.check(other == null, () -> had + " is had twice: " + other);
            }
        }
        overdue.removeIf(its -> its.answered || its.taker.member.gone());
        overdue.forEach(this::checkAnswered);
        standing.forEach(Had::isUndisturbed);
        if (looked != server.version()) {
            looked = server.version();
            standing.removeIf(had -> had.entry == null || !server.stands(had.entry));
            checkPermits();
        }
    }

    private void checkAnswered(Try its) {
        if (its.taker.member.process.paused()) {
            its.owedAt = sim.now();
        }
        sim.check(
                sim.now() - its.owedAt < SIGNALLED_NANOS,
                () -> its.taker.member.name + "'s search goes on, though its time is over");
    }

    private void signalled(Had had, HoldState state) {
        sim.check(!had.seenLost || state == HoldState.LOST, () -> had + " was lost before");
        had.seenLost = state == HoldState.LOST;
        if (!had.seenLost || had.signals > 0 || had.taker.member.process.paused()) {
            had.owedAt = sim.now();
        }
        sim.check(sim.now() - had.owedAt < SIGNALLED_NANOS, () -> had + " is lost, and nobody was told");
    }

    /**
     * With a permit, there is a seat: so a seat's lock goes before its permit. Not if both go by themselves, as the time of
     * their session was over by the clock of its owner.
     */
    private void checkPermits() {
        Map<String, Integer> seats = new HashMap<>();
        for (Had had : standing) {
            Entry entry = had.entry;
            if (entry != null && had.isUndisturbed() && !server.isMeddledWithSome(entry.session())) {
                seats.merge(entry.session(), 1, Integer::sum);
            }
        }
        seats.forEach((session, its) -> {
            long permits = server.line(PERMITS).stream()
                    .filter(entry -> entry.session().equals(session))
                    .count();
            sim.check(permits >= its, () -> session + " has " + its + " seats and " + permits + " permits");
        });
    }

    @Override
    void recover() {
        calm = true;
        awaitGrants("everybody has a seat again", 1);
        keeping = true;
        int wanted = Math.min(number, living().size());
        await(
                "as many have seats as can",
                () -> open.stream().filter(had -> had.kept && had.isValid()).count() == wanted);
        keeping = false;
        List.copyOf(open).stream()
                .filter(had -> had.kept)
                .forEach(had -> later(had.taker.member, 100, () -> close(had)));
    }

    @Override
    void stop() {
        awaitIdle("everybody is answered");
    }

    @Override
    boolean judge() {
        checkNothingIsLeft();
        open.forEach(had -> sim.check(
                had.taker.member.gone() || had.signals == 1,
                () -> had + " is not closed, and was not said to be lost"));
        return grants >= LEAST;
    }
}
