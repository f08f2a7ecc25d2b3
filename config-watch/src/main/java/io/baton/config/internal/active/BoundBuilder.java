package io.baton.config.internal.active;

import io.baton.config.Binding;
import io.baton.config.BindingBuilder;
import io.baton.config.Preparation;
import io.baton.config.UnknownFields;
import io.baton.config.values.Converters;
import io.baton.config.values.SecretPaths;
import io.baton.config.values.TypeBinder;
import java.util.Optional;
import java.util.function.Predicate;

/** Collects the conditions of a bound value, and binds it. */
public final class BoundBuilder<T> implements BindingBuilder<T> {

    private final Bindings all;
    private final String name;
    private final Class<T> type;
    private final UnknownFields unknown;
    private final Converters converters;
    private Conditions<T> conditions = Conditions.none();
    private Optional<T> fallback = Optional.empty();
    private boolean independent;

    public BoundBuilder(Bindings all, String name, Class<T> type, UnknownFields unknown, Converters converters) {
        this.all = all;
        this.name = name;
        this.type = type;
        this.unknown = unknown;
        this.converters = converters;
    }

    @Override
    public BindingBuilder<T> validate(Predicate<? super T> good, String what) {
        conditions = conditions.with(good, what);
        return this;
    }

    @Override
    public BindingBuilder<T> prepare(Preparation<? super T> preparation) {
        conditions = conditions.with(preparation);
        return this;
    }

    @Override
    public BindingBuilder<T> orElse(T value) {
        fallback = Optional.of(value);
        return this;
    }

    @Override
    public BindingBuilder<T> independent() {
        independent = true;
        return this;
    }

    @Override
    public Binding<T> bind() {
        SecretPaths secrets = all.secrets();
        TypeBinder<T> binder = new TypeBinder<>(name, type, unknown, secrets, converters, fallback);
        return all.add(new Bound<>(name, binder, conditions, independent, all));
    }
}
