package io.baton.examples.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes and a client in one process, over HTTP, on the store in memory. */
@Timeout(60)
class LedgerClientTest {

    @Test
    void append_activeClosed_goesOnAtTheNext() throws Exception {
        try (Coordinator baton = Coordinator.connect("mem:ledger-next");
                var client = new LedgerClient(baton)) {
            LedgerEntry first;
            try (var one = node("mem:ledger-next", "node-1")) {
                assertThat(one.port()).isPositive();
                first = client.append("a", "first");
            }
            try (var two = node("mem:ledger-next", "node-2")) {
                LedgerEntry second = client.append("b", "second");
                assertThat(first.number()).isEqualTo(1);
                assertThat(second.number()).isEqualTo(2);
                assertThat(second.term()).isGreaterThan(first.term());
                assertThat(get(two, "/entries/1").body()).isEqualTo(first.encode());
            }
        }
    }

    @Test
    void post_toAStandby_isToldWhoIsActive() throws Exception {
        try (var one = node("mem:ledger-standby", "node-1");
                Coordinator baton = Coordinator.connect("mem:ledger-standby");
                var client = new LedgerClient(baton)) {
            client.append("a", "by the active");
            try (var two = node("mem:ledger-standby", "node-2")) {
                HttpResponse<String> answer = get(two, "/entries/1");
                assertThat(answer.statusCode()).isEqualTo(503);
                assertThat(answer.body()).isEqualTo("standby; active is node-1 at localhost:" + one.port());
            }
        }
    }

    @Test
    void start_timingsThatCannotWork_isRefused() throws Exception {
        CoordinatorOptions tooShort =
                LedgerNode.options("node-1").ttl(Duration.ofSeconds(2)).build();
        try (Coordinator baton = Coordinator.connect("mem:ledger-short", tooShort)) {
            assertThatThrownBy(() -> new LedgerNode(baton, "node-1", 0, List.of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("an old active one could still run");
        }
    }

    @Test
    void append_refusedByTheLedger_isNotTriedAgain() throws Exception {
        try (var node = node("mem:ledger-refused", "node-1");
                Coordinator baton = Coordinator.connect("mem:ledger-refused");
                var client = new LedgerClient(baton)) {
            assertThatThrownBy(() -> client.append("k".repeat(101), "text"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("100 characters");
            assertThatThrownBy(() -> client.append("key", "x".repeat(10_001)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("10000 bytes");
            assertThat(get(node, "/entries/1").statusCode()).isEqualTo(404);
        }
    }

    private static Running node(String store, String id) throws Exception {
        Coordinator baton = Coordinator.connect(store, LedgerNode.options(id).build());
        return new Running(baton, new LedgerNode(baton, id, 0, List.of()));
    }

    private record Running(Coordinator baton, LedgerNode node) implements AutoCloseable {

        int port() {
            return node.port();
        }

        @Override
        public void close() {
            node.close();
            baton.close();
        }
    }

    private static HttpResponse<String> get(Running node, String path) throws Exception {
        URI uri = URI.create("http://localhost:" + node.port() + path);
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }
}
