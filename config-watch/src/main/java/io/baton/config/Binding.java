package io.baton.config;

import io.baton.Subscription;
import java.util.function.Supplier;

/**
 * A typed value that is always the newest good one.
 *
 * <p><b>Guarantees.</b> All bindings of a {@link LiveConfig} change together: they are of one revision at each moment, but for
 * those that are {@link BindingBuilder#independent}. A value
 * that {@link #get} returns was parsed, bound and validated, and agreed to by every {@code prepare}. Any thread; never waits.
 */
public interface Binding<T> extends Supplier<T>, AutoCloseable {

    /** What it is bound to: a key, or the beginning of keys. */
    String name();

    /** The value in use. */
    @Override
    T get();

    /** As {@link #onChange(ListenerOptions, BindingListener)}, with the default options. */
    default Subscription onChange(BindingListener<? super T> listener) {
        return onChange(ListenerOptions.named(name()), listener);
    }

    /** Told of the present value, and of each change that is applied. */
    Subscription onChange(ListenerOptions options, BindingListener<? super T> listener);

    /** It follows no more, and has no say in what is applied; keeps its value. Idempotent. */
    @Override
    void close();
}
