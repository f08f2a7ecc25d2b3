package io.baton.config;

import java.util.function.Predicate;

/** Collects what a bound value must be like. */
public interface BindingBuilder<T> {

    /**
     * A condition on the value: a function of nothing else, which may be asked at any time. One that throws is not met.
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
    BindingBuilder<T> prepare(Preparation<? super T> preparation);

    /** The value where no layer has any: instead of failing, or of what the type's defaults make. */
    BindingBuilder<T> orElse(T fallback);

    /**
     * It takes each new value of its own as soon as that is good, also while something else that is bound rejects the revision; and
     * while its own value is not good it alone keeps the last good one. For a kill switch, which must work whatever else is wrong.
     * It may then be of another revision than the other bindings. Default all together.
     */
    BindingBuilder<T> independent();

    /**
     * Binds. If the present state does not fit, all that is bound goes back together to the last state that fits: that of the cache,
     * else the newest one that the history has, else what the service brings along. {@link LiveConfig#status()} and the fleet tell
     * the rejection until there is a state that fits. May wait for the history for up to {@link LiveConfigBuilder#startTimeout};
     * within a callback the history is left out.
     *
     * @throws ConfigException if no state that is known fits; the message says why the present one does not
     */
    Binding<T> bind();
}
