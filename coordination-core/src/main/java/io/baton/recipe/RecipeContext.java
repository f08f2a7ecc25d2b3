package io.baton.recipe;

import io.baton.Coordinator;
import io.baton.SessionLostException;
import io.baton.SessionState;
import io.baton.Subscription;
import io.baton.Telemetry;
import io.baton.spi.Guarantees;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What a recipe has of its coordinator. Any thread, unless a method says otherwise. */
public interface RecipeContext {

    /** A coordinator that recipes can be built on. */
    interface Host {

        /** Always the same one. */
        RecipeContext recipes();
    }

    /**
     * That of this coordinator.
     *
     * @param recipes what is to be built on it, for people, as {@code elections}
     * @throws IllegalArgumentException if this coordinator is none of Baton's
     */
    static RecipeContext of(Coordinator coordinator, String recipes) {
        if (coordinator instanceof Host host) {
            return host.recipes();
        }
        throw new IllegalArgumentException(recipes + " need a coordinator made by Coordinator.connect, not "
                + coordinator.getClass().getName());
    }

    /** What a closed coordinator says. */
    static SessionLostException closedException() {
        return new SessionLostException("the coordinator is closed");
    }

    /** The coordinator's loop. */
    ClientLoop loop();

    /** Where users' code runs. */
    Callbacks callbacks();

    /** Lines of contenders and members. */
    LineAccess lines();

    /** Records. */
    RecordAccess records();

    /** What the store promises, and the most that it takes. */
    Guarantees guarantees();

    /**
     * Refuses a store that may lose acknowledged writes, unless the program accepts that.
     *
     * @param recipe what must not lose them, for people, as {@code live configuration}
     * @throws IllegalArgumentException if the store may lose them; says how to accept it
     */
    void requireNoLoss(String recipe);

    /** How long a request may take. */
    Duration requestTimeout();

    /** How long closing waits for the store's confirmation. */
    Duration closeTimeout();

    /** The coordinator's state. */
    SessionState state();

    /** Whether the store is in reach; a coordinator that is being closed keeps what was so before. */
    boolean inContact();

    /** Calls the listener on the loop: with whether the store is in reach, and with each change of that. */
    Subscription onContact(Consumer<Boolean> listener);

    /** Why there is no contact with the store, for people, if that is known. */
    Optional<String> whyNoContact();

    /** Something goes wrong, or still does: to be seen in {@link Coordinator#trouble()}, and now and then in the log. */
    void reportTrouble(String what, String why);

    /** It goes right again, or is not wanted any more. */
    void resolveTrouble(String what);

    /** Notifies telemetry listeners, if there are any; a slow one may miss it. */
    void report(Supplier<Consumer<Telemetry>> event);

    /** Notifies telemetry listeners, if there are any; none misses it. */
    void reportReliably(Supplier<Consumer<Telemetry>> event);

    /**
     * Something to be done before the coordinator gives back its holds and ends; it is waited for within limits. Called on
     * the loop.
     *
     * @return to be run when it need not be done any more
     */
    Subscription beforeClosing(Supplier<CompletionStage<Void>> hook);

    /** What all recipes of one kind on this coordinator share; begun by the first that asks for it. */
    <T> T shared(Class<T> type, Supplier<T> begin);

    /** What this machine is called; may ask the name service, which may be slow. */
    String host();
}
