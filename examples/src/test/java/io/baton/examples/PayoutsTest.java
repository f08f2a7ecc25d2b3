package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.Item;
import io.baton.LockLostException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PayoutsTest {

    /** Pays once for each key, and then may do what happens between the payment and its answer. */
    private static final class PaymentCompany implements Payouts.PaymentApi {

        private interface Mishap {
            void happen() throws IOException;
        }

        private final Map<String, Long> paid = new LinkedHashMap<>();
        private final List<String> calls = new ArrayList<>();
        private Mishap mishap = () -> {};

        @Override
        public String pay(String idempotencyKey, long cents) throws IOException {
            calls.add(idempotencyKey);
            paid.putIfAbsent(idempotencyKey, cents);
            mishap.happen();
            return "receipt of " + idempotencyKey;
        }
    }

    private final PaymentCompany company = new PaymentCompany();

    private static String state(Coordinator baton) throws InterruptedException {
        return baton.records("payments").get("4711").map(Item::text).orElse("");
    }

    @Test
    void pay_answerIsLost_isCalledAgainWithTheSameKeyAndPaidOnce() throws Exception {
        try (Coordinator here = Coordinator.connect("mem:payouts-answer");
                Coordinator there = Coordinator.connect("mem:payouts-answer")) {
            company.mishap = () -> {
                throw new IOException("connection reset");
            };
            assertThatThrownBy(() -> Payouts.pay(here, company, "4711", 995)).isInstanceOf(IOException.class);
            assertThat(state(there)).isEqualTo("pending");
            company.mishap = () -> {};

            assertThat(Payouts.pay(there, company, "4711", 995)).isEqualTo("receipt of order-4711");

            assertThat(company.calls).containsExactly("order-4711", "order-4711");
            assertThat(company.paid).containsExactly(Map.entry("order-4711", 995L));
            assertThat(state(here)).isEqualTo("paid receipt of order-4711");
        }
    }

    @Test
    void pay_lockIsLostDuringTheCall_saysSoAndTheNextCallIsTheSame() throws Exception {
        try (Coordinator here = Coordinator.connect("mem:payouts-lost");
                Coordinator there = Coordinator.connect("mem:payouts-lost")) {
            company.mishap = () -> assertThat(evictHolder(there)).isTrue();
            assertThatThrownBy(() -> Payouts.pay(here, company, "4711", 995)).isInstanceOf(LockLostException.class);
            assertThat(state(there)).isEqualTo("pending");
            company.mishap = () -> {};

            assertThat(Payouts.pay(there, company, "4711", 995)).isEqualTo("receipt of order-4711");

            assertThat(company.calls).containsExactly("order-4711", "order-4711");
            assertThat(company.paid).containsExactly(Map.entry("order-4711", 995L));
        }
    }

    private static boolean evictHolder(Coordinator operator) throws IOException {
        DistributedLock lock = operator.lock("payment/4711");
        try {
            return lock.evict(lock.queue().get(0), "a test");
        } catch (InterruptedException stopped) {
            throw new IOException(stopped);
        }
    }

    @Test
    void pay_alreadyPaid_callsNobody() throws Exception {
        try (Coordinator baton = Coordinator.connect("mem:payouts-again")) {
            String receipt = Payouts.pay(baton, company, "4711", 995);

            assertThat(Payouts.pay(baton, company, "4711", 995)).isEqualTo(receipt);

            assertThat(company.calls).hasSize(1);
        }
    }

    @Test
    void pay_beforeTheCall_isPending() throws Exception {
        List<String> states = new ArrayList<>();
        try (Coordinator baton = Coordinator.connect("mem:payouts-before")) {
            assertThat(Payouts.pay(
                            baton,
                            (key, cents) -> {
                                try {
                                    states.add(state(baton));
                                } catch (InterruptedException stopped) {
                                    throw new IOException(stopped);
                                }
                                return "r";
                            },
                            "4711",
                            995))
                    .isEqualTo("r");
        }
        assertThat(states).containsExactly("pending");
    }
}
