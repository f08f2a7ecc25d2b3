package io.baton.config.internal.write;

import io.baton.Guard;
import io.baton.Op;
import io.baton.config.ConfigConflictException;
import io.baton.config.ConfigException;
import io.baton.config.internal.record.CanaryRecord;
import io.baton.config.internal.record.HistoryRecord;
import io.baton.config.internal.record.SpaceHead;
import io.baton.config.internal.record.SpaceRead;
import io.baton.spi.Guarantees;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The one transaction of a change or a part: its writes to values, its record in the history, and Baton's new data on
 * the space. Its guards cover written and expected keys. If they fit, they also cover keys of the draft that stay as
 * they are.
 *
 * @param number the number of the change
 * @param guards what must be as it was read
 * @param ops the writes
 * @param keys the keys that it changes, marks or unmarks
 */
public record Plan(long number, List<Guard> guards, List<Op> ops, SortedMap<String, HistoryRecord.Key> keys) {

    /**
     * How many excess changes a change removes at most. More than one is needed only for a large change after many
     * small ones.
     */
    private static final int FORGOTTEN_AT_ONCE = 100;

    /** By how many bytes a change may lengthen Baton's data on the space, besides marks of secret keys. */
    private static final int HEAD_GROWS = 100;

    /** An id as long as every other. */
    private static final String SOME_ID = "0".repeat(32);

    /**
     * Makes the plan.
     *
     * @param id the id by which its writer recognizes it
     * @param time in milliseconds since 1970
     * @throws ConfigConflictException if an expectation is not met
     * @throws ConfigException if there is nothing to write, or too much
     */
    public static Plan of(Draft draft, SpaceRead present, String id, long time, Guarantees limits) {
        SortedMap<String, HistoryRecord.Key> keys = keys(draft, present);
        if (keys.isEmpty()) {
            throw new NothingToWriteException(draft.texts().isEmpty());
        }
        Sizes sizes = sizes(draft, present, keys, limits);
        sizes.check(keys);
        SortedSet<String> asTheyAre = draft.keys();
        asTheyAre.removeAll(keys.keySet());
        asTheyAre.removeAll(draft.expected().keySet());
        SortedSet<String> guarded = new TreeSet<>(keys.keySet());
        guarded.addAll(draft.expected().keySet());
        if (sizes.haveRoom(keys, asTheyAre)) {
            guarded.addAll(asTheyAre);
        }
        HistoryRecord record = new HistoryRecord(
                id, time, draft.author(), draft.comment(), draft.part().orElse(null), keys);
        return new Maker(draft, present, keys, guarded).plan(record, limits);
    }

    /** Returns the keys marked secret after the draft. */
    public static SortedSet<String> secrets(Draft draft, SpaceHead head) {
        SortedSet<String> secrets = new TreeSet<>(head.secrets());
        secrets.addAll(draft.marked());
        secrets.removeAll(draft.unmarked());
        return secrets;
    }

    /** Refuses a draft that was based on another state. */
    static void expect(Draft draft, SpaceRead present) {
        draft.expected().forEach((key, revision) -> {
            long found = present.revision(key);
            if (found != revision) {
                throw new ConfigConflictException("'" + key + "' was written meanwhile: it is "
                        + (found == 0 ? "not there" : "of revision " + found) + ", not "
                        + (revision == 0 ? "absent" : "of revision " + revision) + " as expected");
            }
        });
        long last = present.head().change();
        if (draft.after().isPresent() && draft.after().getAsLong() != last) {
            throw new ConfigConflictException("change " + last + " was written meanwhile, after change "
                    + draft.after().getAsLong() + " of which this was made; look again");
        }
        draft.promoted().ifPresent(read -> {
            if (!present.record(CanaryRecord.KEY)
                    .map(now -> now.revision().equals(read.revision()))
                    .orElse(false)) {
                throw new ConfigConflictException("the canary has been held or taken back meanwhile; look again");
            }
        });
    }

