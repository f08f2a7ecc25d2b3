package io.baton.chaos.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class OperationsTest {

    @Test
    void await_oneFailsAtFirst_isTriedAgainBeforeTheNextBegins() throws Exception {
        List<String> done = new CopyOnWriteArrayList<>();
        AtomicInteger attempts = new AtomicInteger();
        try (Operations operations = new Operations()) {
            operations.begin(() -> {
                if (attempts.incrementAndGet() < 3) {
                    throw new IllegalStateException("not now");
                }
                done.add("revoked");
            });
            operations.begin(() -> done.add("granted"));

            operations.await();

            assertThat(done).containsExactly("revoked", "granted");
            assertThat(attempts).hasValue(3);
        }
    }

    /** A revocation that nobody answered was applied when its link was there again, and stayed for good. */
    @Test
    void repeatTakenBack_earlierAttemptIsAppliedLate_isTakenBackOnceMore() throws Exception {
        List<String> done = new CopyOnWriteArrayList<>();
        try (Operations operations = new Operations()) {
            operations.begin(() -> done.add("revoked"));
            operations.takeBack(() -> done.add("granted"));
            operations.await();
            done.add("revoked late");

            operations.repeatTakenBack();
            assertThat(done).containsExactly("revoked", "granted", "revoked late", "granted");

            operations.repeatTakenBack();
            assertThat(done).hasSize(4);
        }
    }
}
