package io.baton.internal.client;

import io.baton.CoordinatorOptions;
import io.baton.SessionState;
import io.baton.Subscription;
import io.baton.Telemetry;
import io.baton.internal.line.EntryInfo;
import io.baton.internal.session.ContactListeners;
import io.baton.internal.telemetry.Reporter;
import io.baton.internal.telemetry.Troubles;
import io.baton.recipe.Callbacks;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.LineAccess;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.RecordAccess;
import io.baton.spi.Guarantees;
import io.baton.spi.Guarantees.Survival;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The parts of one client that recipes use. Any thread, unless it says otherwise.
 *
 * @param kinds the objects that recipes of one kind share, by type; any thread may change it
 */
record ClientRecipeContext(
        DefaultCoordinator client,
        ClientLoop loop,
        Callbacks callbacks,
        LineAccess lines,
        RecordAccess records,
        ContactListeners contact,
        Troubles troubles,
        Reporter reporter,
        CloseHooks closeHooks,
        CoordinatorOptions options,
        ConcurrentMap<Class<?>, Object> kinds)
        implements RecipeContext {

    @Override
    public Guarantees guarantees() {
        return client.guarantees();
    }

    @Override
    public void requireNoLoss(String recipe) {
        if (guarantees().acknowledged() == Survival.LATEST_MAY_BE_LOST && !options.acceptLoss()) {
            throw new IllegalArgumentException(
                    recipe + " needs a store that keeps what it has acknowledged; this one may lose"
                            + " the latest writes when a server fails. CoordinatorOptions.acceptLoss(true) accepts that");
        }
    }

    @Override
    public Duration requestTimeout() {
        return options.requestTimeout();
    }

    @Override
    public Duration closeTimeout() {
        return options.closeTimeout();
    }

    @Override
    public SessionState state() {
        return client.state();
    }

    @Override
    public boolean inContact() {
        return contact.inContact();
    }

    @Override
    public Subscription onContact(Consumer<Boolean> listener) {
        return contact.add(listener);
    }

    @Override
    public Optional<String> whyNoContact() {
        return client.whyNoContact();
    }

    @Override
    public void reportTrouble(String what, String why) {
        troubles.report(what, why);
    }

    @Override
    public void resolveTrouble(String what) {
        troubles.resolved(what);
    }

    @Override
    public void report(Supplier<Consumer<Telemetry>> event) {
        if (!reporter.silent()) {
            reporter.report(event.get());
        }
    }

    @Override
    public void reportReliably(Supplier<Consumer<Telemetry>> event) {
        if (!reporter.silent()) {
            reporter.reportReliably(event.get());
        }
    }

    @Override
    public Subscription beforeClosing(Supplier<CompletionStage<Void>> hook) {
        return closeHooks.add(hook);
    }

    @Override
    public <T> T shared(Class<T> type, Supplier<T> begin) {
        return type.cast(kinds.computeIfAbsent(type, first -> begin.get()));
    }

    @Override
    public String host() {
        return EntryInfo.ofThisProcess("").host();
    }
}
