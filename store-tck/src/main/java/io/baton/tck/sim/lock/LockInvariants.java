package io.baton.tck.sim.lock;

import io.baton.Hold;
import io.baton.HoldState;
import io.baton.spi.Claim;
import io.baton.tck.sim.lock.LockTruth.Entry;
import io.baton.tck.sim.lock.LockTruth.Written;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The invariants of a lock at every moment of a simulated run and at its end. Truth is what the store has decided,
 * which no client can learn sooner.
 */
public final class LockInvariants implements Interventions {

    /** The time within which a running process must signal the loss of a hold after its entry is gone. */
    private static final long SIGNAL_NANOS = 30_000_000;

    private final Simulation sim;
    private final LockTruth truth;
    private final Admission admission;
    private final List<Held> all = new ArrayList<>();
    private final List<Held> open = new ArrayList<>();
    private final Set<Long> deletedByHand = new HashSet<>();
    private final Set<Long> neverToBeGranted = new HashSet<>();
    private final Set<Long> endingByHand = new HashSet<>();
    private final Set<Long> downgraded = new HashSet<>();
    private boolean marksLast;

    /** By the tokens of entries in sessions ended by hand: the holds of the same session ahead of them. */
    private final Map<Long, List<Held>> endedBehind = new HashMap<>();

    private final Set<Long> tokens = new HashSet<>();
    private final Set<Fence> fences = new HashSet<>();
    private final Set<String> committed = new HashSet<>();
    private final Map<String, @Nullable Boolean> outcomes = new HashMap<>();
    private long newestToken;
    private long newestTurn;
    private long newestExclusive;
    private Fence newestWriter = new Fence(0, 0);
    private long recordRevision;
    private long version = -1;
    private int values;
    private long downgrades;
    private long failedDowngrades;
    private long shared;
    private final List<Consumer<Held>> losses = new ArrayList<>();
    private Duration afterPauses = Duration.ZERO;
    private boolean eventsForgotten;
    private Predicate<Throwable> mayFail = why -> true;
    private @Nullable Throwable broken;

    /** Checks a line in which entries are admitted by their claims, after every step from now on. */
    public LockInvariants(Simulation sim, LockTruth truth) {
        this(sim, truth, new ClaimAdmission(sim, truth));
    }

    LockInvariants(Simulation sim, LockTruth truth, Admission admission) {
        this.sim = sim;
        this.truth = truth;
        this.admission = admission;
        sim.afterEveryStep(this::check);
    }

    /** The order of holds: by tokens, and of those with the same token by turns. */
    private record Fence(long token, long turn) {

        static Fence of(Hold hold) {
            return new Fence(hold.token(), hold.turn());
        }

        /** Reads what {@link #toString} gives. */
        static Fence of(String text) {
            int slash = text.indexOf('/');
            return slash < 0
                    ? new Fence(Long.parseLong(text), 0)
                    : new Fence(Long.parseLong(text.substring(0, slash)), Long.parseLong(text.substring(slash + 1)));
        }

        boolean isBefore(Fence other) {
            return token < other.token || (token == other.token && turn < other.turn);
        }

        @Override
        public String toString() {
            return turn == 0 ? Long.toString(token) : token + "/" + turn;
        }
    }

    /** A hold that was given to a contender. */
    static final class Held {
        final SimContender owner;
        Hold hold;
        Claim claim;
        final @Nullable Entry entry;
        final long pausesBefore;
        final long grantedAt;
        boolean released;
        boolean downgrading;
        boolean toldByDowngrade;
        boolean removed;
        int lostSignals;
        private boolean seenLost;
        private boolean doubted;
        private boolean unseen;
        private boolean fresh = true;
        private boolean stands;
        long goneSince = -1;
        private long validWithout;
        private long lookedAt;
        private boolean wasValid;
        private long downgradedAt = Long.MIN_VALUE / 2;

