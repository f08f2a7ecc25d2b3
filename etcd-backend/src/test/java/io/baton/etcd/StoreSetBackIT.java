package io.baton.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.Item;
import io.baton.Records;
import io.baton.RecordsListener;
import io.baton.SessionState;
import io.baton.testkit.etcd.LocalEtcd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that comes back with the data of an earlier time, as from a copy of its disk. */
@Tag("etcd")
class StoreSetBackIT {

    @TempDir
    private Path folder;

    @Test
    void observe_storeSetBack_endsTheSessionAndStartsAnewFromWhatThereIs() throws Exception {
        Path copy = folder.resolve("copy");
        try (LocalEtcd etcd = LocalEtcd.start();
                Coordinator baton = Coordinator.connect(etcd.uri("/app"))) {
            Path data = etcd.data();
            Records records = baton.records("tck");
            records.put("a", "one".getBytes(UTF_8));
            Map<String, String> seen = new ConcurrentHashMap<>();
            records.observe("", into(seen));
            etcd.kill();
            copy(data, copy);
            etcd.restart();
            for (int i = 0; i < 20; i++) {
                put(records, "b", "later " + i);
            }
            soon().until(() -> "later 19".equals(seen.get("b")));

            etcd.kill();
            delete(data);
            copy(copy, data);
            etcd.restart();

            soon().until(() -> !seen.containsKey("b"));
            soon().until(() -> baton.state() == SessionState.CONNECTED);
            put(records, "a", "two");
            soon().until(() -> seen.equals(Map.of("a", "two")));
            assertThat(records.get("b")).isEmpty();
        }
    }

    private static void put(Records records, String name, String value) {
        soon().ignoreExceptions().until(() -> {
            records.put(name, value.getBytes(UTF_8));
            return true;
        });
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(40));
    }

    private static RecordsListener into(Map<String, String> seen) {
        return new RecordsListener() {
            @Override
            public void snapshot(Map<String, Item> all) {
                seen.clear();
                all.forEach((name, item) -> seen.put(name, item.text()));
            }

            @Override
            public void changed(List<Item> put, List<String> gone) {
                put.forEach(item -> seen.put(item.key().name(), item.text()));
                gone.forEach(seen::remove);
            }
        };
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path one : all.toList()) {
                Files.copy(one, to.resolve(from.relativize(one)));
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(one);
            }
        }
    }
}
