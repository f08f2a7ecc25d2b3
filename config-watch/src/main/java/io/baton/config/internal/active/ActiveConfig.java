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
 * All that is in use, in one piece: whoever changes it replaces it, so that at each moment everything in it is of one revision.
 * Immutable.
 *
 * @param snapshot of the store's values
 * @param values those of the snapshot
 * @param layers all layers with these
 * @param canary the id of the canary that is in them; empty if none is
 * @param bound what is bound, in the order of binding
 * @param apart which layers the value of an {@link Bound#independent independent} binding was made of, where these are others
 * @param audiences who is told of changes
 * @param rejection why what the store has is not in use; empty if it is
 * @param closed whether nothing is applied any more
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

    /** What a listener is yet to be told: by this thread, or by another one. Exactly one of these is called. */
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

    /** Told of each change, in order; must not wait. */
    public interface Audience {
        /** This was put in place of that; {@link Telling#NONE} if that is no news to it, or it is being told already. */
        Telling applied(Activation swap);

        /** Nothing comes any more, and what waits is not told. */
        void end();
    }

    /** Nothing is bound yet, and nobody listens. */
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

    /** What this binding's value was made of. */
    Layers layersOf(Bound<?> bound) {
        return apart.getOrDefault(bound, layers);
    }

    /** Whether this candidate has come into use, and nothing has become of it since. */
    public boolean is(CandidateState candidate, Optional<Rejection> why) {
        return snapshot.source() == candidate.source()
                && values.is(candidate.values())
                && snapshot.position().equals(candidate.at())
                && snapshot.change() == candidate.change()
                && canary.equals(candidate.canary())
                && rejection.equals(why);
    }

    /** The same for the same bindings and audiences, of another state. */
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

    public ActiveConfig rejecting(Optional<Rejection> why) {
        return with(bound, apart, why);
    }

    /** The same state; some bindings have gone on by themselves, or stay behind. */
    public ActiveConfig apart(ConsentRound.Result some, Optional<Rejection> why) {
        return with(some.bound(), some.apart(), why);
    }

    /** Its value was made of the common layers. */
    ActiveConfig with(Bound<?> added, Object value) {
        Map<Bound<?>, Object> more = new LinkedHashMap<>(bound);
        more.put(added, value);
        return with(Collections.unmodifiableMap(more), apart, rejection);
    }

    /** Its value was made of these layers, as the common ones do not do. */
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

    /** For good; nobody is told anything any more. */
    public ActiveConfig ended() {
        return new ActiveConfig(snapshot, values, layers, canary, bound, apart, List.of(), rejection, true);
    }
}
