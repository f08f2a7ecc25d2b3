package io.baton.examples.ledger;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordsListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The entries in the order in which the store has accepted them, as an observer is told. */
final class StoreOrder implements RecordsListener {

    private final List<LedgerEntry> accepted = new ArrayList<>();
    private int snapshots;

    @Override
    public synchronized void snapshot(Map<String, Item> all, Position at) {
        snapshots++;
    }

    @Override
    public synchronized void changed(List<Item> put, List<String> gone, long revision) {
        put.forEach(item -> accepted.add(LedgerEntry.decode(item.text())));
    }

    synchronized List<LedgerEntry> accepted() {
        return List.copyOf(accepted);
    }

    /** Whether nothing can have been missed. */
    synchronized boolean whole() {
        return snapshots == 1;
    }
}
