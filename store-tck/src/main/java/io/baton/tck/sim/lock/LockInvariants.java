package io.baton.tck.sim.lock;

import io.baton.Hold;
import io.baton.HoldState;
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
import org.jspecify.annotations.Nullable;

/**
 * What must be true of a lock at every moment of a simulated run, and what must have become true at its end. Truth is
 * what the store has decided, which no client can know sooner.
 */
public final class LockInvariants implements Interventions {

    /** How soon after its entry is gone a process that runs must have signalled the loss of its hold. */
    private static final long SIGNAL_NANOS = 30_000_000;

    private final Simulation sim;
    private final LockTruth truth;
    private final List<Held> all = new ArrayList<>();
    private final List<Held> open = new ArrayList<>();
    private final Set<Long> deletedByHand = new HashSet<>();
    private final Set<Long> neverToBeGranted = new HashSet<>();
    private final Set<Long> endingByHand = new HashSet<>();

    /** By the tokens of entries whose session somebody has ended: the holds of the same session ahead of them. */
    private final Map<Long, List<Held>> endedBehind = new HashMap<>();

    private final Set<Long> tokens = new HashSet<>();
    private final Set<String> committed = new HashSet<>();
    private final Map<String, @Nullable Boolean> outcomes = new HashMap<>();
    private long newestToken;
    private long newestWriter;
    private long recordRevision;
    private long version = -1;
    private int values;
    private final List<Consumer<Held>> losses = new ArrayList<>();
    private Duration afterPauses = Duration.ZERO;
    private boolean eventsForgotten;
    private Predicate<Throwable> mayFail = why -> true;
    private @Nullable Throwable broken;

    /** Looks after every step from now on. */
    public LockInvariants(Simulation sim, LockTruth truth) {
        this.sim = sim;
        this.truth = truth;
        sim.afterEveryStep(this::check);
    }

    /** A hold that was given to a contender. */
    static final class Held {
        final SimContender owner;
        final Hold hold;
        final @Nullable Entry entry;
        final long pausesBefore;
        final long grantedAt;
        boolean released;
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

        Held(SimContender owner, Hold hold, @Nullable Entry entry, long grantedAt) {
            this.grantedAt = grantedAt;
            this.owner = owner;
            this.hold = hold;
            this.entry = entry;
            this.pausesBefore = owner.process().pauses();
        }

        /** What the hold says; LOST once is LOST for ever. */
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

        /** For how long it has been valid since its entry went, by its own process' clock. */
        long validWithoutEntry() {
            long now = owner.process().nanoTime();
            if (wasValid) {
                validWithout += now - lookedAt;
            }
            lookedAt = now;
            wasValid = valid();
            return validWithout;
        }

        /** Whether it was neither given back nor lost. */
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

    /** The holds that were not given back, and some more. */
    List<Held> open() {
        return open;
    }

    /** Whether this one was granted, and neither given back nor lost. */
    boolean isHeld(long token) {
        for (Held held : open) {
            if (held.hold.token() == token && held.isOpen()) {
                return true;
            }
        }
        return false;
    }

    /** Whether this entry was deleted by hand, or is about to be. */
    boolean isDeletedByHand(long token) {
        return deletedByHand.contains(token);
    }

    /** Whether the store has been asked to end this session. */
    boolean isEndingByHand(long session) {
        return endingByHand.contains(session);
    }

    /** Runs what a callback does; what it throws fails the run, though callbacks may throw. */
    public void guard(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException | Error thrown) {
            broken = broken == null ? thrown : broken;
        }
    }

