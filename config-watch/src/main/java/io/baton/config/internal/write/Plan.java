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
 * The one transaction that makes a change, or a part of one: what it does to the values, its place in the history, and what Baton then
 * knows of the space. It holds only if what it writes, and what was expected, is as it was read; and so is what the draft has as it is
 * already, if all of that fits as well.
 *
 * @param number the change's
 * @param guards what must be as it was read
 * @param ops what it does
 * @param keys what it changes, or marks or unmarks, by key
 */
public record Plan(long number, List<Guard> guards, List<Op> ops, SortedMap<String, HistoryRecord.Key> keys) {

    /** How many that are no longer kept a change takes away at most: one would do, but for a large one after many small ones. */
    private static final int FORGOTTEN_AT_ONCE = 100;

    /** By how many bytes a change may make longer what Baton knows of the space, beside marks of secret keys. */
    private static final int HEAD_GROWS = 100;

    /** An id as long as every other. */
    private static final String SOME_ID = "0".repeat(32);

    /**
     * Makes it.
     *
     * @param id by which its writer knows it
     * @param time in milliseconds since 1970
     * @throws ConfigConflictException if something is not as expected
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

    /** What becomes of the marks of secret keys. */
    public static SortedSet<String> secrets(Draft draft, SpaceHead head) {
        SortedSet<String> secrets = new TreeSet<>(head.secrets());
        secrets.addAll(draft.marked());
        secrets.removeAll(draft.unmarked());
        return secrets;
    }

    /** Refuses a change that was made of something else than what is there. */
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
     * What a draft makes of each key that it changes, or marks or unmarks: not of those that stay as they are.
     *
     * @throws ConfigConflictException if something is not as expected
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

    /** How much fits into a transaction of this draft, or of a part of it. */
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

    /** Puts the transaction together. */
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
         * How many that are not kept any more it may take away, as far as there is room. None while parts are to follow: whoever goes on
         * with these may need them.
         */
        private int forgotten(int room) {
            boolean more = draft.part().map(part -> !part.last()).orElse(false);
            return more ? 0 : Math.min(room, FORGOTTEN_AT_ONCE);
        }
    }
}
