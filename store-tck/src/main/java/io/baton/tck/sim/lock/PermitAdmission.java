package io.baton.tck.sim.lock;

import io.baton.tck.sim.lock.LockInvariants.Held;
import io.baton.tck.sim.lock.LockTruth.Entry;
import io.baton.tck.sim.lock.LockTruth.Written;
import io.baton.testkit.sim.Simulation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Admits an entry of a semaphore's permits if its permits and those of all entries ahead have fitted into the size, at
 * some moment since it was made. A client reads the entries ahead, which only become fewer, and then the size: so they
 * also fitted when it was read. A size that shrinks later takes nothing away.
 *
 * <p>So the permits of all valid holds fit into the largest size in force since the youngest of their entries was made:
 * once a smaller size is in force, an entry made later is not granted before the sum fits into it.
 *
 * <p>The permits are joined in the order of the queue: an entry is made while an entry of the same session is first in
 * the queue. Exempt are sessions whose entry in the queue was deleted by hand.
 */
final class PermitAdmission implements Admission {

    private static final String SIZE = "size=";

    private final Simulation sim;
    private final LockTruth permits;
    private final LockTruth queue;

    /** By the tokens of entries, the largest size since each was made. */
    private final Map<Long, Integer> largest = new HashMap<>();

    /** The tokens of entries that have fitted. */
    private final Set<Long> fitted = new HashSet<>();

    private final Set<Long> outOfTurn = new HashSet<>();
    private final Set<Long> meddled = new HashSet<>();
    private List<Entry> standing = List.of();
    private long version = -1;
    private long sizeRevision = -1;
    private int size;
    private long resizes;
    private long waits;

    /**
     * Starts to look.
     *
     * @param permits the line of the permits, and the record of the size
     * @param queue the line of the queue
     */
    PermitAdmission(Simulation sim, LockTruth permits, LockTruth queue) {
        this.sim = sim;
        this.permits = permits;
        this.queue = queue;
    }

    /** How often the size was changed. */
    long resizes() {
        return resizes;
    }

    /** The number of entries that did not fit when they were made. */
    long waits() {
        return waits;
    }

    @Override
    public void look() {
        if (version == permits.version()) {
            return;
        }
        version = permits.version();
        Written record = permits.record();
        boolean resized = false;
        int before = size;
        if (record != null && record.revision() != sizeRevision) {
            resized = true;
            resizes += sizeRevision < 0 ? 0 : 1;
            sizeRevision = record.revision();
            size = sizeOf(record.value());
        }
        List<Entry> now = permits.line();
        boolean moved = !now.equals(standing);
        if (moved || resized) {
            for (Entry entry : now) {
                if (!standing.contains(entry)) {
                    made(entry);
                }
                largest.merge(entry.token(), Math.max(before, size), Math::max);
                if (upTo(entry) <= size) {
                    fitted.add(entry.token());
                }
            }
            standing = now;
        }
    }

    private void made(Entry entry) {
        List<Entry> waiting = queue.line();
        if (waiting.isEmpty() || waiting.get(0).session() != entry.session()) {
            outOfTurn.add(entry.token());
        }
        waits += upTo(entry) > size ? 1 : 0;
    }

    private static int sizeOf(String record) {
        return record.lines()
                .filter(line -> line.startsWith(SIZE))
                .mapToInt(line -> Integer.parseInt(line.substring(SIZE.length())))
                .findFirst()
                .orElseThrow();
    }

    /** The permits of this entry and of all ahead. */
    private int upTo(Entry entry) {
        int sum = 0;
        for (Entry other : permits.line()) {
            if (other.token() <= entry.token()) {
                sum += permits.claim(other).permits();
            }
        }
        return sum;
    }

    @Override
    public boolean admits(Entry entry) {
        look();
        boolean inTurn = !outOfTurn.contains(entry.token()) || meddled.contains(entry.session());
        return inTurn && fitted.contains(entry.token());
    }

    /** A client may have seen those ahead go, and then a larger size that was written later. */
    @Override
    public boolean keepsOut(Entry entry) {
        return false;
    }

    @Override
    public List<Entry> awaited(Entry entry) {
        return List.of();
    }

    @Override
    public List<Entry> due() {
        look();
        var due = new ArrayList<Entry>();
        for (Entry entry : permits.line()) {
            if (upTo(entry) <= size) {
                due.add(entry);
            }
        }
        return due;
    }

    /**
     * The first of the queue, unless it stands among the permits and waits.
     *
     * @param held the holds that are neither released nor lost
     */
    List<Entry> dueInQueue(List<Held> held) {
        List<Entry> waiting = queue.line();
        if (waiting.isEmpty()) {
            return List.of();
        }
        Entry first = waiting.get(0);
        boolean waits = permits.line().stream()
                .filter(entry -> entry.session() == first.session())
                .anyMatch(entry -> held.stream().noneMatch(hold -> hold.isOpen() && hold.token() == entry.token()));
        return waits ? List.of() : List.of(first);
    }

    /** Entries that never fitted and do not stand in the queue: their clients have left it too soon, or are leaving. */
    List<Entry> unqueued() {
        return permits.line().stream()
                .filter(entry -> !fitted.contains(entry.token()) && !meddled.contains(entry.session()))
                .filter(entry -> queue.line().stream().noneMatch(other -> other.session() == entry.session()))
                .toList();
    }

    /** Who is next may join, and be granted, while the one before still waits for a proof of its session. */
    @Override
    public boolean ordersTokens() {
        return false;
    }

    @Override
    public boolean guardsRecord() {
        return false;
    }

    @Override
    public void deletedByHand(long token) {
        queue.line().stream().filter(entry -> entry.token() == token).forEach(entry -> meddled.add(entry.session()));
    }

    @Override
    public void endedByHand(long session) {
        meddled.add(session);
    }

    @Override
    public void checkTogether(List<Held> valid) {
        Held youngest = valid.get(0);
        int sum = 0;
        for (Held held : valid) {
            youngest = held.token() > youngest.token() ? held : youngest;
            sum += held.claim.permits();
        }
        int most = largest.getOrDefault(youngest.token(), 0);
        int taken = sum;
        sim.check(sum <= most, () -> taken + " permits are held of " + most + ": " + valid);
    }

    @Override
    public void checkEnd() {
        sim.check(queue.line().isEmpty(), () -> "left in the queue: " + queue.line());
    }
}
