package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.election.ActiveStandby;
import io.baton.examples.Bookkeeping.Books;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BookkeepingTest {

    @Test
    void start_activeClosed_theNextOneGoesOnAndNobodyIsFenced() throws Exception {
        List<String> off = new CopyOnWriteArrayList<>();
        try (Coordinator one = Coordinator.connect("mem:bookkeeping");
                Coordinator two = Coordinator.connect("mem:bookkeeping")) {
            Books first = new Books(one);
            Books second = new Books(two);
            ActiveStandby a = Bookkeeping.start(one, "node-1", "10.0.0.1:80", first, off::add);
            await().until(() -> a.state() == ActiveStandby.State.ACTIVE);
            ActiveStandby b = Bookkeeping.start(two, "node-2", "10.0.0.2:80", second, off::add);
            assertThat(first.enter("1", "10 in")).isTrue();
            assertThat(second.enter("2", "20 in")).isFalse();

            a.close();

            await().until(() -> b.state() == ActiveStandby.State.ACTIVE);
            assertThat(first.enter("3", "10 out")).isFalse();
            assertThat(second.enter("3", "20 out")).isTrue();
            b.close();
        }
        assertThat(off).isEmpty();
    }
}
