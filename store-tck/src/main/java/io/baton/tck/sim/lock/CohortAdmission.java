package io.baton.tck.sim.lock;

import io.baton.LockOptions;
import io.baton.tck.sim.lock.LockTruth.Entry;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Admits the first entry of a line, also again and again. While others have stood behind it for longer than is agreed,
 * it is not admitted again. An entry that was granted and is alone in its line may stay there.
 */
final class CohortAdmission extends ClaimAdmission {

    /** How long a client may not know of others and still believe in its hold: a session timeout and a pause. */
    private static final Duration UNSEEN = Duration.ofSeconds(20);

    private final Simulation sim;
    private final LockTruth truth;
    private final LockOptions options;
    /** Since when each entry has stood in the line, by its token. */
    private Map<Long, Long> since = new HashMap<>();

    /** When each token was granted for the first time. */
    private final Map<Long, Long> granted = new HashMap<>();

    private final Set<Long> lingered = new HashSet<>();
    private @Nullable LockInvariants invariants;
    private long turns;
    private long leftForOthers;

    CohortAdmission(Simulation sim, LockTruth truth, LockOptions options) {
        super(sim, truth);
        this.sim = sim;
        this.truth = truth;
        this.options = options;
    }

    /** Asks these invariants which entries were granted. */
    void follow(LockInvariants judging) {
        invariants = judging;
    }

    @Override
    public void look() {
        super.look();
        Map<Long, Long> before = since;
        since = new HashMap<>();
        List<Entry> line = truth.line();
        for (Entry entry : line) {
            since.put(entry.token(), before.getOrDefault(entry.token(), sim.now()));
        }
        lingered.removeIf(token -> {
            boolean left = !since.containsKey(token);
            leftForOthers += left && !line.isEmpty() ? 1 : 0;
            return left;
        });
        if (line.size() > 1 && isIdle(line.get(0))) {
            lingered.add(line.get(0).token());
        }
    }

    private boolean isIdle(Entry entry) {
        return invariants != null && invariants.wasGranted(entry.token()) && !invariants.isHeld(entry.token());
    }

    /** Called at each grant, before that is counted. */
    @Override
    public boolean admits(Entry entry) {
        if (invariants != null && invariants.wasGranted(entry.token())) {
            turns++;
            long bound = options.cohortFor().plus(UNSEEN).toNanos();
            for (Entry other : truth.line()) {
                long joined = since.getOrDefault(other.token(), sim.now());
                long waited = sim.now() - Math.max(joined, granted.getOrDefault(entry.token(), sim.now()));
                sim.check(
                        other.token() <= entry.token() || waited < bound,
                        () -> entry + " goes from turn to turn, and " + other + " has waited for " + waited / 1_000_000
                                + " ms");
            }
        }
        granted.putIfAbsent(entry.token(), sim.now());
        return super.admits(entry);
    }

    @Override
    public boolean keepsOut(Entry entry) {
        return !awaited(entry).isEmpty();
    }

    @Override
    public List<Entry> due() {
        List<Entry> line = truth.line();
        return line.size() == 1 && isIdle(line.get(0)) ? List.of() : super.due();
    }

    void addTo(Map<String, Long> totals) {
        totals.merge("turns within a process", turns, Long::sum);
        totals.merge("places that were left for others", leftForOthers, Long::sum);
    }
}
