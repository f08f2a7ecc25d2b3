package io.baton.config.internal.active;

import io.baton.config.values.Layers;
import io.baton.config.values.SecretPaths;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Asks each binding once for its value with a candidate, and whether that is acceptable. */
public final class ConsentRound {

    private final SecretPaths secrets;
    private final Consumer<String> asking;
    private final Map<Bound<?>, Answer<?>> answers = new LinkedHashMap<>();
    private final Map<Bound<?>, Refused> refusals = new HashMap<>();

    /**
     * The result of the round.
     *
     * @param bound the bound values
     * @param apart the layers of independent bindings' values, where they differ from the common ones
     * @param changed the bound values that differ
     * @param refused why an independent binding stays as it is; empty if none does
     */
    public record Result(
            Map<Bound<?>, Object> bound,
            Map<Bound<?>, Layers> apart,
            Map<Bound<?>, ValueDelta<?>> changed,
            Optional<Refused> refused) {}

    /** Creates a round; {@code asking} gets the name of each check before it runs. */
    public ConsentRound(SecretPaths secrets, Consumer<String> asking) {
        this.secrets = secrets;
        this.asking = asking;
    }

    /**
     * Asks the bindings in this state that were not asked yet. It validates all values first, and then runs all
     * preparations. Independent bindings are asked last; one that refuses only stays as it is itself.
     */
    public Result of(ActiveConfig state, Layers layers) throws Refused {
        askTogether(state, layers);
        askIndependent(state, layers);
        Map<Bound<?>, Layers> behind = new LinkedHashMap<>();
        refusals.keySet().forEach(bound -> behind.put(bound, state.layersOf(bound)));
        behind.keySet().retainAll(state.bound().keySet());
        return result(state, behind);
    }

    /** The same without asking independent bindings, which stay as they are. */
    Result withoutIndependent(ActiveConfig state, Layers layers) throws Refused {
        askTogether(state, layers);
        Map<Bound<?>, Layers> apart = new LinkedHashMap<>();
        state.bound().keySet().stream()
                .filter(Bound::independent)
                .forEach(bound -> apart.put(bound, state.layersOf(bound)));
        return result(state, apart);
    }

    private void askTogether(ActiveConfig state, Layers layers) throws Refused {
        List<Bound<?>> together = state.bound().keySet().stream()
                .filter(each -> !each.independent())
                .toList();
        for (Bound<?> bound : together) {
            ask(bound, state, layers);
        }
        for (Bound<?> bound : together) {
            prepare(bound);
        }
    }

    /** Asks only independent bindings. Those that accept use the state that the others have refused. */
    public Result independent(ActiveConfig state, Layers layers) {
        answers.keySet().removeIf(bound -> !bound.independent());
        askIndependent(state, layers);
        Map<Bound<?>, Layers> ahead = new LinkedHashMap<>(state.apart());
        answers.forEach((bound, answer) -> {
            if (answer.delta != null && state.bound().containsKey(bound)) {
                ahead.put(bound, layers);
            }
        });
        return result(state, ahead);
    }

    private void askIndependent(ActiveConfig state, Layers layers) {
        for (Bound<?> bound : state.bound().keySet()) {
            if (bound.independent() && !refusals.containsKey(bound)) {
                try {
                    ask(bound, state, layers);
                    prepare(bound);
                } catch (Refused why) {
                    answers.remove(bound);
                    refusals.put(bound, why);
                }
            }
        }
    }

    private void ask(Bound<?> bound, ActiveConfig state, Layers layers) throws Refused {
        if (!answers.containsKey(bound)) {
            asking.accept("binding " + bound.name());
            answers.put(bound, Answer.of(bound, state, layers, secrets));
        }
    }

    private void prepare(Bound<?> bound) throws Refused {
        Answer<?> answer = answers.get(bound);
        if (answer != null && !answer.prepared) {
            asking.accept("prepare of " + bound.name());
            answer.prepare();
        }
    }

    private Result result(ActiveConfig state, Map<Bound<?>, Layers> apart) {
        Map<Bound<?>, Object> values = new LinkedHashMap<>(state.bound());
        Map<Bound<?>, ValueDelta<?>> changed = new LinkedHashMap<>();
        for (Answer<?> answer : answers.values()) {
            if (answer.delta != null && values.containsKey(answer.bound)) {
                values.put(answer.bound, answer.delta.now());
                changed.put(answer.bound, answer.delta);
            }
        }
        Optional<Refused> refused = state.bound().keySet().stream()
                .filter(refusals::containsKey)
                .findFirst()
                .map(refusals::get);
        return new Result(
                changed.isEmpty() ? state.bound() : Collections.unmodifiableMap(values),
                apart.isEmpty() ? Map.of() : Collections.unmodifiableMap(apart),
                changed,
                refused);
    }

    /** The answer of one binding; without a delta nothing differs for it. */
    private static final class Answer<T> {

        private final Bound<T> bound;
        private final @Nullable ValueDelta<T> delta;
        private boolean prepared;

        private Answer(Bound<T> bound, @Nullable ValueDelta<T> delta) {
            this.bound = bound;
            this.delta = delta;
        }

        static <T> Answer<T> of(Bound<T> bound, ActiveConfig state, Layers layers, SecretPaths secrets) throws Refused {
            return new Answer<>(bound, bound.next(state, layers, secrets).orElse(null));
        }

        void prepare() throws Refused {
            if (delta != null) {
                bound.prepare(delta.now());
            }
            prepared = true;
        }
    }
}
