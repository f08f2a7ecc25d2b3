package io.baton.config.internal.active;

import io.baton.Item;
import io.baton.Position;
import io.baton.config.ConfigException;
import io.baton.config.ConfigSource;
import io.baton.config.ConfigValue;
import io.baton.config.internal.follow.StoreState;
import io.baton.config.internal.record.FrozenMap;
import io.baton.config.internal.record.HistoryRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The states before the present one, from the history, newest first. The first one undoes writes past the history to
 * keys of its newest changes. Each next one undoes one more change; a change in parts is undone as a whole. Reads only
 * as much of the history as is needed.
 */
public final class Undoing implements Iterator<CandidateState> {

    /** How many changes are read at once; each has the texts before and after. */
    static final int AT_ONCE = 32;

    private final StoreState known;
    private final StoreState.Scope scope;
    private final Source history;
    private final Deque<Supplier<Optional<CandidateState>>> steps = new ArrayDeque<>();
    private final Set<String> seen = new HashSet<>();
    private FrozenMap<ConfigValue> values;
    private boolean unshown;
    private boolean betweenParts;
    private long next;
    private @Nullable CandidateState ready;

    /** Reads the history. */
    public interface Source {
        /** Returns the kept changes in this range of numbers, oldest first; none if they cannot be read in time. */
        List<Item> read(long from, long to);
    }

    /** Starts before this state. */
    public Undoing(StoreState known, StoreState.Scope scope, Source history) {
        this.known = known;
        this.scope = scope;
        this.history = history;
        this.values = known.values();
        this.next = known.space().change();
    }

    @Override
    public boolean hasNext() {
        while (ready == null && (!steps.isEmpty() || readMore())) {
            ready = steps.remove().get().orElse(null);
        }
        return ready != null;
    }

    @Override
    public CandidateState next() {
        CandidateState state = hasNext() ? ready : null;
        if (state == null) {
            throw new NoSuchElementException();
        }
        ready = null;
        return state;
    }

    /** Adds at least one step; returns false if nothing more can be read. */
    private boolean readMore() {
        long from = Math.max(known.space().oldest(), next - AT_ONCE + 1);
        if (from > next) {
            return false;
        }
        List<Item> read = history.read(from, next);
        next = read.isEmpty() ? 0 : from - 1;
        List<Change> changes = new ArrayList<>();
        for (Item item : read) {
            Change.of(item).ifPresent(change -> changes.add(0, change));
        }
        steps.add(() -> asWritten(changes));
        changes.forEach(change -> steps.add(() -> without(change)));
        return !read.isEmpty();
    }

    /** Undoes later writes of others to keys of these changes, except for keys that an earlier step has seen. */
    private Optional<CandidateState> asWritten(List<Change> newestFirst) {
        SortedMap<String, Optional<ConfigValue>> back = new TreeMap<>();
        for (Change change : newestFirst) {
            change.record().all().forEach((key, what) -> {
                if (scope.has(key) && seen.add(key) && !text(key).equals(Optional.ofNullable(what.now()))) {
                    back.put(key, value(key, what.now(), what.secret(), change.revision()));
                }
            });
        }
        return newestFirst.isEmpty()
                ? Optional.empty()
                : state(back, newestFirst.get(0).number(), newestFirst.get(0).revision());
    }

    private Optional<CandidateState> without(Change change) {
        SortedMap<String, Optional<ConfigValue>> back = new TreeMap<>();
        change.record().all().forEach((key, what) -> {
            if (scope.has(key) && !text(key).equals(Optional.ofNullable(what.before()))) {
                back.put(key, value(key, what.before(), what.secret(), change.revision() - 1));
            }
        });
        betweenParts = change.continuesAnother();
        return state(back, change.number() - 1, change.revision() - 1);
    }

    /** Returns the state with these undone as well; empty if it is between parts, or the same as the one before. */
    private Optional<CandidateState> state(SortedMap<String, Optional<ConfigValue>> back, long change, long revision) {
        if (!back.isEmpty()) {
            values = values.with(back);
            unshown = true;
        }
        if (betweenParts || !unshown) {
            return Optional.empty();
        }
        unshown = false;
        Position at = new Position(known.at().history(), revision);
        return Optional.of(new CandidateState(ConfigSource.LIVE, at, change, values, ""));
    }

    private Optional<String> text(String key) {
        return Optional.ofNullable(values.get(key)).map(ConfigValue::text);
    }

    private Optional<ConfigValue> value(String key, @Nullable String text, boolean marked, long revision) {
        boolean secret = marked || known.space().secret(key) || scope.secret().test(key);
        return Optional.ofNullable(text).map(was -> new ConfigValue(key, was, revision, secret));
    }

    private record Change(long number, long revision, HistoryRecord record) {

        /** Returns whether the state before it is between two parts of a large change. */
        boolean continuesAnother() {
            HistoryRecord.Part part = record.part();
            return part != null && part.number() > 1;
        }

        /** Returns the change; empty if the record is not Baton's. */
        static Optional<Change> of(Item item) {
            try {
                HistoryRecord record = HistoryRecord.of(item);
                return HistoryRecord.number(item.key())
                        .map(number -> new Change(number, item.revision().order(), record));
            } catch (ConfigException notOurs) {
                return Optional.empty();
            }
        }
    }
}
