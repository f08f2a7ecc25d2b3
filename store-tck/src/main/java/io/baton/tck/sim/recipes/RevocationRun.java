package io.baton.tck.sim.recipes;

import io.baton.CoordinatorClosedException;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Item;
import io.baton.LockLostException;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.ReleaseRequest;
import io.baton.Released;
import io.baton.recipe.Futures;
import io.baton.recipe.Resource;
import io.baton.recipe.TextLines;
import io.baton.tck.sim.recipes.LineHistory.Stay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Processes hold one lock in turn. Others ask the holder for its release, which releases, now or later, refuses, now or
 * later, does nothing, or does not listen. Operators evict holders and those that wait.
 *
 * <p>A request is on record while the hold that it names stands, and gives way to a later one only. Its holder alone is
 * told of it, once, and not after its end. A refusal is the holder's, in its words, to the request that it was told of.
 * A release is answered once the entry has gone, a free line if nobody stood there, and no answer when the time is over
 * and not before. A request that is on record does not fail. An eviction removes the entry that was named, is on record,
 * and its owner is told; no hold goes unless somebody has taken or given it back. Once all is well, listeners are told
 * and answers arrive soon. In the end no request is on record, but those of processes that were killed.
 */
final class RevocationRun extends TakerRun<TakerRun.Taker> {

    private static final Resource LOCK = Resource.lock("tck");
    private static final RecordKey RECORD = LOCK.record("baton.releases");
    private static final int LEAST = 5;

    /** The longest freeze, the sessions of the dead, and what was under way. */
    private static final Duration SETTLED = Duration.ofSeconds(12);

    /** Once the store has removed an entry, its owner is told in this time: its deadline, and a moment. */
    private static final long TOLD_NANOS = Duration.ofSeconds(5).toNanos();

    /** Once all is well, the store itself tells it. */
    private static final long TOLD_SOON_NANOS = Duration.ofSeconds(1).toNanos();

    private final LineHistory line = new LineHistory(server, LOCK.line().path());
    private final SimEvictors evictors = new SimEvictors(this, LOCK);
    private final Map<Long, Had> had = new LinkedHashMap<>();
    private final List<Had> open = new ArrayList<>();
    private final Map<String, Ask> asks = new LinkedHashMap<>();
    private final List<Ask> pending = new ArrayList<>();
    private Note note = Note.NONE;
    private long looked = -1;
    private @Nullable Item known;
    private long settledAt = Long.MAX_VALUE;

    /** A hold that a program was given. */
    private static final class Had {

        private final Taker taker;
        private final Hold hold;
        private final List<String> told = new ArrayList<>();
        private final Map<String, String> refused = new HashMap<>();
        private boolean listens;
        private boolean closed;
        private boolean lost;
        private long endedAt;
        private long owedAt;
        private long untoldAt;

        Had(Taker taker, Hold hold) {
            this.taker = taker;
            this.hold = hold;
        }

        Member member() {
            return taker.member;
        }

        boolean hasEnded() {
            return closed || hold.state() == HoldState.LOST;
        }

        @Override
        public String toString() {
            return member().name + "'s hold " + hold.token();
        }
    }

    /** A request to release. */
    private static final class Ask {

        private final Member by;
        private final String reason;
        private final Duration limit;
        private final long askedAt;
        private final long begun;
        private long token;
        private boolean replaced;
        private boolean off;
        private boolean done;
        private boolean wasNotWritten;
        private long owedAt;
        private long offAt;
        private long answerableAt = Long.MAX_VALUE;

        Ask(Member by, String reason, Duration limit, long now) {
            this.by = by;
            this.reason = reason;
            this.limit = limit;
            this.askedAt = now;
            this.begun = by.thread.nanoTime();
        }

        /** Whether its time is over, by the clock of its process. */
        boolean isLate() {
            return by.thread.nanoTime() - begun >= limit.toNanos();
        }

        boolean isOnRecord() {
            return token > 0;
        }

        @Override
        public String toString() {
            return by.name + "'s request '" + reason + "'";
        }
    }

