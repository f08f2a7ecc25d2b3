package io.baton.config;

import io.baton.Subscription;
import io.baton.config.values.SecretPaths;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Who has bound what, and who listens; any thread. Users' code runs in between reading and replacing what is in use, never under
 * a lock, and what was done for a state that is not in use any more is done again.
 */
final class Bindings {

    private final Current inUse;
    private final SecretPaths secrets;
    private final Teller.Means means;
    private final Runnable onFewer;

    /** Of what is in use; {@code onFewer} is told when a binding has no say any more. */
    Bindings(Current inUse, SecretPaths secrets, Teller.Means means, Runnable onFewer) {
        this.inUse = inUse;
        this.secrets = secrets;
        this.means = means;
        this.onFewer = onFewer;
    }

    InUse inUse() {
        return inUse.get();
    }

    SecretPaths secrets() {
        return secrets;
    }

    /**
     * Binds to what is in use.
     *
     * @throws ConfigException if that is not possible
     */
    <T> Bound<T> add(Bound<T> added) {
        InUse was = inUse.get();
        T value = accepted(added, was);
        while (!inUse.replace(was, was.with(added, value))) {
            InUse now = inUse.get();
            if (now.layers() != was.layers()) {
                value = accepted(added, now);
            }
            was = now;
        }
        return added;
    }

    private static <T> T accepted(Bound<T> added, InUse state) {
        try {
            T value = added.value(state.layers());
            added.prepare(value);
            return value;
        } catch (Refused why) {
            throw new ConfigException("cannot bind " + added.name() + ": " + why.reason());
        }
    }

    /** It keeps its value. */
    <T> void remove(Bound<T> removed) {
        boolean gone = false;
        while (!gone) {
            InUse was = inUse.get();
            T value = removed.in(was);
            if (value == null) {
                return;
            }
            removed.keep(value);
            gone = inUse.replace(was, was.without(removed));
        }
        onFewer.run();
    }

    /** Tells the present value, and each later one. */
    <T> Subscription listen(Bound<T> to, ListenerOptions options, Consumer<ValueDelta<T>> listener) {
        Teller<ValueDelta<T>> teller = new Teller<>(means, options, listener);
        return listen(
                teller,
                state -> new ValueDelta<>(Optional.empty(), now(to, state), List.of()),
                swap -> Optional.ofNullable(delta(to, swap)));
    }

    private static <T> T now(Bound<T> of, InUse state) {
        T value = of.in(state);
        return value == null ? of.get() : value;
    }

    @SuppressWarnings("unchecked")
    private static <T> @Nullable ValueDelta<T> delta(Bound<T> of, Swap swap) {
        return (ValueDelta<T>) swap.bound().get(of);
    }

    /** Tells what there is of these keys, and each change of them. */
    Subscription listen(
            ListenerOptions options, Function<Differences, Differences> which, Consumer<KeyDelta> listener) {
        Teller<KeyDelta> teller = new Teller<>(means, options, listener);
        Function<InUse, KeyDelta> first = state -> new KeyDelta(
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
            Teller<D> teller, Function<InUse, D> first, Function<Swap, Optional<D>> later) {
        Ear<D> ear = new Ear<>(teller, later);
        boolean added = false;
        while (!added) {
            InUse was = inUse.get();
            teller.first(first.apply(was));
            added = was.closed() || inUse.replace(was, was.with(ear));
        }
        teller.start();
        return () -> {
            ear.end();
            inUse.change(state -> state.without(ear));
        };
    }

    /** A listener, and what of a change concerns it. */
    private record Ear<D extends Delta<D>>(Teller<D> teller, Function<Swap, Optional<D>> which)
            implements InUse.Audience {

        @Override
        public InUse.Telling applied(Swap swap) {
            return which.apply(swap)
                    .filter(delta -> !delta.isNothing())
                    .map(teller::offer)
                    .orElse(InUse.Telling.NONE);
        }

        @Override
        public void end() {
            teller.close();
        }
    }
}
