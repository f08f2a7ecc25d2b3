package io.baton.config;

import java.util.function.Predicate;

/** Collects the conditions of a bound value. */
public interface BindingBuilder<T> {

    /**
     * Adds a condition on the value. It must depend on the value alone, and may be evaluated at any time. A condition
     * that throws is not met.
     *
     * @param what the reason for rejecting a value, for people, as {@code timeout must be below 10s}
     */
    BindingBuilder<T> validate(Predicate<? super T> good, String what);

    /**
     * Adds a preparation, which runs after validation of all bindings and before a new value is applied anywhere. If it
     * throws, the revision is rejected, or {@link #bind} fails. Its effects must be harmless if another binding then
     * rejects the revision. Preparations for a revision run one at a time and delay all changes of this configuration.
     * The first one runs in the thread that calls {@link #bind}, perhaps beside others. It runs again if the value has
     * changed meanwhile; from the fourth time on, other changes wait. Operators see the message of its exception. The
     * message omits secret values of the binding where they appear as written, or as in an address.
     */
    BindingBuilder<T> prepare(Preparation<? super T> preparation);

    /** Sets the value for when no layer has any. It replaces failure and the type's own defaults. */
    BindingBuilder<T> orElse(T fallback);

    /**
     * Applies each new good value of this binding at once, even while other bindings reject the revision. While its own
     * value is not good, it alone keeps the last good one. This suits a kill switch, which must work whatever else
     * fails. It may then be of another revision than the other bindings. Default all together.
     */
    BindingBuilder<T> independent();

    /**
     * Binds. If the present state does not fit, all bindings return together to the last state that fits, or an
     * independent one alone. Candidates are the cache, then the history from the newest on, then the service's own
     * layers. {@link LiveConfig#status()} and the fleet show the rejection until a state fits. One minute after the
     * start timeout the start is over: later bindings fail instead, unless independent. May wait for the history for up
     * to {@link LiveConfigBuilder#startTimeout}; a call within a callback skips the history.
     *
     * @throws ConfigException if no known state fits, or another one could not be tried, as a revision or another
     *     binding was being decided for the whole start timeout, or the caller is interrupted; the message says why the
     *     present one does not fit
     */
    Binding<T> bind();
}
