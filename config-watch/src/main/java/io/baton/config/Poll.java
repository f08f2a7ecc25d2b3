package io.baton.config;

import io.baton.config.values.Layers;
import io.baton.config.values.SecretPaths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Asks everything that is bound what it becomes with a candidate, and whether that is acceptable; each but once. */
final class Poll {

    private final SecretPaths secrets;
    private final Consumer<String> asking;
    private final Map<Bound<?>, Answer<?>> answers = new LinkedHashMap<>();

    /** What all have agreed to: what is bound then, and what of it differs. */
    record Result(Map<Bound<?>, Object> bound, Map<Bound<?>, ValueDelta<?>> changed) {}

    /** Nobody has been asked; {@code asking} is told who is. */
    Poll(SecretPaths secrets, Consumer<String> asking) {
        this.secrets = secrets;
        this.asking = asking;
    }

    /**
     * Asks those that are bound in this state and were not asked yet: first all whether the values are good, then all whether
     * they may come into use.
     */
    Result of(InUse state, Layers layers) throws Refused {
        List<Answer<?>> fresh = new ArrayList<>();
        for (Bound<?> bound : state.bound().keySet()) {
            if (!answers.containsKey(bound)) {
                asking.accept("binding " + bound.name());
                Answer<?> answer = Answer.of(bound, state, layers, secrets);
                answers.put(bound, answer);
                fresh.add(answer);
            }
        }
        for (Answer<?> answer : fresh) {
            asking.accept("prepare of " + answer.bound.name());
            answer.prepare();
        }
        return result(state);
    }

    private Result result(InUse state) {
        Map<Bound<?>, Object> values = new LinkedHashMap<>(state.bound());
        Map<Bound<?>, ValueDelta<?>> changed = new LinkedHashMap<>();
        for (Answer<?> answer : answers.values()) {
            if (answer.delta != null && values.containsKey(answer.bound)) {
                values.put(answer.bound, answer.delta.now());
                changed.put(answer.bound, answer.delta);
            }
        }
        return changed.isEmpty()
                ? new Result(state.bound(), changed)
                : new Result(Collections.unmodifiableMap(values), changed);
    }

    /** What one binding says; nothing differs for it without a delta. */
    private record Answer<T>(Bound<T> bound, @Nullable ValueDelta<T> delta) {

        static <T> Answer<T> of(Bound<T> bound, InUse state, Layers layers, SecretPaths secrets) throws Refused {
            return new Answer<>(bound, bound.next(state, layers, secrets).orElse(null));
        }

        void prepare() throws Refused {
            if (delta != null) {
                bound.prepare(delta.now());
            }
        }
    }
}
