package io.baton.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent.EventType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** jetcd's client. */
final class RawEtcd implements RawStore {

    private static final long PATIENCE_SECONDS = 30;
    private static final ByteSequence KEY = ByteSequence.from("/raw", UTF_8);

    private final Client writer;
    private final Client watcher;
    private final List<Watch.Watcher> watches = new ArrayList<>();

    RawEtcd(String servers) {
        writer = client(servers);
        watcher = client(servers);
    }

    /** A client of these servers, which stand as in the store's URIs. */
    static Client client(String servers) {
        return Client.builder()
                .endpoints(
                        Stream.of(servers.split(",", -1)).map("http://"::concat).toArray(String[]::new))
                .build();
    }

    @Override
    public void create() throws Exception {
        writer.getKVClient().put(KEY, ByteSequence.EMPTY).get();
    }

    @Override
    public void delete() throws Exception {
        writer.getKVClient().delete(KEY).get();
    }

    @Override
    public void watch(Runnable gone) throws Exception {
        endWatches();
        var set = new CountDownLatch(1);
        WatchOption told = WatchOption.builder().withCreateNotify(true).build();
        watches.add(watcher.getWatchClient().watch(KEY, told, response -> {
            if (response.isCreatedNotify()) {
                set.countDown();
            }
            if (response.getEvents().stream().anyMatch(event -> event.getEventType() == EventType.DELETE)) {
                gone.run();
            }
        }));
        if (!set.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the watch is not set within " + PATIENCE_SECONDS + " s");
        }
    }

    @Override
    public void close() {
        endWatches();
        writer.close();
        watcher.close();
    }

    private void endWatches() {
        watches.forEach(Watch.Watcher::close);
        watches.clear();
    }
}
