package io.baton.election.internal.standby;

import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.Subscription;
import io.baton.election.ActiveStandby;
import io.baton.election.internal.line.ElectionLine;
import io.baton.recipe.TextLines;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The one record by which an operator requests a retry of all nodes of an election. Each write is one request. The
 * record is never removed. On the loop.
 */
public final class WakeRecord {

    private static final String UNKNOWN = "another program";

    private final ElectionLine line;
    private final RecordKey key;

    public WakeRecord(ElectionLine line) {
        this.line = line;
        this.key = new RecordKey(ActiveStandby.WAKES, line.name());
    }

    /**
     * Observes requests. Any thread; {@code to} runs on the loop with the requester, for people. The initial contents
     * are ignored, because they were meant for earlier nodes.
     */
    public Subscription observe(Consumer<String> to) {
        boolean[] begun = {false};
        return line.observe(key, item -> {
            boolean news = begun[0];
            begun[0] = true;
            if (news) {
                item.ifPresent(present -> to.accept(by(present)));
            }
        });
    }

    /** Writes a request. On the loop. */
    public CompletableFuture<Boolean> write(String by) {
        byte[] wish = new TextLines()
                .add("by", by)
                .add("at", String.valueOf(line.loop().wallMillis()))
                .add("number", Long.toHexString(line.loop().randomLong()))
                .bytes();
        return line.transact(List.of(), List.of(Op.put(key, wish)), List.of());
    }

    private static String by(Item item) {
        return Optional.ofNullable(TextLines.decode(item.value()).get("by")).orElse(UNKNOWN);
    }
}