    /** A request as it is on record. */
    private record Note(
            String id,
            long token,
            String by,
            String reason,
            @Nullable String refused) {

        static final Note NONE = new Note("", 0, "", "", null);

        static Note of(Item record) {
            Map<String, String> lines = TextLines.decode(record.value());
            return new Note(
                    lines.getOrDefault("id", ""),
                    TextLines.number(lines.getOrDefault("token", "")),
                    lines.getOrDefault("by", ""),
                    lines.getOrDefault("why", ""),
                    lines.get("refused"));
        }
    }

    RevocationRun(long seed) {
        super(seed);
        sim.afterEveryStep(this::check);
        evictLater();
        askLater();
    }

    @Override
    List<String> lines() {
        return List.of(LOCK.line().path());
    }

    @Override
    Taker taker(Member member) {
        return new Taker(member);
    }

    // ---- what programs do

    @Override
    void take(Taker taker) {
        CompletableFuture<Hold> hold = taker.member.baton.lock(LOCK.name()).acquireAsync();
        if (chance.nextInt(6) == 0) {
            later(taker.member, 2_000, () -> hold.cancel(false));
        }
        Futures.onDone(
                hold,
                (given, failure) -> guarded(() -> {
                            if (failure == null) {
                                taken(new Had(taker, given));
                            } else {
                                counts.add("locks not taken: "
                                        + known(failure).getClass().getSimpleName());
                                later(taker.member, 400, () -> takeAgain(taker));
                            }
                        })
                        .run());
    }

    private void taken(Had its) {
        its.member().thread.note("has " + its);
        counts.add("grants");
        its.taker.grants++;
        its.owedAt = sim.now();
        had.put(its.hold.token(), its);
        open.add(its);
        its.hold.onLost(() -> guarded(() -> lost(its)).run());
        if (chance.nextInt(6) > 0) {
            later(its.member(), chance.nextBoolean() ? 1 : 500, () -> listen(its));
        }
        later(its.member(), stopping() ? 50 : chance.nextBoolean() ? 3_000 : 800, () -> close(its));
    }

    private void listen(Had its) {
        if (!its.hasEnded() && !its.member().gone()) {
            its.listens = true;
            its.untoldAt = sim.now();
            its.hold.onReleaseRequested(
                    request -> guarded(() -> told(its, request)).run());
        }
    }

    private void lost(Had its) {
        counts.add("losses");
        sim.check(!its.closed, () -> its + " is said to be lost, and is closed");
        sim.check(!its.lost, () -> its + " is said to be lost twice");
        sim.check(its.hold.state() == HoldState.LOST, () -> its + " is said to be lost: " + its.hold.state());
        its.lost = true;
        try {
            its.hold.ensureValid(Duration.ZERO);
            sim.check(false, its + " is lost, and valid");
        } catch (LockLostException ended) {
            String why = String.valueOf(ended.getMessage());
            its.member().thread.note(anonymous(why));
            sim.check(
                    !isSettled() || !evictors.hasEvicted(its.hold.token()) || why.contains("was removed"),
                    () -> its + " was evicted, and says: " + why);
        }
    }

    private void close(Had its) {
        if (!its.closed && !its.member().gone()) {
            its.closed = true;
            its.member().thread.note("closes " + its);
            var unused = its.hold.releaseAsync();
            later(its.member(), 300, () -> takeAgain(its.taker));
        }
    }

    private void told(Had its, ReleaseRequest request) {
        its.member().thread.note(its + " is asked: " + request.reason());
        counts.add("requests told");
        Ask ask = asks.get(request.reason());
        sim.check(
                ask != null && ask.token == its.hold.token() && ask.by.name.equals(request.by()),
                () -> its + " is told of a request to another: " + request.reason() + " by " + request.by());
        sim.check(!its.told.contains(request.reason()), () -> its + " is told twice: " + request.reason());
        sim.check(
                !its.hasEnded() || sim.now() - its.endedAt < SOON.toNanos(),
                () -> its + " has ended long ago, and is told: " + request.reason());
        its.told.add(request.reason());
        switch (chance.nextInt(6)) {
            case 0 -> close(its);
            case 1 -> later(its.member(), 1_500, () -> close(its));
            case 2, 3 -> refuse(its, request);
            case 4 -> later(its.member(), 800, () -> refuse(its, request));
            default -> counts.add("requests passed over");
        }
    }

