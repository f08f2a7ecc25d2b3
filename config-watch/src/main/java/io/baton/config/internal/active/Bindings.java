package io.baton.config.internal.active;

import io.baton.Subscription;
import io.baton.config.ConfigException;
import io.baton.config.ConfigSnapshot;
import io.baton.config.ListenerOptions;
import io.baton.config.Rejection;
import io.baton.config.internal.record.Differences;
import io.baton.config.internal.record.FrozenMap;
import io.baton.config.values.Bundled;
import io.baton.config.values.Layers;
import io.baton.config.values.SecretPaths;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds and removes bindings and listeners; any thread. Users' code runs between reading and replacing the state in use,
 * and runs again if the value has changed meanwhile. After some such repetitions, and when it returns to an earlier
 * state, it runs {@link Owner#runExclusively exclusively}: updates wait, but no thread does.
 */
public final class Bindings {

    private static final Logger log = LoggerFactory.getLogger(Bindings.class);

    /** How often a binding is prepared while updates go on. After that they wait for it. */
    private static final int ATTEMPTS_BESIDE_UPDATES = 3;

    private final Current inUse;
    private final Bundled bundled;
    private final SecretPaths secrets;
    private final ListenerDispatcher.Means means;
    private final Owner owner;

    /** The owner of the bindings. */
    public interface Owner {

        /**
         * Returns states to try instead of one that does not fit, best first; none once the start is over. May block.
         */
        Iterator<CandidateState> earlierStates(ActiveConfig refused, boolean independent);

        /** Runs this while no other code replaces the state; returns false if it did not run in time. */
        boolean runExclusively(String who, Runnable action);

        /** Handles a new binding. */
        void bound(ActiveConfig now);

        /** Handles the return to an earlier state for a new binding, of all bindings or of that alone. */
        void wentBack(ActiveConfig was, ActiveConfig now);

        /** Handles the removal of a binding. */
        void unbound();
    }

    /** Creates them for this state, over these layers. */
    public Bindings(Current inUse, Bundled bundled, SecretPaths secrets, ListenerDispatcher.Means means, Owner owner) {
        this.inUse = inUse;
        this.bundled = bundled;
        this.secrets = secrets;
        this.means = means;
        this.owner = owner;
    }

    ActiveConfig inUse() {
        return inUse.get();
    }

    public SecretPaths secrets() {
        return secrets;
    }

    /**
     * Binds to the state in use, or to an earlier state, to which all bindings then return.
     *
     * @throws ConfigException if no known state fits, others decide for too long, or the caller is interrupted
     */
    <T> Bound<T> add(Bound<T> added) {
        try {
            for (int attempt = 0; attempt < ATTEMPTS_BESIDE_UPDATES; attempt++) {
                if (bindTo(inUse.get(), added)) {
                    return added;
                }
            }
            bindExclusively(added, "its value has changed again and again while it was prepared");
        } catch (Refused why) {
            bindExclusively(added, why.reason());
        }
        return added;
    }

    private void bindExclusively(Bound<?> added, String why) {
        if (!owner.runExclusively("binding " + added.name(), () -> addInTurn(added))) {
            throw new ConfigException("cannot bind " + added.name() + ": " + why + "; and " + whyNoTurn());
        }
    }

    private static String whyNoTurn() {
        return Thread.currentThread().isInterrupted()
                ? "this thread was interrupted before it could be bound to another state"
                : "the decision about a revision or another binding takes too long";
    }

    /** No other code replaces the state meanwhile, so only bindings and listeners may come and go. */
    private <T> void addInTurn(Bound<T> added) {
        boolean bound = false;
        while (!bound) {
            ActiveConfig was = inUse.get();
            try {
                bound = bindTo(was, added);
            } catch (Refused why) {
                bound = goBack(was, added, why);
            }
        }
    }

    /** Returns false if another state has come into use meanwhile, in which the value differs. */
    private <T> boolean bindTo(ActiveConfig first, Bound<T> added) throws Refused {
        T value = accepted(added, first.layers());
        ActiveConfig was = first;
        ActiveConfig now = was.with(added, value);
        while (!inUse.replace(was, now)) {
            was = inUse.get();
            if (added.value(was.layers()) != value) {
                return false;
            }
            now = was.with(added, value);
        }
        owner.bound(now);
        return true;
    }

    private static <T> T accepted(Bound<T> added, Layers layers) throws Refused {
        T value = added.value(layers);
        added.prepare(value);
        return value;
    }

    /** Returns false if a binding or a listener has come or gone meanwhile. */
    private <T> boolean goBack(ActiveConfig was, Bound<T> added, Refused why) {
        ConfigSnapshot present = was.snapshot();
        var rejection = new Rejection(present.position().revision(), present.change(), why.key(), why.reason());
        Iterator<CandidateState> earlier = owner.earlierStates(was, added.independent());
        while (hasNext(earlier, added, why)) {
            CandidateState candidate = earlier.next();
            try {
                return goBack(was, added, candidate, rejection);
            } catch (Refused norThis) {
                log.debug("Nor does the state of change {} fit: {}", candidate.change(), norThis.reason());
            }
        }
        throw new ConfigException(cannotBind(added, why));
    }

    private static boolean hasNext(Iterator<CandidateState> earlier, Bound<?> added, Refused why) {
        try {
            return earlier.hasNext();
        } catch (ConfigException unread) {
            throw new ConfigException(cannotBind(added, why) + "; " + unread.getMessage(), unread);
        }
    }

    private static String cannotBind(Bound<?> added, Refused why) {
        return "cannot bind " + added.name() + ": " + why.reason();
    }

    private <T> boolean goBack(ActiveConfig was, Bound<T> added, CandidateState to, Rejection why) throws Refused {
        Layers layers = bundled.with(to.values(), was.layers());
        T value = accepted(added, layers);
        Activation swap = added.independent()
                ? new Activation(was.with(added, value, layers, why), Differences.NONE, Map.of())
                : back(was, added, value, to, layers, why);
        Optional<List<ActiveConfig.Telling>> told = inUse.replace(was, swap);
        told.ifPresent(all -> {
            all.forEach(ActiveConfig.Telling::runOnCallbacks);
            owner.wentBack(was, swap.now());
        });
        return told.isPresent();
    }

    private <T> Activation back(
            ActiveConfig was, Bound<T> added, T value, CandidateState to, Layers layers, Rejection why) throws Refused {
        ConsentRound.Result agreed = new ConsentRound(secrets, asking -> {}).withoutIndependent(was, layers);
        Optional<Rejection> first = Optional.of(was.rejection().orElse(why));
        Differences differences = Differences.between(was.values(), to.values())
                .secretAt(key -> was.layers().secretKey(key, secrets) || layers.secretKey(key, secrets));
        return new Activation(was.next(to, layers, agreed, first).with(added, value), differences, agreed.changed());
    }

    /** Removes a binding, which keeps its value. */
    <T> void remove(Bound<T> removed) {
        boolean gone = false;
        while (!gone) {
            ActiveConfig was = inUse.get();
            T value = removed.in(was);
            if (value == null) {
                return;
            }
            removed.keep(value);
            gone = inUse.replace(was, was.without(removed));
        }
        owner.unbound();
    }

    /** Adds a listener for the present value and each later one. */
    public <T> Subscription listen(Bound<T> to, ListenerOptions options, Consumer<ValueDelta<T>> listener) {
        ListenerDispatcher<ValueDelta<T>> teller = new ListenerDispatcher<>(means, options, listener);
        return listen(
                teller,
                state -> new ValueDelta<>(Optional.empty(), now(to, state), List.of()),
                swap -> Optional.ofNullable(delta(to, swap)));
    }

    private static <T> T now(Bound<T> of, ActiveConfig state) {
        T value = of.in(state);
        return value == null ? of.get() : value;
    }

    @SuppressWarnings("unchecked")
    private static <T> @Nullable ValueDelta<T> delta(Bound<T> of, Activation swap) {
        return (ValueDelta<T>) swap.bound().get(of);
    }

    /** Adds a listener for the present values of these keys and each change of them. */
    public Subscription listen(
            ListenerOptions options, Function<Differences, Differences> which, Consumer<KeyDelta> listener) {
        ListenerDispatcher<KeyDelta> teller = new ListenerDispatcher<>(means, options, listener);
        Function<ActiveConfig, KeyDelta> first = state -> new KeyDelta(
                which.apply(Differences.between(FrozenMap.empty(), state.values()))
                        .secretAt(key -> state.layers().secretKey(key, secrets)),
                state.snapshot().position().revision(),
                true);
        return listen(
                teller,
                first,
                swap -> Optional.of(new KeyDelta(
                        which.apply(swap.differences()),
                        swap.now().snapshot().position().revision(),
                        false)));
    }

    private <D extends Delta<D>> Subscription listen(
            ListenerDispatcher<D> teller, Function<ActiveConfig, D> first, Function<Activation, Optional<D>> later) {
        Ear<D> ear = new Ear<>(teller, later);
        boolean added = false;
        while (!added) {
            ActiveConfig was = inUse.get();
            teller.first(first.apply(was));
            added = was.closed() || inUse.replace(was, was.with(ear));
        }
        teller.start();
        return () -> {
            ear.end();
            inUse.change(state -> state.without(ear));
        };
    }

    /** A listener, and the part of each change that concerns it. */
    private record Ear<D extends Delta<D>>(ListenerDispatcher<D> teller, Function<Activation, Optional<D>> which)
            implements ActiveConfig.Audience {

        @Override
        public ActiveConfig.Telling applied(Activation swap) {
            return which.apply(swap)
                    .filter(delta -> !delta.isNothing())
                    .map(teller::offer)
                    .orElse(ActiveConfig.Telling.NONE);
        }

        @Override
        public void end() {
            teller.close();
        }
    }
}
