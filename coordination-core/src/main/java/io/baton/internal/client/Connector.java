package io.baton.internal.client;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.StoreUnavailableException;
import io.baton.internal.callback.ClientCallbacks;
import io.baton.recipe.Futures;
import io.baton.recipe.Texts;
import io.baton.spi.EventLoop;
import io.baton.spi.Store;
import io.baton.spi.Stores;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Connects: finds the store, starts a client on its own thread and, unless in the background, waits for contact. */
public final class Connector {

    private Connector() {}

    /** See {@link Coordinator#connect(String, CoordinatorOptions)}. */
    public static Coordinator connect(String uri, CoordinatorOptions options) throws InterruptedException {
        return connect(Stores.at(uri), uri, options);
    }

    /** See {@link Coordinator#connect(Store, CoordinatorOptions)}. */
    public static Coordinator connect(Store store, CoordinatorOptions options) throws InterruptedException {
        return connect(store, store.toString(), options);
    }

    private static Coordinator connect(Store store, String where, CoordinatorOptions options)
            throws InterruptedException {
        String name = "baton-" + options.client();
        ClientCallbacks callbacks =
                options.callbacks().map(ClientCallbacks::on).orElseGet(() -> ClientCallbacks.pooled(name));
        EventLoop loop = new EventLoop(name);
        DefaultCoordinator client;
        try {
            client = new DefaultCoordinator(store, where, loop, callbacks, options, loop::close);
        } catch (Throwable broken) {
            loop.close(); // it has a thread, and nothing else would end that
            throw broken;
        }
        client.open();
        try {
            if (options.inBackground()) {
                client.opened().get();
                return client;
            }
            client.ready().get(options.connectTimeout().toNanos(), TimeUnit.NANOSECONDS);
            return client;
        } catch (TimeoutException late) {
            String why =
                    client.whyNoContact().map(known -> ": " + known).orElse("; is the server running and reachable?");
            client.close();
            throw new StoreUnavailableException(
                    "no contact with " + where + " within " + Texts.of(options.connectTimeout()) + why);
        } catch (ExecutionException failed) {
            client.close();
            throw Futures.rethrowable(failed);
        } catch (InterruptedException asked) {
            client.closeAsync();
            throw asked;
        }
    }
}
