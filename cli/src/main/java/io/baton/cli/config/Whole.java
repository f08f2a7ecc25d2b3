package io.baton.cli.config;

import io.baton.config.ConfigEntry;
import io.baton.config.ConfigPart;
import io.baton.config.ConfigStore;
import io.baton.config.KeyChange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A change as users see it: the parts of a change in several transactions count as one.
 *
 * @param parts the newest first; most changes have a single part
 */
record Whole(List<ConfigEntry> parts) {

    /** Groups a history, ordered by newest part, the newest first. */
    static List<Whole> of(List<ConfigEntry> history) {
        Map<String, List<ConfigEntry>> all = new LinkedHashMap<>();
        for (ConfigEntry entry : history) {
            String id = entry.part().map(part -> "of " + part.of()).orElse("change " + entry.change());
            all.computeIfAbsent(id, first -> new ArrayList<>()).add(entry);
        }
        return all.values().stream().map(Whole::new).toList();
    }

    /** Returns the last changes, the newest first. */
    static List<Whole> last(ConfigStore store, int limit) throws InterruptedException {
        for (long ask = limit; ; ask *= 2) {
            int most = (int) Math.min(Integer.MAX_VALUE, ask);
            List<ConfigEntry> history = store.history(most);
            List<Whole> all = of(history).stream().limit(limit).toList();
            if (history.size() < most || (all.size() == limit && all.stream().allMatch(Whole::fromItsFirst))) {
                return all;
            }
        }
    }

    /** Returns the change with this number or part; empty if it is no longer kept. */
    static Optional<Whole> with(ConfigStore store, long change) throws InterruptedException {
        Optional<ConfigEntry> entry = store.change(change);
        if (entry.flatMap(ConfigEntry::part).isEmpty()) {
            return entry.map(alone -> new Whole(List.of(alone)));
        }
        for (long ask = 1; ; ask *= 2) {
            int most = (int) Math.min(Integer.MAX_VALUE, ask);
            List<ConfigEntry> history = store.history(most);
            Optional<Whole> whole = of(history).stream()
                    .filter(each -> each.parts.stream().anyMatch(part -> part.change() == change))
                    .findFirst();
            if (history.size() < most || whole.filter(Whole::fromItsFirst).isPresent()) {
                return whole;
            }
        }
    }

    /** Its last part so far. */
    ConfigEntry newest() {
        return parts.get(0);
    }

    /** Its first part that is known. */
    ConfigEntry oldest() {
        return parts.get(parts.size() - 1);
    }

    private boolean fromItsFirst() {
        return oldest().part().map(part -> part.number() == 1).orElse(true);
    }

    /** Describes its parts in words; empty if it has none. */
    Optional<String> told() {
        return newest().part()
                .map(last -> last.last()
                        ? last.total() + " parts"
                        : "unfinished: parts 1 to " + last.number() + " of " + last.total());
    }

    /** The number of parts planned; empty if it has none. */
    Optional<ConfigPart> part() {
        return newest().part();
    }

    /** Its number, or the numbers of its first and last parts. */
    String numbers() {
        return parts.size() == 1 ? Long.toString(newest().change()) : oldest().change() + "-" + newest().change();
    }

    /** What it changed, by key. */
    List<KeyChange> changes() {
        List<KeyChange> changes = new ArrayList<>();
        for (int i = parts.size() - 1; i >= 0; i--) {
            changes.addAll(parts.get(i).changes());
        }
        return changes;
    }
}
