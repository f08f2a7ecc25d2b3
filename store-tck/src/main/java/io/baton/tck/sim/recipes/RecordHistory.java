package io.baton.tck.sim.recipes;

import io.baton.Guard;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.Revision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** All records of a simulated store, as they were after each write, and which holds there were then. */
final class RecordHistory {

    private record Written(long order) implements Revision {}

    private final List<Map<RecordKey, Item>> states = new ArrayList<>(List.of(Map.of()));
    private final List<Set<Long>> holds = new ArrayList<>(List.of(Set.of()));
    private final Set<Long> held = new HashSet<>();

    /** How many writes there have been. */
    int writes() {
        return states.size() - 1;
    }

    /** The record after this many writes. */
    Optional<Item> at(int writes, RecordKey key) {
        return Optional.ofNullable(states.get(writes).get(key));
    }

    /** The newest state of the record. */
    Optional<Item> now(RecordKey key) {
        return at(writes(), key);
    }

    /** How many records of this tree there are now. */
    long size(String tree) {
        return states.get(writes()).keySet().stream()
                .filter(key -> key.tree().equals(tree))
                .count();
    }

    /** The tokens of the holds whose entries stand now; to be changed as they come and go. */
    Set<Long> held() {
        return held;
    }

    /** The tokens of the holds whose entries stood when this write was applied. */
    Set<Long> heldAt(int writes) {
        return holds.get(writes);
    }

    /** Applies all operations, or none if a guard does not hold. */
    boolean apply(List<Guard> guards, List<Op> ops) {
        if (!guards.stream().allMatch(this::holds)) {
            return false;
        }
        var next = new HashMap<>(states.get(writes()));
        long order = states.size();
        for (Op op : ops) {
            if (op instanceof Op.Put put) {
                next.put(put.key(), new Item(put.key(), put.value(), new Written(order)));
            } else {
                next.remove(op.key());
            }
        }
        states.add(next);
        holds.add(Set.copyOf(held));
        return true;
    }

    private boolean holds(Guard guard) {
        if (guard instanceof Guard.Unchanged unchanged) {
            return now(unchanged.key())
                    .map(Item::revision)
                    .filter(unchanged.revision()::equals)
                    .isPresent();
        }
        if (guard instanceof Guard.Absent absent) {
            return now(absent.key()).isEmpty();
        }
        return guard instanceof Guard.Held its && held.contains(its.hold().token());
    }
}
