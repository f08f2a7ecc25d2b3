package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Item;
import io.baton.Position;
import io.baton.Records;
import io.baton.RecordsListener;
import io.baton.testkit.etcd.EtcdExtension;
import io.baton.testkit.proxy.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Servers before 3.4.34 and 3.5.16 forget the deletions of the revision that is compacted, and serve watches from it. */
@Tag("etcd")
class DeletionCompactedIT implements RecordsListener {

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.oldest();

    private final Map<String, String> state = new ConcurrentHashMap<>();

    @Override
    public void snapshot(Map<String, Item> all, Position at) {
        state.clear();
        all.forEach((name, item) -> state.put(name, item.text()));
    }

    @Override
    public void changed(List<Item> put, List<String> gone, long revision) {
        put.forEach(item -> state.put(item.key().name(), item.text()));
        gone.forEach(state::remove);
    }

    @Test
    void observe_deletedAndCompactedThereWhileOutOfContact_isToldOfTheDeletion() throws Exception {
        var options = CoordinatorOptions.builder().ttl(Duration.ofSeconds(30)).build();
        try (TcpProxy proxy = TcpProxy.to(etcd.server().address());
                Coordinator shaken = Coordinator.connect(etcd.server().uri(proxy, etcd.root()), options);
                Coordinator steady = Coordinator.connect(etcd.uri(), options)) {
            Records records = steady.records("tree");
            var unused = shaken.records("tree").observe("", this);
            records.put("gone", new byte[] {'1'});
            records.put("stays", new byte[] {'1'});
            soon().until(() -> state.equals(Map.of("gone", "1", "stays", "1")));

            proxy.refuse();
            proxy.cut();
            records.delete("gone"); // in the revision after the last one told
            etcd.server().compact();
            proxy.accept();
            records.put("stays", new byte[] {'2'});

            soon().until(() -> "2".equals(state.get("stays")));
            assertThat(state).isEqualTo(Map.of("stays", "2"));
        }
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(30));
    }
}
