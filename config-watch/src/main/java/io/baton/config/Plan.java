package io.baton.config;

import io.baton.Guard;
import io.baton.Op;
import io.baton.spi.Guarantees;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The one transaction that makes a change: what it does to the values, its place in the history, and what Baton then knows of
 * the space. It holds only if all that it was made of is as it was read.
 *
 * @param number the change's
 * @param guards what must be as it was read
 * @param ops what it does
 * @param keys what it changes, or marks or unmarks, by key
 */
record Plan(long number, List<Guard> guards, List<Op> ops, SortedMap<String, HistoryRecord.Key> keys) {

    /** How many that are no longer kept a change takes away at most: one would do, but for when fewer are to be kept. */
    private static final int FORGOTTEN_AT_ONCE = 16;

    /**
     * Makes it.
     *
     * @param id by which its writer knows it
     * @param time in milliseconds since 1970
     * @throws ConfigConflictException if something is not as expected
     * @throws ConfigException if there is nothing to write, or too much
     */
    static Plan of(Draft draft, Present present, String id, long time, Guarantees limits) {
        return new Maker(draft, present, limits).plan(id, time);
    }

    /** What becomes of the marks of secret keys. */
    static SortedSet<String> secrets(Draft draft, SpaceHead head) {
        SortedSet<String> secrets = new TreeSet<>(head.secrets());
        secrets.addAll(draft.marked());
        secrets.removeAll(draft.unmarked());
        return secrets;
    }

    /** Refuses a change that was made of something else than what is there. */
    static void expect(Draft draft, Present present) {
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

    /** What a draft comes to, given what is there. */
    private static final class Maker {

        private final Draft draft;
        private final Present present;
        private final Guarantees limits;
        private final SortedSet<String> secrets;
        private final SortedMap<String, HistoryRecord.Key> keys = new TreeMap<>();
        private final List<Guard> guards = new ArrayList<>();
        private final List<Op> ops = new ArrayList<>();

        Maker(Draft draft, Present present, Guarantees limits) {
            this.draft = draft;
            this.present = present;
            this.limits = limits;
            this.secrets = secrets(draft, present.head());
        }

        Plan plan(String id, long time) {
            expect(draft, present);
            long number = present.head().change() + 1;
            draft.keys().forEach(key -> guards.add(present.guard(key)));
            draft.texts().forEach(this::write);
            marks();
            if (keys.isEmpty()) {
                throw new ConfigException(
                        draft.texts().isEmpty()
                                ? "nothing to write"
                                : "nothing to write: everything is as it would be after that");
            }
            HistoryRecord record = new HistoryRecord(id, time, draft.author(), draft.comment(), keys);
            guards.add(present.headGuard());
            guards.add(Guard.absent(HistoryRecord.key(present.tree(), number)));
            ops.add(Op.put(HistoryRecord.key(present.tree(), number), record.encode()));
            if (draft.promoted().isPresent()) {
                guards.add(present.guard(CanaryRecord.KEY));
                ops.add(Op.delete(present.key(CanaryRecord.KEY)));
            }
            SpaceHead head = present.head();
            long oldest = forget(number, head, limits.maxOps() - guards.size() - ops.size() - 1);
            SpaceHead next = new SpaceHead(number, oldest, head.retain(), secrets);
            ops.add(Op.put(present.key(SpaceHead.KEY), next.encode()));
            check();
            return new Plan(number, List.copyOf(guards), List.copyOf(ops), keys);
        }

        private void write(String key, Optional<String> text) {
            if (text.equals(present.text(key))) {
                return;
            }
            keys.put(key, what(key, text));
            ops.add(text.map(value -> Op.put(present.key(key), value)).orElseGet(() -> Op.delete(present.key(key))));
        }

        /** A key that is only marked, or unmarked, has its place in the history too. */
        private void marks() {
            SortedSet<String> changed = new TreeSet<>(draft.marked());
            changed.addAll(draft.unmarked());
            changed.removeIf(key -> secrets.contains(key) == present.head().secret(key));
            changed.forEach(key -> keys.putIfAbsent(key, what(key, present.text(key))));
        }

        private HistoryRecord.Key what(String key, Optional<String> now) {
            boolean secret = secrets.contains(key) || present.head().secret(key);
            return new HistoryRecord.Key(present.text(key).orElse(null), now.orElse(null), secret);
        }

        /** Takes away what is not kept any more, as far as there is room; tells which is the oldest then. */
        private long forget(long number, SpaceHead head, int room) {
            long keepFrom = Math.max(head.oldest(), number - head.retain() + 1);
            long oldest = Math.min(keepFrom, head.oldest() + Math.max(0, Math.min(room, FORGOTTEN_AT_ONCE)));
            for (long each = head.oldest(); each < oldest; each++) {
                ops.add(Op.delete(HistoryRecord.key(present.tree(), each)));
            }
            return oldest;
        }

        private void check() {
            Sizes.check(guards, ops, limits, keys.size(), present.tree(), this::largest);
        }

        private String largest() {
            Map.Entry<String, HistoryRecord.Key> largest = keys.entrySet().stream()
                    .max((one, other) -> Long.compare(bytes(one.getValue()), bytes(other.getValue())))
                    .orElseThrow();
            HistoryRecord.Key key = largest.getValue();
            return "'" + largest.getKey() + "' has " + bytes(key.before()) + " bytes before and " + bytes(key.now())
                    + " after";
        }

        private static long bytes(HistoryRecord.Key key) {
            return bytes(key.before()) + bytes(key.now());
        }

        private static long bytes(@org.jspecify.annotations.Nullable String text) {
            return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
        }
    }
}
