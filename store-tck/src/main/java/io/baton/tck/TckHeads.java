package io.baton.tck;

import io.baton.spi.Entry;
import io.baton.spi.HeadListener;
import io.baton.spi.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Records the heads of a line from its events. */
final class TckHeads implements HeadListener {

    /** The token that stands for an empty line. */
    static final long NOBODY = 0;

    private final TckClient client;
    private final List<Long> tokens = new ArrayList<>();
    private final List<byte[]> payloads = new ArrayList<>();
    private Runnable end = () -> {};

    private TckHeads(TckClient client) {
        this.client = client;
    }

    static TckHeads observe(TckClient client, String line) {
        TckHeads heads = new TckHeads(client);
        client.run(() -> heads.end = client.call(() -> client.session().observe(Line.of(line), heads)));
        return heads;
    }

    void stop() {
        client.run(() -> client.call(() -> {
            end.run();
            return true;
        }));
    }

    @Override
    public synchronized void head(Optional<Entry> first) {
        client.check("head");
        tokens.add(first.map(Entry::token).orElse(NOBODY));
        payloads.add(first.map(Entry::payload).orElse(new byte[0]));
    }

    /** The tokens, in the order of the events. */
    synchronized List<Long> tokens() {
        return List.copyOf(tokens);
    }

    synchronized byte[] lastPayload() {
        return payloads.get(payloads.size() - 1);
    }

    /** Waits until this token is the last one received. */
    void await(long token) {
        Chapter.soon().until(() -> {
            List<Long> now = tokens();
            return !now.isEmpty() && now.get(now.size() - 1) == token;
        });
    }
}
