package io.baton.zookeeper;

import io.baton.Hold;
import io.baton.HoldState;
import io.baton.testkit.sim.Simulation;
import io.baton.zookeeper.SimTree.Znode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What must be true of a lock at every moment of a simulated run, and what must have become true at its end. Truth is
 * what the leader has decided, which no client can know sooner.
 */
final class LockInvariants {

    /** How soon after its entry is gone a process that runs must have signalled the loss of its hold. */
    private static final long SIGNAL_NANOS = 30_000_000;

    private final Simulation sim;
    private final SimZooKeeper zk;
    private final String line;
    private final String record;
    private final List<Held> all = new ArrayList<>();
    private final List<Held> open = new ArrayList<>();
    private final Set<Long> deletedByHand = new HashSet<>();
    private final Set<Long> neverToBeGranted = new HashSet<>();
    private final Set<Long> tokens = new HashSet<>();
    private final Set<String> committed = new HashSet<>();
    private final Map<String, @Nullable Boolean> outcomes = new HashMap<>();
    private long newestToken;
    private long newestWriter;
    private long recordZxid;
    private int values;
    private long unnumbered;
    private @Nullable Throwable broken;

    LockInvariants(Simulation sim, SimZooKeeper zk, String line, String record) {
        this.sim = sim;
        this.zk = zk;
        this.line = line;
        this.record = record;
        sim.afterEveryStep(this::check);
    }

    /** A hold that was given to a contender. */
    static final class Held {
        final SimContender owner;
        final Hold hold;
        final @Nullable String entry;
        final long session;
        final long pausesBefore;
        boolean released;
        boolean removed;
        int lostSignals;
        private boolean seenLost;
        long goneSince = -1;

        Held(SimContender owner, Hold hold, @Nullable String entry, long session) {
            this.owner = owner;
            this.hold = hold;
            this.entry = entry;
            this.session = session;
            this.pausesBefore = owner.process().pauses();
        }

        /** What the hold says; LOST once is LOST for ever. */
        HoldState look() {
            HoldState state = hold.state();
            if (seenLost && state != HoldState.LOST) {
                throw new AssertionError(this + " was lost before");
            }
            seenLost = state == HoldState.LOST;
            return state;
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

    /** Runs what a callback does; what it throws fails the run, though callbacks may throw. */
    void guard(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException | Error thrown) {
            broken = broken == null ? thrown : broken;
        }
    }

    /** A contender was given a hold; {@code undisturbed} if its process was not paused since it asked for it. */
    Held granted(SimContender owner, Hold hold, boolean undisturbed) {
        String entry = entryOf(hold.token());
        var held = new Held(
                owner, hold, entry, entry == null ? 0 : zk.decided().find(entry).owner());
        all.add(held);
        unnumbered += entry != null && !numbered(entry) ? 1 : 0;
        open.add(held);
        sim.check(!neverToBeGranted.contains(hold.token()), held + " was granted without its entry");
        sim.check(tokens.add(hold.token()), "token " + Long.toHexString(hold.token()) + " was granted twice");
        if (held.valid() && !deletedByHand.contains(hold.token())) {
            sim.check(held.entry != null, held + " was granted without an entry");
            sim.check(held.entry.equals(first()), held + " was granted, but first in line is " + first());
            sim.check(hold.token() > newestToken, held + " was granted after " + Long.toHexString(newestToken));
        }
        boolean good = held.valid() || deletedByHand.contains(hold.token());
        sim.check(good || !undisturbed, held + " was worth nothing when it was granted");
        newestToken = Math.max(newestToken, hold.token());
        return held;
    }

    /** Somebody else is about to delete this entry. Whoever sees nobody ahead of it later sees that it is gone, too. */
    void deletedByHand(String entry) {
        long token = zk.decided().find(entry).czxid();
        deletedByHand.add(token);
        if (!entry.equals(first())) {
            neverToBeGranted.add(token);
        }
    }

    /** A value for the record, that tells the token of its writer and is never written twice. */
    String nextValue(Hold hold) {
        return hold.token() + ":" + values++;
    }

    void written(String value, @Nullable Boolean applied) {
        outcomes.put(value, applied);
    }

    int grants() {
        return all.size();
    }

