package io.baton.benchmarks.scale;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** jetcd's client. */
final class EtcdRawClient implements RawClient {

    private static final long LEASE_SECONDS = 600;
    private static final int IN_FLIGHT = 200;

    private final Client client;
    private long requests;

    EtcdRawClient(InetSocketAddress server) {
        client = Client.builder()
                .endpoints("http://" + ScaleStore.servers(server))
                .build();
    }

    @Override
    public long entries() throws Exception {
        requests++;
        ByteSequence prefix = ByteSequence.from(ROOT + "/", UTF_8);
        GetOption count = GetOption.builder().isPrefix(true).withCountOnly(true).build();
        return client.getKVClient().get(prefix, count).get().getCount();
    }

    @Override
    public void fill(String line, int entries) throws Exception {
        requests++;
        long lease = client.getLeaseClient().grant(LEASE_SECONDS).get().getID();
        PutOption leased = PutOption.builder().withLeaseId(lease).build();
        var window = new Semaphore(IN_FLIGHT);
        var failed = new AtomicInteger();
        for (int i = 0; i < entries; i++) {
            window.acquire();
            requests++;
            String unique = UUID.randomUUID().toString().replace("-", "");
            String key = String.format(Locale.ROOT, "%s/%s/%x-%s", LOCKS, line, lease, unique);
            client.getKVClient()
                    .put(ByteSequence.from(key, UTF_8), ByteSequence.EMPTY, leased)
                    .whenComplete((done, failure) -> {
                        if (failure != null) {
                            failed.incrementAndGet();
                        }
                        window.release();
                    });
        }
        window.acquire(IN_FLIGHT);
        if (failed.get() > 0) {
            throw new IllegalStateException(failed.get() + " entries could not be written");
        }
    }

    @Override
    public long requests() {
        return requests;
    }

    @Override
    public void close() {
        client.close();
    }
}