    /** A contender was given a hold; {@code undisturbed} if its process was not paused since it asked for it. */
    Held granted(SimContender owner, Hold hold, boolean undisturbed) {
        var held = new Held(owner, hold, entryOf(hold.token()), sim.now());
        all.add(held);
        open.add(held);
        boolean goneWithAnother =
                endedBehind.getOrDefault(hold.token(), List.of()).stream().anyMatch(ahead -> !ahead.released);
        sim.check(
                !neverToBeGranted.contains(hold.token()) && !goneWithAnother,
                () -> held + " was granted without its entry");
        sim.check(tokens.add(hold.token()), () -> "token " + Long.toHexString(hold.token()) + " was granted twice");
        if (held.valid() && !deletedByHand.contains(hold.token())) {
            sim.check(held.entry != null, () -> held + " was granted without an entry");
            sim.check(first(hold.token()), () -> held + " was granted, but first in line is " + truth.line());
            sim.check(hold.token() > newestToken, () -> held + " was granted after " + Long.toHexString(newestToken));
        }
        boolean ending = held.entry != null && endingByHand.contains(held.entry.session());
        boolean closed = held.look() == HoldState.RELEASED;
        boolean good = held.valid() || deletedByHand.contains(hold.token()) || ending || closed;
        sim.check(good || !undisturbed, () -> held + " was worth nothing when it was granted");
        newestToken = Math.max(newestToken, hold.token());
        return held;
    }

    /** The owner of a hold was told that it is lost. */
    void lost(Held held) {
        held.lostSignals++;
        held.look();
        losses.forEach(look -> look.accept(held));
    }

    /** Runs the check whenever an owner is told of a loss; it must change nothing. */
    void afterEveryLoss(Consumer<Held> look) {
        losses.add(look);
    }

    /** A contender was told that it will not be granted. */
    void failed(Throwable why) {
        sim.check(mayFail.test(why), () -> "an acquisition failed that need not have: " + why);
    }

    /** Somebody else is about to delete this entry. Whoever sees nobody ahead of it later sees that it is gone, too. */
    @Override
    public void deletedByHand(long token) {
        deletedByHand.add(token);
        if (!first(token) && !eventsForgotten) {
            neverToBeGranted.add(token);
        }
    }

    /** Somebody else has asked the store to end this session. Its owner may be told before the entries go. */
    @Override
    public void endingByHand(long session) {
        endingByHand.add(session);
    }

    /**
     * Somebody else is about to end this session, and all its entries with it. As {@link #deletedByHand}; but whoever has
     * only entries of the same session ahead, which are given back by then, may be told of their going first.
     */
    @Override
    public void endedByHand(long session) {
        boolean othersAhead = false;
        var heldAhead = new ArrayList<Held>();
        for (Entry entry : truth.line()) {
            if (entry.session() != session) {
                othersAhead = true;
                continue;
            }
            deletedByHand.add(entry.token());
            if (othersAhead && !eventsForgotten) {
                neverToBeGranted.add(entry.token());
            }
            endedBehind.put(entry.token(), List.copyOf(heldAhead));
            open.stream().filter(held -> held.hold.token() == entry.token()).forEach(heldAhead::add);
        }
    }

    /** Whether somebody holds validly with this token. */
    @Override
    public boolean valid(long token) {
        return open.stream().anyMatch(held -> held.hold.token() == token && held.valid());
    }

    /** A value for the record, that tells the token of its writer and is never written twice. */
    String nextValue(Hold hold) {
        return hold.token() + ":" + values++;
    }

    void written(String value, @Nullable Boolean applied) {
        outcomes.put(value, applied);
    }

    /** How many there were. */
    public int grants() {
        return all.size();
    }

    /** The names of the entries that were granted, as far as they still stood then. */
    public List<String> granted() {
        return all.stream()
                .filter(held -> held.entry != null)
                .map(held -> held.entry.name())
                .toList();
    }

    /** How many there were. */
    public long losses() {
        return all.stream().filter(held -> held.lostSignals > 0).count();
    }

    /** How many there were. */
    public long writes() {
        return committed.size();
    }

    /** How many there were. */
    public long refusedWrites() {
        return outcomes.values().stream().filter(Boolean.FALSE::equals).count();
    }