    /** Grants of entries whose number did not tell their place. */
    long unnumberedGrants() {
        return unnumbered;
    }

    long losses() {
        return all.stream().filter(held -> held.lostSignals > 0).count();
    }

    long writes() {
        return committed.size();
    }

    long refusedWrites() {
        return outcomes.values().stream().filter(Boolean.FALSE::equals).count();
    }

    /** Everybody has stopped, and there was time to settle. */
    void checkEnd() {
        Znode node = zk.decided().find(line);
        sim.check(
                node == null || node.children().isEmpty(),
                "left in the line: " + (node == null ? "" : node.children()));
        for (Held held : all) {
            sim.check(held.removed || held.owner.process().dead(), held + " was released, and nobody confirmed it");
            sim.check(held.lostSignals <= 1, held + " signalled its loss " + held.lostSignals + " times");
        }
        outcomes.forEach((value, applied) -> sim.check(
                applied == null || applied == committed.contains(value),
                "the write of " + value + " was told " + applied + ", which is not what happened"));
    }

    private void check() {
        if (broken != null) {
            throw new AssertionError(broken.getMessage(), broken);
        }
        open.removeIf(held -> held.released || held.lostSignals > 0);
        for (Held held : open) {
            checkEntry(held);
        }
        if (open.size() > 1) {
            var valid = open.stream()
                    .filter(held -> !deletedByHand.contains(held.hold.token()) && held.valid())
                    .toList();
            sim.check(valid.size() <= 1, "several hold at once: " + valid);
        }
        checkRecord();
    }

    /** While a hold is valid its entry stands; and once it does not, that is told. */
    private void checkEntry(Held held) {
        if (held.entry == null) {
            return;
        }
        Znode entry = zk.decided().find(held.entry);
        if (entry != null && entry.czxid() == held.hold.token()) {
            return;
        }
        held.goneSince = held.goneSince < 0 ? sim.now() : held.goneSince;
        if (held.look() == HoldState.RELEASED) {
            return; // its coordinator was closed
        }
        long age = sim.now() - held.goneSince;
        if (deletedByHand.contains(held.hold.token())) {
            // Nobody can know at once; but the next beat checks the entry, and comes within half a timeout.
            sim.check(
                    age < held.owner.ttl().toNanos() * 3 / 2 || !held.valid(),
                    held + " is valid, long after its entry was deleted");
            return;
        }
        // An expiry is foreseen by the deadline; an own clean-up goes out together with the signal.
        boolean late = !zk.alive(held.session) || age > SIGNAL_NANOS;
        boolean undisturbed = held.owner.process().pauses() == held.pausesBefore;
        sim.check(!late || !undisturbed, held + " is over, and its loss was not signalled in time");
        sim.check(!held.valid(), held + " is valid, but its entry is gone");
    }

    private void checkRecord() {
        Znode node = zk.decided().find(record);
        if (node == null || node.mzxid() == recordZxid) {
            return;
        }
        recordZxid = node.mzxid();
        String value = new String(node.data(), StandardCharsets.UTF_8);
        long writer = Long.parseLong(value.substring(0, value.indexOf(':')));
        committed.add(value);
        sim.check(writer >= newestWriter, "the record took token " + writer + " after " + newestWriter);
        boolean fenced = writer >= newestToken || deletedByHand.contains(newestToken);
        sim.check(fenced, "the record took token " + writer + " after " + newestToken + " was granted");
        newestWriter = writer;
    }

    private @Nullable String entryOf(long token) {
        Znode node = zk.decided().find(line);
        if (node != null) {
            for (String name : node.children()) {
                Znode entry = zk.decided().find(line + "/" + name);
                if (entry != null && entry.czxid() == token) {
                    return entry.path();
                }
            }
        }
        return null;
    }

    private @Nullable String first() {
        Znode node = zk.decided().find(line);
        if (node == null) {
            return null;
        }
        return node.children().stream()
                .map(name -> zk.decided().find(line + "/" + name))
                .min(Comparator.comparingLong(Znode::czxid))
                .map(Znode::path)
                .orElse(null);
    }

    private static boolean numbered(String entry) {
        try {
            EntryName name = Naming.CURATOR.parse(entry.substring(entry.lastIndexOf('/') + 1));
            return name != null && name.numbered();
        } catch (ForeignEntryException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