    private void refuse(Had its, ReleaseRequest request) {
        if (!its.member().gone()) {
            counts.add("refusals");
            String why = its.hold.token() + " refuses '" + request.reason() + "'";
            its.member().thread.note(why);
            its.refused.put(request.reason(), why);
            request.refuse(why);
        }
    }

    private void evictLater() {
        sim.at(sim.now() + chance.nextLong(4_000_000_000L), () -> {
            if (!stopping()) {
                evictors.evictSome(members().get(chance.nextInt(members().size())));
                evictLater();
            }
        });
    }

    private void askLater() {
        sim.at(sim.now() + chance.nextLong(1_500_000_000L), () -> {
            if (!stopping()) {
                Member by = members().get(chance.nextInt(members().size()));
                later(by, 1, () -> ask(by));
                askLater();
            }
        });
    }

    private void ask(Member by) {
        if (by.gone() || stopping()) {
            return;
        }
        Duration limit = Duration.ofMillis(chance.nextInt(isSettled() ? 5_000 : 50, 8_000));
        var ask = new Ask(by, "number " + asks.size(), limit, sim.now());
        asks.put(ask.reason, ask);
        pending.add(ask);
        ask.owedAt = sim.now();
        by.thread.note("asks within " + limit + ": " + ask.reason);
        Futures.onDone(
                by.baton.lock(LOCK.name()).requestRelease(ask.reason, limit),
                (answer, failure) -> guarded(() -> {
                            ask.done = true;
                            if (failure == null) {
                                answered(ask, answer);
                            } else {
                                failed(ask, known(failure));
                            }
                        })
                        .run());
    }

    // ---- rules of answers

    private void answered(Ask ask, Released answer) {
        counts.add("requests: " + answer.outcome());
        ask.by.thread.note(ask + ": " + answer);
        Stay asked = line.of(ask.token);
        boolean right = switch (answer.outcome()) {
            case FREE -> !ask.isOnRecord() && line.wasEmptySince(ask.askedAt);
            case RELEASED -> asked == null ? line.hasLostSomeSince(ask.askedAt) : asked.isGone();
            case REFUSED -> answer.answer().equals(refusal(ask));
            case UNANSWERED -> ask.isLate() && sim.now() - ask.answerableAt < SOON.toNanos();
        };
        sim.check(right, () -> ask + " of " + ask.token + " is answered: " + answer);
        sim.check(
                answer.outcome() == Released.Outcome.REFUSED || answer.answer().isEmpty(),
                () -> ask + " has words of nobody: " + answer);
    }

    private String refusal(Ask ask) {
        Had its = had.get(ask.token);
        return its == null ? "" : its.refused.getOrDefault(ask.reason, "");
    }

    private void failed(Ask ask, Throwable cause) {
        counts.add("requests: " + cause.getClass().getSimpleName());
        ask.by.thread.note(ask + ": " + cause);
        sim.check(
                !(cause instanceof OutcomeUnknownException),
                () -> ask + " may be on record, and is not waited for: " + cause);
        if (!(cause instanceof CoordinatorClosedException)) {
            sim.check(!ask.isOnRecord(), () -> ask + " is or was on record, and fails: " + cause);
            ask.wasNotWritten = true;
        }
    }

    // ---- rules of each step

    private void check() {
        if (looked != server.version()) {
            looked = server.version();
            List<Stay> gone = line.look();
            evictors.look(gone);
            gone.forEach(this::checkGone);
            Item now = server.record(RECORD).orElse(null);
            if (now == null ? known != null : !now.equals(known)) {
                known = now;
                checkRecord(now == null ? Note.NONE : Note.of(now));
            }
        }
        open.removeIf(its -> its.member().gone() || (its.closed && its.hold.state() != HoldState.LOST && isGone(its)));
        open.forEach(this::check);
        pending.removeIf(ask -> ask.by.gone() || ask.done);
        pending.forEach(this::check);
    }

    private boolean isGone(Had its) {
        Stay stay = line.of(its.hold.token());
        return stay == null || stay.isGone();
    }

