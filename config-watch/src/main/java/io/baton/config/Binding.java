package io.baton.config;

import io.baton.Subscription;
import java.util.function.Supplier;

/**
 * A typed value that is always the newest good one.
 *
 * <p><b>Guarantees.</b> All bindings of a {@link LiveConfig} change together and are of one revision at each moment,
 * except {@link BindingBuilder#independent} ones. A value that {@link #get} returns was parsed, bound and validated,
 * and accepted by every {@code prepare}. All methods may be called by any thread; {@link #get} never blocks.
 */
public interface Binding<T> extends Supplier<T>, AutoCloseable {

    /** Returns the key or key prefix that it is bound to. */
    String name();

    /** Returns the value in use. */
    @Override
    T get();

    /** {@link #onChange(ListenerOptions, BindingListener)} with the default options. */
    default Subscription onChange(BindingListener<? super T> listener) {
        return onChange(ListenerOptions.named(name()), listener);
    }

    /** Adds a listener, which gets the present value and each change that is applied. */
    Subscription onChange(ListenerOptions options, BindingListener<? super T> listener);

    /** Stops following. The binding keeps its value and no longer affects which revisions are applied. Idempotent. */
    @Override
    void close();
}
