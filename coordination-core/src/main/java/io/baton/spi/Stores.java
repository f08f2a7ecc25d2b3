package io.baton.spi;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeSet;

/** Finds the store that serves a URI. */
public final class Stores {

    private static final Map<String, String> MODULES = Map.of(
            "zk", "io.baton:baton-zookeeper",
            "zks", "io.baton:baton-zookeeper",
            "etcd", "io.baton:baton-etcd",
            "etcds", "io.baton:baton-etcd",
            "jdbc", "io.baton:baton-jdbc");

    private Stores() {}

    /**
     * Returns the store at this address.
     *
     * @throws IllegalArgumentException if the URI cannot be understood, or no store on the class path serves it
     */
    public static Store at(String uri) {
        return provider(uri).create(URI.create(uri));
    }

    /**
     * Returns the provider of the store at this address.
     *
     * @throws IllegalArgumentException if the URI cannot be understood, or no store on the class path serves it
     */
    public static StoreProvider provider(String uri) {
        URI parsed;
        try {
            parsed = new URI(uri);
        } catch (URISyntaxException broken) {
            throw new IllegalArgumentException(
                    "cannot read the store URI " + shown(uri) + ": " + broken.getReason()
                            + "; it should look like zk://localhost:2181/app",
                    uri.contains("@") || uri.contains("password") ? null : broken);
        }
        String scheme = parsed.getScheme() == null ? "" : parsed.getScheme().toLowerCase(Locale.ROOT);
        var known = new TreeSet<String>();
        for (StoreProvider provider : ServiceLoader.load(StoreProvider.class)) {
            if (provider.schemes().contains(scheme)) {
                return provider;
            }
            known.addAll(provider.schemes());
        }
        throw new IllegalArgumentException(
                MODULES.containsKey(scheme)
                        ? "no store for " + shown(uri) + ": " + MODULES.get(scheme)
                                + " is not on the class path; the schemes here are " + known
                        : "no store for " + shown(uri)
                                + ": it should look like zk://host:2181/app, etcd://host:2379/app or jdbc:postgresql://host/app; the schemes here are "
                                + known);
    }

    /** Hides a URI with user information, or with a parameter of a driver, that may be a password. */
    private static String shown(String uri) {
        return uri.contains("@") || uri.contains("password")
                ? "(not shown, as it may hold a password)"
                : "'" + uri + "'";
    }
}
