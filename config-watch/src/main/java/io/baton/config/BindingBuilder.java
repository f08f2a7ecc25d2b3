package io.baton.config;

import java.util.function.Consumer;
import java.util.function.Predicate;

/** Collects what a bound value must be like. */
public interface BindingBuilder<T> {

    /**
     * A condition on the value: a function of nothing else, which may be asked at any time.
     *
     * @param what for people, as {@code timeout must be below 10s}: why a value is rejected that does not meet it
     */
    BindingBuilder<T> validate(Predicate<? super T> good, String what);

    /**
     * Asked before a new value is applied anywhere, when all have been validated: throws to reject the revision, and when binding
     * to refuse that. What it prepares must do no harm if the revision is then rejected by somebody else. Runs one at a time; what
     * it takes delays all changes of this configuration. The message of what it throws is told to operators; secret values of the binding are left out of it where they
     * stand as they are written, or as in an address.
     */
    BindingBuilder<T> prepare(Consumer<? super T> veto);

    /** The value where no layer has any: instead of failing, or of what the type's defaults make. */
    BindingBuilder<T> orElse(T fallback);

    /**
     * Binds.
     *
     * @throws ConfigException if the present value cannot be bound; the message says why
     */
    Binding<T> bind();
}