        Held(SimContender owner, Hold hold, Claim claim, @Nullable Entry entry, long grantedAt) {
            this.grantedAt = grantedAt;
            this.owner = owner;
            this.hold = hold;
            this.claim = claim;
            this.entry = entry;
            this.pausesBefore = owner.process().pauses();
        }

        long token() {
            return hold.token();
        }

        /** The state of the hold; once LOST, always LOST. */
        HoldState look() {
            HoldState state = hold.state();
            if (seenLost && state != HoldState.LOST) {
                throw new AssertionError(this + " was lost before");
            }
            seenLost = state == HoldState.LOST;
            if (state == HoldState.HELD && hold.remaining().isZero()) {
                throw new AssertionError(this + " says that it is held, with no time left");
            }
            return state;
        }

        /** How long it has been valid since its entry went, by the clock of its own process. */
        long validWithoutEntry() {
            long now = owner.process().nanoTime();
            if (wasValid) {
                validWithout += now - lookedAt;
            }
            lookedAt = now;
            wasValid = valid();
            return validWithout;
        }

        /** Whether it was neither released nor lost. */
        boolean isOpen() {
            return !released && lostSignals == 0;
        }

        boolean valid() {
            HoldState state = look();
            return (state == HoldState.HELD || state == HoldState.JEOPARDY)
                    && !hold.remaining().isZero();
        }

        @Override
        public String toString() {
            return owner.process().name() + "'s hold " + Long.toHexString(hold.token()) + " (" + hold.state() + ", "
                    + hold.remaining() + " left)";
        }
    }

    /** The entries that could be granted now, or have been. */
    List<Entry> due() {
        return admission.due();
    }

    /** The holds that were not released, and perhaps some more. */
    List<Held> open() {
        return open;
    }

    /** Whether a hold with this token was granted, and neither released nor lost. */
    boolean isHeld(long token) {
        for (Held held : open) {
            if (held.hold.token() == token && held.isOpen()) {
                return true;
            }
        }
        return false;
    }

    /** Whether a hold with this token was ever granted. */
    boolean wasGranted(long token) {
        return tokens.contains(token);
    }

    /** Whether this entry was deleted by hand, or is about to be. */
    boolean isDeletedByHand(long token) {
        return deletedByHand.contains(token);
    }

    /** Whether the store has been asked to end this session. */
    boolean isEndingByHand(long session) {
        return endingByHand.contains(session);
    }