    /** Everybody has stopped, and there was time to settle. */
    public void checkEnd() {
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

    /** A process that has been paused may take so much longer to notice that somebody else has deleted its entry. */
    public void allowAfterPauses(Duration time) {
        afterPauses = time;
    }

    /**
     * Servers lose events. Who waits may then hear that those ahead have gone, and not that somebody has deleted his own
     * entry before that.
     */
    public void allowForgottenEvents() {
        eventsForgotten = true;
    }

    /** For no other reasons may an acquisition fail. */
    public void judgeFailures(Predicate<Throwable> reasons) {
        mayFail = reasons;
    }

    /** The same is allowed as in another line of the same run. */
    void likeThat(LockInvariants other) {
        afterPauses = other.afterPauses;
        eventsForgotten = other.eventsForgotten;
        mayFail = other.mayFail;
    }

    /** From now on whoever is first in line is granted, or goes, within this time. */
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
        for (int i = open.size() - 1; i >= 0; i--) {
            Held held = open.get(i);
            if (!held.isOpen()) {
                open.remove(i);
            } else {
                checkEntry(held, changed);
            }
        }
        if (open.size() > 1) {
            checkExclusive();
        }
        if (changed) {
            checkRecord();
        }
    }

    private void checkExclusive() {
        Held valid = null;
        for (Held held : open) {
            if (!deletedByHand.contains(held.hold.token()) && held.valid()) {
                sim.check(valid == null, () -> "several hold at once: " + held + " among " + open);
                valid = held;
            }
        }
    }

    /** While a hold is valid its entry stands; and once it does not, that is told. */
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
            // Nobody can know at once; but the next beat in contact checks the entry, and comes within half a timeout.
            // One
            // that may not be read is given up after another timeout.
            held.unseen |= truth.unseenNanos() > 0;
            long noticed = held.owner.ttl().toNanos() * (held.unseen ? 5 : 3) / 2
                    + (held.owner.process().pauses() == held.pausesBefore ? 0 : afterPauses.toNanos());
            sim.check(
                    held.validWithoutEntry() < noticed,
                    () -> held + " has been valid for long since its entry was deleted");
            return;
        }
        // An expiry is foreseen by the deadline; an own clean-up goes out together with the signal, also that of a
        // session
        // which somebody has ended while this entry hung on the lease that it was moving to.
        boolean expired = !truth.alive(held.entry.session()) && !endingByHand.contains(held.entry.session());
        boolean late = expired || age > SIGNAL_NANOS;
        boolean undisturbed = held.owner.process().pauses() == held.pausesBefore;
        // Who slept between the proof and the grant knows it by the wall clock: in jeopardy, with no time left.
        // By the other clock it is LOST later.
        held.doubted |=
                held.look() == HoldState.JEOPARDY && held.hold.remaining().isZero();
        sim.check(
                !late || !undisturbed || held.doubted, () -> held + " is over, and its loss was not signalled in time");
        sim.check(!held.valid(), () -> held + " is valid, but its entry is gone");
    }

    /** Looks at what the record holds. Done after every step; a store that decides more than once in one tells in between. */
    public void checkRecord() {
        Written written = truth.record();
        if (written == null || written.revision() == recordRevision) {
            return;
        }
        recordRevision = written.revision();
        String value = written.value();
        long writer = Long.parseLong(value.substring(0, value.indexOf(':')));
        sim.check(committed.add(value), "the record took " + value + " twice");
        sim.check(writer >= newestWriter, "the record took token " + writer + " after " + newestWriter);
        boolean fenced = writer >= newestToken || deletedByHand.contains(newestToken);
        sim.check(fenced, "the record took token " + writer + " after " + newestToken + " was granted");
        newestWriter = writer;
    }

    private @Nullable Entry entryOf(long token) {
        for (Entry entry : truth.line()) {
            if (entry.token() == token) {
                return entry;
            }
        }
        return null;
    }

    private boolean first(long token) {
        List<Entry> line = truth.line();
        return !line.isEmpty() && line.get(0).token() == token;
    }
}
