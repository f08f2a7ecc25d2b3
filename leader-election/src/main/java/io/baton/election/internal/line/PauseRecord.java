package io.baton.election.internal.line;

import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.Subscription;
import io.baton.election.LeaderElection;
import io.baton.election.Pause;
import io.baton.spi.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The one record for the pause of an election, which is paused while the record exists. On the loop. */
public final class PauseRecord {

    private final ElectionLine line;
    private final RecordKey key;

    public PauseRecord(ElectionLine line) {
        this.line = line;
        this.key = new RecordKey(LeaderElection.PAUSES, line.name());
    }

    /** Observes the pause. Any thread; {@code to} runs on the loop. */
    public Subscription observe(Consumer<Optional<Pause>> to) {
        return line.observe(key, item -> to.accept(item.map(PauseText::decode)));
    }

    public CompletableFuture<Optional<Pause>> read() {
        return line.read(key).thenApply(item -> item.map(PauseText::decode));
    }

    public CompletableFuture<Optional<Item>> item() {
        return line.read(key);
    }

    /** Returns the condition that the election is not paused. */
    public Condition absent() {
        return new Condition.Absent(key);
    }

    /** Writes it if there is none and the other conditions hold; returns false if not. */
    public CompletableFuture<Boolean> write(Pause pause, List<Condition> rest) {
        var conditions = new ArrayList<>(rest);
        conditions.add(absent());
        return line.transact(conditions, List.of(Op.put(key, PauseText.encode(pause))), List.of());
    }

    /** Removes it if it is as it was read; returns false if not. */
    public CompletableFuture<Boolean> remove(Item read) {
        return line.transact(
                List.of(new Condition.Unchanged(key, read.revision())), List.of(Op.delete(key)), List.of());
    }
}