    /** Runs a callback; an exception fails the run, though callbacks may throw. */
    public void guard(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException | Error thrown) {
            broken = broken == null ? thrown : broken;
        }
    }

    /** A contender received a hold; {@code undisturbed} if its process was not paused since the request. */
    Held granted(SimContender owner, Hold hold, Claim claim, boolean undisturbed) {
        admission.look();
        var held = new Held(owner, hold, claim, entryOf(hold.token()), sim.now());
        all.add(held);
        open.add(held);
        boolean goneWithAnother =
                endedBehind.getOrDefault(hold.token(), List.of()).stream().anyMatch(ahead -> !ahead.released);
        sim.check(
                !neverToBeGranted.contains(hold.token()) && !goneWithAnother,
                () -> held + " was granted without its entry");
        tokens.add(hold.token());
        sim.check(fences.add(Fence.of(hold)), () -> "token " + Long.toHexString(hold.token()) + " was granted twice");
        if (held.valid() && !deletedByHand.contains(hold.token())) {
            sim.check(held.entry != null, () -> held + " was granted without an entry");
            sim.check(
                    held.entry == null || admission.admits(held.entry),
                    () -> held + " was granted in the line " + claims());
            long before = claim.equals(Claim.SHARED) ? newestExclusive : newestToken;
            boolean turn = hold.token() == newestToken && hold.turn() > newestTurn;
            sim.check(
                    hold.token() > before || turn || !admission.ordersTokens(),
                    () -> held + " was granted after " + Long.toHexString(before));
        }
        boolean reads = claim.equals(Claim.SHARED) && held.valid();
        shared += reads && open.stream().anyMatch(other -> other != held && other.valid()) ? 1 : 0;
        boolean ending = held.entry != null && endingByHand.contains(held.entry.session());
        boolean closed = held.look() == HoldState.RELEASED;
        boolean good = held.valid() || deletedByHand.contains(hold.token()) || ending || closed;
        sim.check(good || !undisturbed, () -> held + " was worth nothing when it was granted");
        newestTurn = hold.token() >= newestToken ? hold.turn() : newestTurn;
        newestToken = Math.max(newestToken, hold.token());
        newestExclusive = claim.equals(Claim.EXCLUSIVE) ? Math.max(newestExclusive, hold.token()) : newestExclusive;
        return held;
    }

    /** The line as a text, with what each entry claims. */
    private List<String> claims() {
        return truth.line().stream()
                .map(entry -> entry + " " + truth.claim(entry))
                .toList();
    }

    /** The owner of a hold asks to share the line from now on, with those behind it. */
    void downgrading(Held held) {
        downgraded.add(held.token());
    }

    /** The owner of a hold has learned that it shares the line. */
    void downgraded(Held held, Hold reader) {
        sim.check(
                held.entry == null || !truth.stands(held.entry) || admission.wasShared(held.entry),
                () -> held + " was told to be downgraded, and the line is " + claims());
        if (marksLast) {
            admission.shares(held.token());
        }
        downgrades++;
        held.hold = reader;
        held.claim = Claim.SHARED;
        held.downgradedAt = sim.now();
    }

    /** The owner of a hold received the loss event. */
    void lost(Held held) {
        held.lostSignals++;
        held.look();
        losses.forEach(look -> look.accept(held));
    }

    /** Runs the check at every loss event. The check must change nothing. */
    void afterEveryLoss(Consumer<Held> look) {
        losses.add(look);
    }

    /** A contender's acquisition failed. */
    void failed(Throwable why) {
        sim.check(mayFail.test(why), () -> "an acquisition failed that need not have: " + why);
    }

    /** This entry is about to be deleted. A client that later finds no entry ahead of it also finds its own gone. */
    @Override
    public void deletedByHand(long token) {
        deletedByHand.add(token);
        admission.deletedByHand(token);
        Entry entry = entryOf(token);
        if ((entry == null || admission.keepsOut(entry)) && !eventsForgotten) {
            neverToBeGranted.add(token);
        }
    }

    /** The store was asked to end this session. Its owner may learn of that before the entries go. */
    @Override
    public void endingByHand(long session) {
        endingByHand.add(session);
    }

    /**
     * This session is about to end, with all its entries. As for {@link #deletedByHand}, but a waiter with only entries
     * of the same session ahead, released by then, may first learn of their removal.
     */
    @Override
    public void endedByHand(long session) {
        admission.endedByHand(session);
        for (Entry entry : truth.line()) {
            if (entry.session() != session) {
                continue;
            }
            deletedByHand.add(entry.token());
            List<Entry> awaited = admission.awaited(entry);
            boolean others = awaited.stream().anyMatch(ahead -> ahead.session() != session);
            if (others && !eventsForgotten) {
                neverToBeGranted.add(entry.token());
            }
            Set<Long> ahead = awaited.stream()
                    .filter(other -> other.session() == session)
                    .map(Entry::token)
                    .collect(Collectors.toSet());
            endedBehind.put(
                    entry.token(),
                    open.stream().filter(held -> ahead.contains(held.token())).toList());
        }
    }

    /** Whether a valid hold has this token. */
    @Override
    public boolean valid(long token) {
        return open.stream().anyMatch(held -> held.hold.token() == token && held.valid());
    }

    /** Returns a unique value for the record that holds the token of its writer. */
    String nextValue(Hold hold) {
        return Fence.of(hold) + ":" + values++;
    }

    void written(String value, @Nullable Boolean applied) {
        outcomes.put(value, applied);
    }

    /** The number of grants. */
    public int grants() {
        return all.size();
    }

    /** The names of the entries that were granted and still stood at that time. */
    public List<String> granted() {
        return all.stream()
                .filter(held -> held.entry != null)
                .map(held -> held.entry.name())
                .toList();
    }

    /** The number of holds lost. */
    public long losses() {
        return all.stream().filter(held -> held.lostSignals > 0).count();
    }

    /** Adds the counts of what happens to shared holds. */
    void addTo(Map<String, Long> totals) {
        totals.merge("downgrades", downgrades, Long::sum);
        totals.merge("downgrades that failed", failedDowngrades, Long::sum);
        totals.merge("readers beside others", shared, Long::sum);
    }

    /** A downgrade has failed, and nothing is held. */
    void notDowngraded(Held held) {
        failedDowngrades++;
        sim.check(held.hold.state() != HoldState.HELD, () -> held + " is held after a downgrade that failed");
    }

    /** The number of writes applied. */
    public long writes() {
        return committed.size();
    }

    /** The number of writes refused. */
    public long refusedWrites() {
        return outcomes.values().stream().filter(Boolean.FALSE::equals).count();
    }

    /** Checks the end of a run, after all have stopped and settled. */
    public void checkEnd() {
        admission.checkEnd();
        sim.check(truth.line().isEmpty(), () -> "left in the line: " + truth.line());
        for (Held held : all) {
            held.look(); // may signal a loss once more, which is wrong
            sim.check(
                    held.removed || held.owner.process().dead(),
                    () -> held + " was released, and its removal was never confirmed");
            sim.check(held.lostSignals <= 1, () -> held + " signalled its loss " + held.lostSignals + " times");
        }
        outcomes.forEach((value, applied) -> sim.check(
                applied == null || applied == committed.contains(value),
                "the write of " + value + " was told " + applied + ", which is not what happened"));
    }

    /** After a pause, a process may take this much longer to notice that its entry was deleted by hand. */
    public void allowAfterPauses(Duration time) {
        afterPauses = time;
    }

    /**
     * Allows servers to lose events. A waiter may then learn that those ahead have gone before it learns that its own
     * entry was deleted.
     */
    public void allowForgottenEvents() {
        eventsForgotten = true;
    }

    /** Nobody writes into entries by hand: what is downgraded stays so. */
    public void expectMarksToLast() {
        marksLast = true;
    }

    /** Fails the run when an acquisition fails for another reason than these. */
    public void judgeFailures(Predicate<Throwable> reasons) {
        mayFail = reasons;
    }

    /** Applies the same allowances as another line of the same run. */
    void likeThat(LockInvariants other) {
        afterPauses = other.afterPauses;
        eventsForgotten = other.eventsForgotten;
        mayFail = other.mayFail;
    }

    /** From now on the first contender in line is granted, or leaves, within this time. */
    public void expectProgress(Duration within) {
        lookAtFirst(-1, sim.now(), within);
    }

    private void lookAtFirst(long before, long since, Duration within) {
        List<Entry> line = truth.line();
        long first = line.isEmpty() || tokens.contains(line.get(0).token())
                ? -1
                : line.get(0).token();
        boolean same = first >= 0 && first == before;
        sim.check(!same || sim.now() - since < within.toNanos(), "nobody is granted the lock: " + line);
        sim.inBackgroundAt(
                sim.now() + within.toNanos() / 50, () -> lookAtFirst(first, same ? since : sim.now(), within));
    }

    private void check() {
        if (broken != null) {
            throw new AssertionError(broken.getMessage(), broken);
        }
        boolean changed = version != truth.version();
        version = truth.version();
        if (changed) {
            admission.look();
        }
        for (int i = open.size() - 1; i >= 0; i--) {
            Held held = open.get(i);
            if (!held.isOpen()) {
                open.remove(i);
            } else {
                checkEntry(held, changed);
            }
        }
        if (open.size() > 1) {
            checkTogether();
        }
        if (changed) {
            checkRecord();
        }
    }

    private void checkTogether() {
        var valid = new ArrayList<Held>();
        for (Held held : open) {
            if (!deletedByHand.contains(held.hold.token()) && held.valid()) {
                valid.add(held);
            }
        }
        if (valid.size() > 1) {
            admission.checkTogether(valid);
        }
    }

    /** While a hold is valid its entry stands; once the entry is gone, the loss is signalled. */
    private void checkEntry(Held held, boolean changed) {
        if (held.entry == null) {
            return;
        }
        if (changed || held.fresh) {
            held.fresh = false;
            held.stands = truth.stands(held.entry);
        }
        if (held.stands) {
            return;
        }
        held.goneSince = held.goneSince < 0 ? sim.now() : held.goneSince;
        if (held.look() == HoldState.RELEASED) {
            return; // its coordinator was closed
        }
        long age = sim.now() - held.goneSince;
        sim.check(
                !held.owner.sessionLost() || !held.valid(),
                () -> held + " is valid, and its session is known to be lost");
        if (deletedByHand.contains(held.hold.token())) {
            // No client can learn of it at once. The next beat in contact checks the entry, and comes within half a
            // timeout. An entry that cannot be read is given up after another timeout.
            held.unseen |= truth.unseenNanos() > 0;
            long noticed = held.owner.ttl().toNanos() * (held.unseen ? 5 : 3) / 2
                    + (held.owner.process().pauses() == held.pausesBefore ? 0 : afterPauses.toNanos());
            sim.check(
                    held.validWithoutEntry() < noticed,
                    () -> held + " has been valid for long since its entry was deleted");
            return;
        }
        // The deadline precedes an expiry. A clean-up by the client goes out together with the signal. That includes a
        // session ended by hand while this entry moved to its lease.
        boolean expired = !truth.alive(held.entry.session()) && !endingByHand.contains(held.entry.session());
        boolean late = (expired || age > SIGNAL_NANOS) && sim.now() - held.downgradedAt > SIGNAL_NANOS;
        boolean undisturbed = held.owner.process().pauses() == held.pausesBefore;
        // If it slept between the proof and the grant, the wall clock shows that: in jeopardy, with no time left. By
        // the monotonic clock the hold is LOST later.
        held.doubted |=
                held.look() == HoldState.JEOPARDY && held.hold.remaining().isZero();
        sim.check(
                !late || !undisturbed || held.doubted, () -> held + " is over, and its loss was not signalled in time");
        sim.check(!held.valid(), () -> held + " is valid, but its entry is gone");
    }

    /**
     * Checks the record's content. Runs after every step; a store that decides more than once in a step calls it in
     * between.
     */
    public void checkRecord() {
        admission.look();
        if (!admission.guardsRecord()) {
            return;
        }
        Written written = truth.record();
        if (written == null || written.revision() == recordRevision) {
            return;
        }
        recordRevision = written.revision();
        String value = written.value();
        Fence fence = Fence.of(value.substring(0, value.indexOf(':')));
        long writer = fence.token();
        sim.check(committed.add(value), "the record took " + value + " twice");
        sim.check(!fence.isBefore(newestWriter), "the record took token " + fence + " after " + newestWriter);
        // A writer that is about to share the line may have sent it before.
        boolean fenced = !fence.isBefore(new Fence(newestToken, newestTurn))
                || deletedByHand.contains(newestToken)
                || (downgraded.contains(writer) && writer >= newestExclusive);
        sim.check(fenced, "the record took token " + fence + " after " + newestToken + " was granted");
        newestWriter = fence;
    }

    private @Nullable Entry entryOf(long token) {
        for (Entry entry : truth.line()) {
            if (entry.token() == token) {
                return entry;
            }
        }
        return null;
    }
}
