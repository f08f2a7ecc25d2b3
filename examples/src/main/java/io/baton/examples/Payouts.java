package io.baton.examples;

import io.baton.Coordinator;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.LockLostException;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.Records;
import java.io.IOException;
import java.util.List;

/** Pays orders at another company, which checks no tokens of ours. */
final class Payouts {

    /** The other company. Calls with the same key are one payment, and have the same receipt. */
    interface PaymentApi {
        String pay(String idempotencyKey, long cents) throws IOException;
    }

    private Payouts() {}

    // tag::pay[]
    /** Pays an order once, whatever becomes of this process, and returns the receipt. Call it again if it throws. */
    static String pay(Coordinator baton, PaymentApi api, String order, long cents)
            throws InterruptedException, IOException {
        Records payments = baton.records("payments");
        try (Hold hold = baton.lock("payment/" + order).acquire()) {
            String state = payments.get(order).map(item -> item.text()).orElse("");
            if (state.startsWith("paid ")) {
                return state.substring("paid ".length());
            }
            write(baton, hold, payments.key(order), "pending"); // before the call, so that the next holder repeats it
            // A process that takes over makes the same call with the same key. A token would be another one then.
            String receipt = api.pay("order-" + order, cents);
            write(baton, hold, payments.key(order), "paid " + receipt);
            return receipt;
        }
    }

    private static void write(Coordinator baton, Hold hold, RecordKey payment, String state)
            throws InterruptedException {
        if (!baton.transact(List.of(Guard.held(hold)), List.of(Op.put(payment, state)))) {
            throw new LockLostException("another process pays " + payment.name() + " by now");
        }
    }
    // end::pay[]
}