    /** No hold goes by itself. */
    private void checkGone(Stay gone) {
        Had its = had.get(gone.token());
        boolean taken = server.isMeddledWith(gone.entry)
                || evictors.hasEvicted(gone.token())
                || !server.lives(gone.entry.session());
        sim.check(
                its == null || its.hasEnded() || its.member().gone() || taken,
                () -> its + " has gone, and nobody has taken it");
    }

    private void checkRecord(Note now) {
        Note before = note;
        note = now;
        Ask former = asks.get(before.reason());
        if (former != null && !now.id().equals(before.id())) {
            former.off = true;
            former.offAt = sim.now();
            former.replaced |= !now.id().isEmpty();
        }
        Ask ask = asks.get(now.reason());
        if (now.id().isEmpty()) {
            return;
        }
        sim.check(ask != null && ask.by.name.equals(now.by()), () -> "nobody asks: " + now);
        Stay asked = line.of(now.token());
        sim.check(asked != null && !asked.isGone(), () -> "a hold that has ended is asked, or answers: " + now);
        if (ask == null) {
            return;
        }
        if (now.refused() == null) {
            sim.check(!ask.isOnRecord(), () -> ask + " is on record once more");
            sim.check(!ask.wasNotWritten, () -> ask + " has failed, and is on record");
            ask.token = now.token();
        } else {
            sim.check(
                    now.id().equals(before.id()) && now.refused().equals(refusal(ask)),
                    () -> ask + " is refused: " + now + ", after " + before);
        }
    }

    private void check(Had its) {
        boolean paused = its.member().process.paused();
        boolean ended = its.hasEnded();
        if (!ended || paused) {
            its.endedAt = sim.now();
        }
        boolean taken = evictors.hasEvicted(its.hold.token()) && !its.closed && !its.lost;
        its.owedAt = taken && !paused ? its.owedAt : sim.now();
        long most = isSettled() ? TOLD_SOON_NANOS : TOLD_NANOS;
        sim.check(sim.now() - its.owedAt < most, () -> its + " was evicted, and nobody has told its program");

        boolean untold = isSettled()
                && its.listens
                && !ended
                && !paused
                && note.token() == its.hold.token()
                && note.refused() == null
                && !its.told.contains(note.reason());
        its.untoldAt = untold ? its.untoldAt : sim.now();
        sim.check(sim.now() - its.untoldAt < SOON.toNanos(), () -> its + " listens, and nobody tells it of " + note);
    }

    private void check(Ask ask) {
        boolean paused = ask.by.process.paused();
        ask.owedAt = ask.isLate() && !paused ? ask.owedAt : sim.now();
        sim.check(sim.now() - ask.owedAt < SOON.toNanos(), () -> ask + " is not over, and its time is");

        ask.offAt = ask.off && !ask.replaced && !paused ? ask.offAt : sim.now();
        sim.check(sim.now() - ask.offAt < SOON.toNanos(), () -> ask + " waits, and is not on record any more");

        Stay asked = line.of(ask.token);
        Had its = had.get(ask.token);
        boolean refused = its != null
                && !its.hasEnded()
                && !its.member().process.paused()
                && !its.member().gone()
                && its.refused.containsKey(ask.reason);
        boolean answerable = isSettled() && !paused && asked != null && (asked.isGone() || (refused && !ask.replaced));
        ask.answerableAt = answerable ? Math.min(ask.answerableAt, sim.now()) : Long.MAX_VALUE;
        sim.check(
                !answerable || sim.now() - ask.answerableAt < SOON.toNanos(),
                () -> ask + " has no answer, though its holder has decided");
    }

    private boolean isSettled() {
        return sim.now() >= settledAt;
    }

    // ---- the end

    @Override
    void recover() {
        sim.runFor(SETTLED);
        settledAt = sim.now();
        awaitGrants("everybody is granted twice more", 2);
    }

    @Override
    void stop() {
        awaitIdle("everybody has released");
        await("everybody is answered", pending::isEmpty);
        await("no request is on record", () -> known == null || isOfTheGone(note));
    }

    /** Whether its process could not withdraw it. */
    private boolean isOfTheGone(Note request) {
        return Optional.ofNullable(asks.get(request.reason()))
                .filter(ask -> ask.by.gone())
                .isPresent();
    }

    @Override
    boolean judge() {
        checkNothingIsLeft();
        return had.size() >= LEAST;
    }
}
