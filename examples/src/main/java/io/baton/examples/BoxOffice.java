package io.baton.examples;

import io.baton.Coordinator;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.Item;
import io.baton.Op;
import io.baton.Records;
import java.util.List;

/** Read, change, write back: under a lock, and with a write that the store refuses once the lock has passed on. */
final class BoxOffice {

    private BoxOffice() {}

    // tag::guarded[]
    /** Sells one ticket; false if there is none left, or if the lock was lost meanwhile. */
    static boolean sellOne(Coordinator baton) throws InterruptedException {
        Records stock = baton.records("stock");
        try (Hold hold = baton.lock("stock").acquire()) {
            int left = Integer.parseInt(stock.get("tickets").map(Item::text).orElse("0"));
            if (left == 0) {
                return false;
            }
            Op oneLess = Op.put(stock.key("tickets"), Integer.toString(left - 1));
            return baton.transact(List.of(Guard.held(hold)), List.of(oneLess));
        }
    }
    // end::guarded[]
}
