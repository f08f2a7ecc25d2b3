package io.baton.benchmarks.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import java.util.concurrent.CompletableFuture;

/** jetcd's client. */
final class JetcdWriter implements Writer {

    private final Client client;

    JetcdWriter(String servers) {
        client = Client.builder().endpoints("http://" + servers).build();
    }

    @Override
    public CompletableFuture<?> put(String space, String key, String text) {
        return client.getKVClient().put(ByteSequence.from(space + "/" + key, UTF_8), ByteSequence.from(text, UTF_8));
    }

    @Override
    public void close() {
        client.close();
    }
}
