package io.baton.config.internal.active;

import io.baton.Subscription;
import io.baton.config.Binding;
import io.baton.config.BindingListener;
import io.baton.config.KeyChange;
import io.baton.config.ListenerOptions;
import io.baton.config.values.Layers;
import io.baton.config.values.SecretPaths;
import io.baton.config.values.TypeBinder;
import io.baton.config.values.Unbindable;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A binding and its conditions. The value itself is part of the state in use. */
public final class Bound<T> implements Binding<T> {

    private final String name;
    private final TypeBinder<T> binder;
    private final Conditions<T> conditions;
    private final boolean independent;
    private final Bindings all;
    private volatile @Nullable T kept;

    public Bound(String name, TypeBinder<T> binder, Conditions<T> conditions, boolean independent, Bindings all) {
        this.name = name;
        this.binder = binder;
        this.conditions = conditions;
        this.independent = independent;
        this.all = all;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public T get() {
        T value = in(all.inUse());
        if (value == null) {
            value = kept;
        }
        if (value == null) {
            throw new IllegalStateException(name + " is not bound");
        }
        return value;
    }

    /** Returns whether it comes into use without the other bindings' consent, and they without its own. */
    public boolean independent() {
        return independent;
    }

    /** Returns the value in this state; null if it is not bound there. */
    @SuppressWarnings("unchecked")
    @Nullable
    T in(ActiveConfig state) {
        return (T) state.bound().get(this);
    }

    /** Keeps this value from now on. */
    void keep(T value) {
        kept = value;
    }

    /** Returns its value in these layers. */
    T value(Layers layers) throws Refused {
        T value = read(layers);
        conditions.check(name, value);
        return value;
    }

    /** Any failure in it, as in a type's constructor, is a refusal. */
    private T read(Layers layers) throws Refused {
        try {
            return binder.bind(layers);
        } catch (Unbindable why) {
            throw new Refused(why.key(), why.reason());
        } catch (Throwable broken) {
            // Its message may quote a value.
            throw new Refused(name, "cannot be made: " + broken.getClass().getSimpleName());
        }
    }

    /** Returns its change to these layers; empty if nothing differs, or it is not bound. */
    Optional<ValueDelta<T>> next(ActiveConfig state, Layers layers, SecretPaths secrets) throws Refused {
        T was = in(state);
        if (was == null) {
            return Optional.empty();
        }
        T value = read(layers);
        List<KeyChange> changes = value == was ? List.of() : changes(was, value, layers, state.layersOf(this), secrets);
        if (changes.isEmpty()) {
            return Optional.empty();
        }
        conditions.check(name, value);
        return Optional.of(new ValueDelta<>(Optional.of(was), value, changes));
    }

    /**
     * Texts alone do not show all changes, as some types tell apart spellings of a name. A value may lack a useful
     * equals, so it counts as another one only if it is also written in another way.
     */
    private List<KeyChange> changes(T was, T now, Layers layers, Layers before, SecretPaths secrets) throws Refused {
        try {
            List<KeyChange> changes = layers.changes(name, before, secrets);
            return changes.isEmpty() && !equal(was, now) ? layers.rewritten(name, before, secrets) : changes;
        } catch (Unbindable why) {
            throw new Refused(why.key(), why.reason());
        }
    }

    private static boolean equal(Object was, Object now) {
        try {
            return was.equals(now);
        } catch (Throwable broken) {
            return false; // a user's type need not be able to compare
        }
    }

    /** Runs the preparations for this value. */
    void prepare(T value) throws Refused {
        conditions.prepare(
                name, value, said -> binder.withoutSecrets(said, all.inUse().layers()));
    }

    @Override
    public Subscription onChange(ListenerOptions options, BindingListener<? super T> listener) {
        return all.listen(this, options, delta -> notifyListener(listener, delta));
    }

    private static <S> void notifyListener(BindingListener<S> listener, ValueDelta<? extends S> delta) {
        listener.changed(delta.before().map(Function.identity()), delta.now(), delta.changes());
    }

    @Override
    public void close() {
        all.remove(this);
    }

    @Override
    public String toString() {
        return name;
    }
}
