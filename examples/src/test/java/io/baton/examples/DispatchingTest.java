package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.election.Candidacy;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DispatchingTest {

    @Test
    void stand_alone_leadsAndIsSeen() throws Exception {
        var orders = new LinkedBlockingQueue<>(List.of("first", "second"));
        var warehouse = new Warehouse();
        try (Coordinator baton = Coordinator.connect("mem:dispatching");
                Candidacy me = Dispatching.stand(baton, "node-1", "10.0.0.1:80", orders, warehouse)) {
            assertThat(Dispatching.leader(baton)).isEqualTo("node-1 at 10.0.0.1:80");
            await().until(() -> warehouse.shipped().equals(List.of("first", "second")));
            assertThat(me.leadership()).isPresent();
        }
    }
}
