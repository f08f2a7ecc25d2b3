package io.baton.recipe;

import io.baton.Coordinator;
import io.baton.CoordinatorClosedException;
import io.baton.SessionState;
import io.baton.Subscription;
import io.baton.Telemetry;
import io.baton.spi.Guarantees;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The part of a coordinator that recipes use. Any thread, unless a method says otherwise. */
public interface RecipeContext {

    /** A coordinator that recipes can be built on. */
    interface Host {

        /** Returns the context, which is always the same one. */
        RecipeContext recipes();
    }

    /**
     * Returns the context of this coordinator.
     *
     * @param recipes the kind of recipes, for people, as {@code elections}
     * @throws IllegalArgumentException if this coordinator is none of Baton's
     */
    static RecipeContext of(Coordinator coordinator, String recipes) {
        if (coordinator instanceof Host host) {
            return host.recipes();
        }
        throw new IllegalArgumentException(recipes + " need a coordinator made by Coordinator.connect, not "
                + coordinator.getClass().getName());
    }

    /** Returns the failure of calls to a closed coordinator. */
    static CoordinatorClosedException closedException() {
        return new CoordinatorClosedException("the coordinator is closed");
    }

    /** Returns the coordinator's loop. */
    ClientLoop loop();

    /** Returns the threads of user code. */
    Callbacks callbacks();

    /** Returns the lines of contenders and members. */
    LineAccess lines();

    /** Returns the records. */
    RecordAccess records();

    /** Returns the store's guarantees and limits. */
    Guarantees guarantees();

    /**
     * Refuses a store that may lose acknowledged writes, unless {@code acceptLoss} is set in the coordinator's options.
     *
     * @param recipe the recipe that relies on its writes, for people, as {@code live configuration}
     * @throws IllegalArgumentException if the store may lose them; the message says how to accept that
     */
    void requireNoLoss(String recipe);

    /** Returns how long a request may take. */
    Duration requestTimeout();

    /** Returns how long closing waits for the store's confirmation. */
    Duration closeTimeout();

    /** Returns the coordinator's state. */
    SessionState state();

    /** Returns whether the store is in reach. Closing the coordinator does not change it. */
    boolean inContact();

    /** Calls the listener on the loop with {@link #inContact()}, and again with each change. */
    Subscription onContact(Consumer<Boolean> listener);

    /** Returns why there is no contact with the store, for people; empty if that is not known. */
    Optional<String> whyNoContact();

    /** Reports a problem, or that it lasts. {@link Coordinator#trouble()} returns it, and it is logged at intervals. */
    void reportTrouble(String what, String why);

    /** Ends a problem: it is solved or of no interest any more. */
    void resolveTrouble(String what);

    /** Sends an event to the telemetry listeners, if there are any. A slow listener may miss it. */
    void report(Supplier<Consumer<Telemetry>> event);

    /** Sends an event to the telemetry listeners, if there are any. None misses it, unless it hangs. */
    void reportReliably(Supplier<Consumer<Telemetry>> event);

    /**
     * Adds a hook that runs on the loop when the coordinator closes, before it releases its holds. Closing waits for
     * its stage for at most half of {@link #closeTimeout()}.
     *
     * @return removes the hook
     */
    Subscription beforeClosing(Supplier<CompletionStage<Void>> hook);

    /** Returns the object that recipes of one kind on this coordinator share. The first call creates it. */
    <T> T shared(Class<T> type, Supplier<T> begin);

    /** Returns this machine's host name. May block on a slow name service. */
    String host();
}
