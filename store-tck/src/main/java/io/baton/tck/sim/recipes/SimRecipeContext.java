package io.baton.tck.sim.recipes;

import io.baton.Coordinator;
import io.baton.SessionState;
import io.baton.Subscription;
import io.baton.Telemetry;
import io.baton.recipe.Callbacks;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.LineAccess;
import io.baton.recipe.RecipeContext;
import io.baton.spi.Guarantees;
import io.baton.testkit.sim.SimLoop;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What a recipe sees of a simulated client that has records and one line. */
final class SimRecipeContext implements RecipeContext, Callbacks {

    static final Guarantees GUARANTEES = Guarantees.ofQuorum(100, 1_000_000, Duration.ZERO);

    private final ClientLoop loop;
    private final SimLoop callbacks;
    private final SimRecords records;
    private final LineAccess lines;
    private final Duration timeout;
    private final Map<Class<?>, Object> shared = new HashMap<>();

    SimRecipeContext(SimLoop loop, SimLoop callbacks, SimRecords records, LineAccess lines, Duration timeout) {
        this.loop = new ClientLoop(loop);
        this.callbacks = callbacks;
        this.records = records;
        this.lines = lines;
        this.timeout = timeout;
    }

    /** A coordinator for recipes, which use nothing of it but this context. */
    Coordinator coordinator() {
        return (Coordinator) Proxy.newProxyInstance(
                Coordinator.class.getClassLoader(),
                new Class<?>[] {Coordinator.class, RecipeContext.Host.class},
                (proxy, method, args) -> {
                    if (method.getName().equals("recipes")) {
                        return this;
                    }
                    throw new UnsupportedOperationException(method.toString());
                });
    }

    @Override
    public ClientLoop loop() {
        return loop;
    }

    @Override
    public Callbacks callbacks() {
        return this;
    }

    @Override
    public SimRecords records() {
        return records;
    }

    @Override
    public Guarantees guarantees() {
        return GUARANTEES;
    }

    @Override
    public void requireNoLoss(String recipe) {}

    @Override
    public Duration requestTimeout() {
        return timeout;
    }

    @Override
    public Duration closeTimeout() {
        return timeout;
    }

    @Override
    public SessionState state() {
        return SessionState.CONNECTED;
    }

    @Override
    public boolean inContact() {
        return true;
    }

    @Override
    public Subscription onContact(Consumer<Boolean> listener) {
        loop.post(() -> listener.accept(true));
        return () -> {};
    }

    @Override
    public Optional<String> whyNoContact() {
        return Optional.empty();
    }

    @Override
    public void reportTrouble(String what, String why) {}

    @Override
    public void resolveTrouble(String what) {}

    @Override
    public void report(Supplier<Consumer<Telemetry>> event) {}

    @Override
    public void reportReliably(Supplier<Consumer<Telemetry>> event) {}

    @Override
    public Subscription beforeClosing(Supplier<CompletionStage<Void>> hook) {
        return () -> {};
    }

    @Override
    public <T> T shared(Class<T> type, Supplier<T> begin) {
        return type.cast(shared.computeIfAbsent(type, first -> begin.get()));
    }

    @Override
    public String host() {
        return "simulated";
    }

    @Override
    public LineAccess lines() {
        return lines;
    }

    @Override
    public boolean run(Runnable task) {
        callbacks.execute(task);
        return true;
    }

    @Override
    public boolean runUrgently(Runnable task) {
        return run(task);
    }

    @Override
    public void runReliably(Runnable task) {
        callbacks.execute(task);
    }

    @Override
    public boolean abandoned() {
        return false;
    }
}
