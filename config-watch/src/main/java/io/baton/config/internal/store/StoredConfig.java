package io.baton.config.internal.store;

import io.baton.config.Canary;
import io.baton.config.ConfigCommit;
import io.baton.config.ConfigEdit;
import io.baton.config.ConfigEntry;
import io.baton.config.ConfigRetention;
import io.baton.config.ConfigStore;
import io.baton.config.ConfigValue;
import io.baton.config.FleetMember;
import io.baton.config.KeyChange;
import io.baton.config.internal.record.CanaryRecord;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.record.Keys;
import io.baton.config.internal.record.Space;
import io.baton.config.internal.record.SpaceHead;
import io.baton.config.internal.rollout.CanaryEnd;
import io.baton.config.internal.rollout.CanaryPromotion;
import io.baton.config.internal.write.Retention;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** The blocking API of the configuration in the store. Any thread. */
public final class StoredConfig implements ConfigStore {

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Space space;
    private final History history;

    public StoredConfig(ConfigSpace store) {
        this.space = new Space(store);
        this.history = new History(space);
    }

    @Override
    public Optional<ConfigValue> get(String key) throws InterruptedException {
        Keys.check(key);
        return ask(() -> space.readOne(key).thenApply(present -> present.value(key)));
    }

    @Override
    public SortedMap<String, ConfigValue> list(String prefix) throws InterruptedException {
        return ask(() -> space.readAll().thenApply(present -> {
            SortedMap<String, ConfigValue> values = new TreeMap<>();
            present.records().keySet().stream()
                    .filter(key -> Keys.users(key) && key.startsWith(prefix))
                    .forEach(key -> present.value(key).ifPresent(value -> values.put(key, value)));
            return values;
        }));
    }

    @Override
    public ConfigEdit edit() {
        return new Edit(space);
    }

    @Override
    public List<ConfigEntry> history(int limit) throws InterruptedException {
        if (limit < 1) {
            throw new IllegalArgumentException("a history of " + limit + " changes is none");
        }
        return ask(() -> history.last(limit));
    }

    @Override
    public Optional<ConfigEntry> change(long number) throws InterruptedException {
        return number < 1 ? Optional.empty() : ask(() -> history.change(number));
    }

    @Override
    public List<KeyChange> diff(long from, long to) throws InterruptedException {
        return ask(() -> history.diff(from, to));
    }

    @Override
    public ConfigEdit rollback(long change) throws InterruptedException {
        return new Edit(space, ask(() -> history.rollback(change)));
    }

    @Override
    public void retain(int changes) throws InterruptedException {
        positive(changes);
        retain(head -> head.retaining(changes, head.retainBytes()));
    }

    @Override
    public void retain(int changes, long bytes) throws InterruptedException {
        positive(changes);
        if (bytes < 1) {
            throw new IllegalArgumentException("at least one byte is kept: " + bytes);
        }
        retain(head -> head.retaining(changes, bytes));
    }

    private static void positive(int changes) {
        if (changes < 1) {
            throw new IllegalArgumentException("at least one change is kept: " + changes);
        }
    }

    private void retain(UnaryOperator<SpaceHead> setting) throws InterruptedException {
        Await.decided(space.store().loop(), Retention.of(space, setting, LIMIT));
    }

    @Override
    public ConfigRetention retention() throws InterruptedException {
        return ask(() -> space.head().thenApply(SpaceHead::retention));
    }

    @Override
    public Optional<Canary> canary() throws InterruptedException {
        return ask(() -> space.readOne(CanaryRecord.KEY)
                .thenApply(present -> present.record(CanaryRecord.KEY)
                        .map(record -> shown(CanaryRecord.of(record).shown(), present.head()))));
    }

    /** Adds the present marks. */
    private static Canary shown(Canary canary, SpaceHead head) {
        List<KeyChange> changes = canary.changes().stream()
                .map(each ->
                        new KeyChange(each.key(), each.before(), each.now(), each.secret() || head.secret(each.key())))
                .toList();
        return new Canary(
                canary.id(),
                canary.author(),
                canary.since(),
                canary.lasts(),
                canary.labels(),
                canary.percent(),
                canary.chosen(),
                canary.asked(),
                canary.held(),
                changes);
    }

    @Override
    public ConfigCommit promote(String canary) throws InterruptedException {
        return Await.decided(space.store().loop(), promoted(canary));
    }

    @Override
    public CompletableFuture<ConfigCommit> promoteAsync(String canary) {
        return space.store().callbacks().completeInCallback(promoted(canary));
    }

    private CompletableFuture<ConfigCommit> promoted(String canary) {
        return CanaryPromotion.of(space, canary, Author.ofThisProcess(space.store()), LIMIT);
    }

    @Override
    public void abort(String canary) throws InterruptedException {
        Await.decided(space.store().loop(), CanaryEnd.of(space, canary, LIMIT));
    }

    @Override
    public CompletableFuture<Void> abortAsync(String canary) {
        return space.store()
                .callbacks()
                .completeInCallback(CanaryEnd.of(space, canary, LIMIT).thenApply(done -> null));
    }

    @Override
    public List<FleetMember> fleet() throws InterruptedException {
        return ask(space::fleet);
    }

    /** Asks on the loop, and waits for the answer. */
    private <T> T ask(Supplier<CompletableFuture<T>> question) throws InterruptedException {
        ClientLoop loop = space.store().loop();
        return Await.decided(loop, Futures.callOnLoop(loop, question));
    }
}
