package io.baton.benchmarks.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent.EventType;
import io.etcd.jetcd.watch.WatchResponse;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A read of all, kept by key, and jetcd's {@code Watch} from there. */
final class JetcdFollower implements SpaceFollower {

    private final Client client;
    private final ByteSequence prefix;
    private final Map<String, String> values = new ConcurrentHashMap<>();

    JetcdFollower(String servers, String space) throws Exception {
        client = Client.builder().endpoints("http://" + servers).build();
        prefix = ByteSequence.from(space + "/", UTF_8);
        GetOption count = GetOption.builder().isPrefix(true).withCountOnly(true).build();
        client.getKVClient().get(prefix, count).get(1, TimeUnit.MINUTES);
    }

    @Override
    public void follow(Heard heard) throws Exception {
        GetResponse all = client.getKVClient()
                .get(prefix, GetOption.builder().isPrefix(true).build())
                .get(1, TimeUnit.MINUTES);
        all.getKvs().forEach(one -> keep(one, heard));
        WatchOption on = WatchOption.builder()
                .isPrefix(true)
                .withRevision(all.getHeader().getRevision() + 1)
                .withCreateNotify(true)
                .build();
        var created = new CountDownLatch(1);
        client.getWatchClient().watch(prefix, on, Watch.listener(response -> {
            if (response.isCreatedNotify()) {
                created.countDown();
            }
            told(response, heard);
        }));
        if (!created.await(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("the watch does not become ready");
        }
    }

    private void told(WatchResponse response, Heard heard) {
        response.getEvents().forEach(event -> {
            if (event.getEventType() == EventType.PUT) {
                keep(event.getKeyValue(), heard);
            } else {
                values.remove(key(event.getKeyValue()));
            }
        });
    }

    private void keep(KeyValue one, Heard heard) {
        String text = one.getValue().toString(UTF_8);
        values.put(key(one), text);
        heard.value(key(one), text);
    }

    private String key(KeyValue one) {
        return one.getKey().toString(UTF_8).substring(prefix.size());
    }

    @Override
    public void close() {
        client.close();
    }
}
