package io.baton.config.internal.active;

import io.baton.config.ConfigSnapshot;
import io.baton.config.ConfigValue;
import io.baton.config.Rejection;
import io.baton.config.internal.record.FrozenMap;
import io.baton.config.values.Layers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that is in use, in one object. Each change replaces it, so at each moment everything in it is of one
 * revision. Immutable.
 *
 * @param snapshot of the store's values
 * @param values those of the snapshot
 * @param layers all layers with these values
 * @param canary the id of the canary in these values; empty if none is
 * @param bound the bound values, in the order of binding
 * @param apart the layers of {@link Bound#independent independent} bindings, where they differ from the common ones
 * @param audiences the listeners of changes
 * @param rejection why the store's newest values are not in use; empty if they are
 * @param closed whether no further state is applied
 */
public record ActiveConfig(
        ConfigSnapshot snapshot,
        FrozenMap<ConfigValue> values,
        Layers layers,
        String canary,
        Map<Bound<?>, Object> bound,
        Map<Bound<?>, Layers> apart,
        List<Audience> audiences,
        Optional<Rejection> rejection,
        boolean closed) {

    /** A pending notification of a listener, by this thread or another one. Exactly one of these methods is called. */
    public interface Telling {

        /** Nothing. */
        Telling NONE = new Telling() {
            @Override
            public void runHere() {}

            @Override
            public void runOnCallbacks() {}
        };

        void runHere();

        void runOnCallbacks();
    }

    /** Receives each change, in order; must not block. */
    public interface Audience {
        /**
         * Receives a change of state. Returns {@link Telling#NONE} if it does not concern this listener, or another
         * thread is notifying it already.
         */
        Telling applied(Activation swap);

        /** Ends notifications, also those that wait. */
        void end();
    }

    /** Creates a state without bindings and listeners. */
    public static ActiveConfig of(CandidateState first, Layers layers) {
        return new ActiveConfig(
                first.snapshot(),
                first.values(),
                layers,
                first.canary(),
                Map.of(),
                Map.of(),
                List.of(),
                Optional.empty(),
                false);
    }

    /** Returns why the store's newest values are not in use, for people; empty if they are. */
    public String whyRejected() {
        return rejection.map(why -> why.key() + ": " + why.reason()).orElse("");
    }

    /** Returns the layers that this binding's value was made of. */
    Layers layersOf(Bound<?> bound) {
        return apart.getOrDefault(bound, layers);
    }

    /** Returns whether this candidate is in use, unchanged since. */
    public boolean is(CandidateState candidate, Optional<Rejection> why) {
        return snapshot.source() == candidate.source()
                && values.is(candidate.values())
                && snapshot.position().equals(candidate.at())
                && snapshot.change() == candidate.change()
                && canary.equals(candidate.canary())
                && rejection.equals(why);
    }

    /** Returns the candidate with the same bindings and audiences. */
    public ActiveConfig next(
            CandidateState candidate, Layers next, ConsentRound.Result agreed, Optional<Rejection> why) {
        return new ActiveConfig(
                candidate.snapshot(),
                candidate.values(),
                next,
                candidate.canary(),
                agreed.bound(),
                agreed.apart(),
                audiences,
                why,
                closed);
    }

    /** Returns the same state whose values have other marks. */
    public ActiveConfig marked(FrozenMap<ConfigValue> same, Layers next) {
        var shown = new ConfigSnapshot(snapshot.source(), snapshot.position(), snapshot.change(), same);
        return new ActiveConfig(shown, same, next, canary, bound, apart, audiences, rejection, closed);
    }

    public ActiveConfig rejecting(Optional<Rejection> why) {
        return with(bound, apart, why);
    }

    /** Returns the same state after some independent bindings have moved on or stayed behind. */
    public ActiveConfig apart(ConsentRound.Result some, Optional<Rejection> why) {
        return with(some.bound(), some.apart(), why);
    }

    /** Adds a binding with a value from the common layers. */
    ActiveConfig with(Bound<?> added, Object value) {
        Map<Bound<?>, Object> more = new LinkedHashMap<>(bound);
        more.put(added, value);
        return with(Collections.unmodifiableMap(more), apart, rejection);
    }

    /** Adds a binding with a value from other layers, because the common ones do not fit. */
    ActiveConfig with(Bound<?> added, Object value, Layers of, Rejection why) {
        Map<Bound<?>, Layers> more = new LinkedHashMap<>(apart);
        more.put(added, of);
        ActiveConfig next = with(added, value);
        return next.with(next.bound, Collections.unmodifiableMap(more), Optional.of(rejection.orElse(why)));
    }

    ActiveConfig without(Bound<?> removed) {
        Map<Bound<?>, Object> fewer = new LinkedHashMap<>(bound);
        fewer.remove(removed);
        Map<Bound<?>, Layers> fewerApart = new LinkedHashMap<>(apart);
        fewerApart.remove(removed);
        return with(Collections.unmodifiableMap(fewer), Collections.unmodifiableMap(fewerApart), rejection);
    }

    private ActiveConfig with(Map<Bound<?>, Object> values, Map<Bound<?>, Layers> madeOf, Optional<Rejection> why) {
        return new ActiveConfig(snapshot, this.values, layers, canary, values, madeOf, audiences, why, closed);
    }

    ActiveConfig with(Audience added) {
        List<Audience> more = new ArrayList<>(audiences);
        more.add(added);
        return new ActiveConfig(snapshot, values, layers, canary, bound, apart, List.copyOf(more), rejection, closed);
    }

    ActiveConfig without(Audience removed) {
        List<Audience> fewer = new ArrayList<>(audiences);
        fewer.remove(removed);
        return new ActiveConfig(snapshot, values, layers, canary, bound, apart, List.copyOf(fewer), rejection, closed);
    }

    /** Returns the closed state, without listeners. */
    public ActiveConfig ended() {
        return new ActiveConfig(snapshot, values, layers, canary, bound, apart, List.of(), rejection, true);
    }
}
