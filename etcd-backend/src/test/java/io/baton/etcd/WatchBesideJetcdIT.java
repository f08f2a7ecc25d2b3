package io.baton.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.Item;
import io.baton.Position;
import io.baton.RecordsListener;
import io.baton.testkit.etcd.EtcdExtension;
import io.baton.testkit.proxy.TcpProxy;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.options.WatchOption;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A connection that breaks when the server has said that it watches, from a revision in the past, and has not yet told
 * what has happened since. What it says then bears the store's present revision; whoever goes on from there, as jetcd
 * does, misses all in between.
 */
@Tag("etcd")
@Timeout(120)
class WatchBesideJetcdIT {

    private static final int WRITES = 20;
    private static final int ATTEMPTS = 20;

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.newest();

    @Test
    void watch_brokenRightAfterItWasCreatedInThePast_losesNothingAndJetcdsDoes() throws Exception {
        int lost = 0;
        for (int i = 0; i < ATTEMPTS && lost == 0; i++) {
            String tree = "beside-" + i;
            assertThat(ours(tree)).as("told by ours").containsExactlyElementsOf(numbers());
            lost = WRITES - jetcds(tree).size();
        }

        assertThat(lost).as("missed by jetcd's").isPositive();
        System.out.printf("a watch broken right after it was created: jetcd's missed %d of %d%n", lost, WRITES);
    }

    /** What an observer of ours is told of the writes that happened while it had no contact. */
    private static List<String> ours(String tree) throws Exception {
        var wires = new HookedWires();
        var seen = new CopyOnWriteArrayList<String>();
        var snapshots = new AtomicInteger();
        var breaks = new AtomicInteger();
        try (TcpProxy proxy = TcpProxy.to(etcd.server().address());
                HookedClient baton =
                        HookedClient.open(etcd.server().uri(proxy, etcd.root()), Duration.ofSeconds(30), wires)) {
            var unused = baton.coordinator().records(tree).observe("", new RecordsListener() {
                @Override
                public void snapshot(Map<String, Item> all, Position at) {
                    all.values().forEach(item -> seen.add(item.text()));
                    snapshots.incrementAndGet();
                }

                @Override
                public void changed(List<Item> put, List<String> gone, long revision) {
                    put.forEach(item -> seen.add(item.text()));
                }
            });
            soon().until(() -> snapshots.get() == 1);

            proxy.refuse();
            proxy.cut();
            write(tree);
            wires.whenCreated = () -> {
                if (breaks.incrementAndGet() == 1) {
                    proxy.cut();
                }
            };
            proxy.accept();

            soon().until(() -> breaks.get() >= 2 && seen.contains(String.valueOf(WRITES - 1)));
            assertThat(snapshots).as("it goes on where it was").hasValue(1);
            return List.copyOf(seen);
        }
    }

    /** What a watch of jetcd's tells of the same writes, one of which is the last. */
    private static List<String> jetcds(String tree) {
        String prefix = etcd.root() + "/" + tree + "/";
        long first = Long.parseLong(etcd.server()
                .ctl()
                .run("get", "-w", "json", "--", prefix + "key")
                .replaceAll("(?s).*\"create_revision\":(\\d+).*", "$1"));
        var seen = new CopyOnWriteArrayList<String>();
        var created = new AtomicInteger();
        try (TcpProxy proxy = TcpProxy.to(etcd.server().address());
                Client client = Client.builder()
                        .endpoints(URI.create("http://127.0.0.1:" + proxy.port()))
                        .build()) {
            Watch.Listener listener = Watch.listener(response -> {
                if (response.isCreatedNotify() && created.incrementAndGet() == 1) {
                    proxy.cut();
                }
                response.getEvents()
                        .forEach(
                                event -> seen.add(event.getKeyValue().getValue().toString(UTF_8)));
            });
            client.getWatchClient()
                    .watch(
                            ByteSequence.from(prefix, UTF_8),
                            WatchOption.builder()
                                    .isPrefix(true)
                                    .withRevision(first)
                                    .withCreateNotify(true)
                                    .build(),
                            listener);
            soon().until(() -> created.get() >= 2);
            etcd.server().ctl().run("put", "--", prefix + "key", "the last");
            soon().until(() -> seen.contains("the last"));
            return seen.stream()
                    .filter(value -> !value.equals("the last"))
                    .distinct()
                    .toList();
        }
    }

    private static void write(String tree) throws InterruptedException {
        try (Coordinator writer = Coordinator.connect(etcd.uri())) {
            for (String number : numbers()) {
                writer.records(tree).put("key", number.getBytes(UTF_8));
            }
        }
    }

    private static List<String> numbers() {
        return IntStream.range(0, WRITES).mapToObj(String::valueOf).toList();
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(30));
    }
}