    /**
     * Returns the draft's effect on each key that it changes, marks or unmarks, without keys that stay as they are.
     *
     * @throws ConfigConflictException if an expectation is not met
     */
    public static SortedMap<String, HistoryRecord.Key> keys(Draft draft, SpaceRead present) {
        expect(draft, present);
        SpaceHead head = present.head();
        SortedSet<String> secrets = secrets(draft, head);
        SortedSet<String> touched = new TreeSet<>(draft.marked());
        touched.addAll(draft.unmarked());
        touched.removeIf(key -> secrets.contains(key) == head.secret(key));
        draft.texts().forEach((key, text) -> {
            if (!text.equals(present.text(key))) {
                touched.add(key);
            }
        });
        SortedMap<String, HistoryRecord.Key> keys = new TreeMap<>();
        for (String key : touched) {
            Optional<String> before = present.text(key);
            Optional<String> now = draft.texts().getOrDefault(key, before);
            boolean secret = secrets.contains(key) || head.secret(key);
            keys.put(key, new HistoryRecord.Key(before.orElse(null), now.orElse(null), secret));
        }
        return keys;
    }

    /** Returns how much fits into a transaction of this draft, or of a part of it. */
    static Sizes sizes(Draft draft, SpaceRead present, SortedMap<String, HistoryRecord.Key> keys, Guarantees limits) {
        SortedSet<String> expectedOnly = new TreeSet<>(draft.expected().keySet());
        expectedOnly.removeAll(keys.keySet());
        int canary = draft.promoted().isPresent() ? 2 : 0;
        var part = new HistoryRecord.Part(SOME_ID, Integer.MAX_VALUE, Integer.MAX_VALUE, SOME_ID + SOME_ID);
        var empty = new HistoryRecord(SOME_ID, Long.MAX_VALUE, draft.author(), draft.comment(), part, new TreeMap<>());
        SpaceHead head = present.head().secrets(secrets(draft, present.head()));
        long bytes = (long) empty.encode().length + head.encode().length + HEAD_GROWS;
        return new Sizes(limits, present.tree(), expectedOnly.size() + canary, bytes);
    }

    /** Assembles the transaction. */
    private static final class Maker {

        private final Draft draft;
        private final SpaceRead present;
        private final SortedMap<String, HistoryRecord.Key> keys;
        private final SortedSet<String> guarded;
        private final List<Guard> guards = new ArrayList<>();
        private final List<Op> ops = new ArrayList<>();

        Maker(Draft draft, SpaceRead present, SortedMap<String, HistoryRecord.Key> keys, SortedSet<String> guarded) {
            this.draft = draft;
            this.present = present;
            this.keys = keys;
            this.guarded = guarded;
        }

        Plan plan(HistoryRecord record, Guarantees limits) {
            SpaceHead head = present.head();
            long number = head.change() + 1;
            guarded.forEach(key -> guards.add(present.guard(key)));
            keys.forEach(this::write);
            guards.add(present.headGuard());
            guards.add(Guard.absent(HistoryRecord.key(present.tree(), number)));
            byte[] place = record.encode();
            ops.add(Op.put(HistoryRecord.key(present.tree(), number), place));
            if (draft.promoted().isPresent()) {
                guards.add(present.guard(CanaryRecord.KEY));
                ops.add(Op.delete(present.key(CanaryRecord.KEY)));
            }
            SpaceHead next = head.next(place.length)
                    .secrets(secrets(draft, head))
                    .trimmed(forgotten(limits.maxOps() - guards.size() - ops.size() - 1));
            for (long each = head.oldest(); each < next.oldest(); each++) {
                ops.add(Op.delete(HistoryRecord.key(present.tree(), each)));
            }
            ops.add(Op.put(present.key(SpaceHead.KEY), next.encode()));
            return new Plan(number, List.copyOf(guards), List.copyOf(ops), keys);
        }

        private void write(String key, HistoryRecord.Key what) {
            if (what.changed()) {
                String now = what.now();
                ops.add(now == null ? Op.delete(present.key(key)) : Op.put(present.key(key), now));
            }
        }

        /**
         * Returns how many excess changes it may remove, as far as there is room. None before the last part, because a
         * writer that continues these parts may need them.
         */
        private int forgotten(int room) {
            boolean more = draft.part().map(part -> !part.last()).orElse(false);
            return more ? 0 : Math.min(room, FORGOTTEN_AT_ONCE);
        }
    }
}
