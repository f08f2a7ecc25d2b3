package io.baton.examples.ledger;

import io.baton.Coordinator;
import io.baton.Guard;
import io.baton.Item;
import io.baton.Op;
import io.baton.Records;
import io.baton.election.Leadership;
import java.util.List;
import java.util.Optional;

/** The ledger in the store: each entry under its number, each number under its entry's key, and how many there are. */
final class Ledger {

    static final String TREE = "ledger";

    private static final String COUNT = "count";

    private final Coordinator baton;
    private final Records records;

    Ledger(Coordinator baton) {
        this.baton = baton;
        this.records = baton.records(TREE);
    }

    /**
     * Appends an entry, unless there is one with this key: then it is that one.
     *
     * @return empty if the store has refused, and nothing was stored
     */
    Optional<LedgerEntry> append(Leadership leadership, String key, String text) throws InterruptedException {
        Optional<Item> count = records.get(COUNT);
        Optional<LedgerEntry> known = withKey(key);
        if (known.isPresent()) {
            return known;
        }
        long number = count.map(Ledger::number).orElse(0L) + 1;
        var entry = new LedgerEntry(number, leadership.term(), key, text);
        List<Guard> guards = List.of(
                leadership.guard(), // nobody else leads: no write of a former leader, however late
                count.map(Guard::unchanged).orElse(Guard.absent(records.key(COUNT)))); // nothing was appended since
        List<Op> all = List.of(
                Op.put(records.key(COUNT), Long.toString(number)),
                Op.put(records.key(byNumber(number)), entry.encode()),
                Op.put(records.key(byKey(key)), Long.toString(number)));
        return baton.transact(guards, all) ? Optional.of(entry) : Optional.empty();
    }

    /** The entry with this number. */
    Optional<LedgerEntry> get(long number) throws InterruptedException {
        return records.get(byNumber(number)).map(item -> LedgerEntry.decode(item.text()));
    }

    /** How many entries there are, which is the number of the last. */
    long count() throws InterruptedException {
        return records.get(COUNT).map(Ledger::number).orElse(0L);
    }

    private Optional<LedgerEntry> withKey(String key) throws InterruptedException {
        Optional<Item> number = records.get(byKey(key));
        return number.isPresent() ? get(number(number.get())) : Optional.empty();
    }

    private static String byNumber(long number) {
        return "entry-" + number;
    }

    private static String byKey(String key) {
        return "key-" + key;
    }

    private static long number(Item item) {
        return Long.parseLong(item.text());
    }
}
