package io.baton.cli.config;

import io.baton.config.ConfigStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;

/** A store of which some calls are preceded by something. */
final class CalledStore {

    /** What precedes a call, and may fail in its place. */
    interface First {
        void run() throws Exception;
    }

    private CalledStore() {}

    /** Runs this before each call of these methods. */
    static ConfigStore before(List<String> methods, First first, ConfigStore store) {
        return (ConfigStore) Proxy.newProxyInstance(
                ConfigStore.class.getClassLoader(), new Class<?>[] {ConfigStore.class}, (proxy, method, args) -> {
                    if (methods.contains(method.getName())) {
                        first.run();
                    }
                    try {
                        return method.invoke(store, args);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }
}
