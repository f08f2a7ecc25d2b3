package io.baton.election.internal.standby;

import io.baton.Guard;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.Subscription;
import io.baton.election.ActiveStandby;
import io.baton.election.LeaderState;
import io.baton.election.internal.line.ElectionLine;
import io.baton.recipe.TextLines;
import io.baton.spi.support.RepeatedRefusal;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The one record for the progress of an election's leader; it is never removed. On the loop. */
public final class StateRecord {

    private final ElectionLine line;
    private final RecordKey key;

    public StateRecord(ElectionLine line) {
        this.line = line;
        this.key = new RecordKey(ActiveStandby.STATES, line.name());
    }

    /** Observes the state. Any thread; {@code to} runs on the loop. */
    public Subscription observe(Consumer<Optional<LeaderState>> to) {
        return line.observe(key, item -> to.accept(item.flatMap(StateRecord::decode)));
    }

    CompletableFuture<Optional<LeaderState>> read() {
        return line.read(key).thenApply(item -> item.flatMap(StateRecord::decode));
    }

    /** Writes it; returns false if this node no longer leads. */
    CompletableFuture<Boolean> write(Guard leads, LeaderState state) {
        return line.write(List.of(leads), List.of(Op.put(key, encode(state))));
    }

    /** Returns what reports that this node's writes are refused, as a trouble of the coordinator. */
    RepeatedRefusal refusals(Object node) {
        return new RepeatedRefusal(
                () -> node + " leads, and cannot write its state for people",
                line::reportTrouble,
                line::resolveTrouble);
    }

    /** Returns whether there is contact; without it there is no refusal. */
    boolean inContact() {
        return line.inContact();
    }

    static byte[] encode(LeaderState state) {
        return new TextLines()
                .add("term", String.valueOf(state.term()))
                .add("state", state.phase().name().toLowerCase(Locale.ROOT))
                .add("about", state.about())
                .add("asof", String.valueOf(state.asOf().toEpochMilli()))
                .bytes();
    }

    /** Empty if it cannot be parsed. */
    private static Optional<LeaderState> decode(Item item) {
        Map<String, String> lines = TextLines.decode(item.value());
        String name = lines.getOrDefault("state", "");
        for (LeaderState.Phase phase : LeaderState.Phase.values()) {
            if (phase.name().toLowerCase(Locale.ROOT).equals(name)) {
                return Optional.of(new LeaderState(
                        TextLines.number(lines.getOrDefault("term", "0")),
                        phase,
                        lines.getOrDefault("about", ""),
                        Instant.ofEpochMilli(TextLines.number(lines.getOrDefault("asof", "0")))));
            }
        }
        return Optional.empty();
    }
}
