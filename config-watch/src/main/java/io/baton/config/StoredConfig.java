package io.baton.config;

import io.baton.Item;
import io.baton.internal.ConfigSpace;
import io.baton.internal.Waits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The configuration in the store, for callers who wait. Any thread. */
final class StoredConfig implements ConfigStore {

    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final Space space;
    private final History history;

    StoredConfig(ConfigSpace store) {
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
        if (changes < 1) {
            throw new IllegalArgumentException("at least one change is kept: " + changes);
        }
        Await.decided(space.store().loop(), Retention.of(space, changes, LIMIT));
    }

    @Override
    public Optional<Canary> canary() throws InterruptedException {
        return ask(() ->
                canaryRecord().thenApply(record -> record.map(CanaryRecord::of).map(CanaryRecord::shown)));
    }

    @Override
    public ConfigCommit promote(String canary) throws InterruptedException {
        String author = Author.ofThisProcess();
        Optional<Item> asked = Await.decided(space.store().loop(), CanaryAsk.of(space, canary, LIMIT));
        Draft draft = CanaryEnd.promotion(asked, canary, author);
        awaitApproval(asked.map(CanaryRecord::of).orElseThrow().shown());
        return Await.decided(space.store().loop(), Commit.of(space, draft, LIMIT));
    }

    /** Each of the chosen instances has to answer that it runs the canary and has nothing against it. */
    private void awaitApproval(Canary canary) throws InterruptedException {
        long since = System.nanoTime();
        List<String> objections = canary.objections(fleet());
        while (!objections.isEmpty() && System.nanoTime() - since < LIMIT.toNanos()) {
            Thread.sleep(PAUSE.toMillis());
            objections = canary.objections(fleet());
        }
        if (!objections.isEmpty()) {
            throw new ConfigConflictException(
                    "canary " + canary.id() + " is not promoted: " + String.join("; ", objections));
        }
    }

    @Override
    public void abort(String canary) throws InterruptedException {
        Await.decided(space.store().loop(), CanaryEnd.of(space, canary, LIMIT));
    }

    @Override
    public List<FleetMember> fleet() throws InterruptedException {
        return ask(space::fleet);
    }

    private CompletableFuture<Optional<Item>> canaryRecord() {
        return space.store().read(space.key(CanaryRecord.KEY));
    }

    /** Asks on the loop, and waits for the answer. */
    private <T> T ask(Supplier<CompletableFuture<T>> question) throws InterruptedException {
        CompletableFuture<T> answer = new CompletableFuture<>();
        boolean open = space.store()
                .loop()
                .post(() -> Waits.onDone(question.get(), (value, failure) -> {
                    if (failure == null) {
                        answer.complete(value);
                    } else {
                        answer.completeExceptionally(Waits.cause(failure));
                    }
                }));
        if (!open) {
            answer.completeExceptionally(ConfigSpace.closed());
        }
        return Await.decided(space.store().loop(), answer);
    }
}
