package io.baton.etcd;

import io.baton.CheckReturnValue;
import io.baton.Secret;
import io.baton.etcd.wire.EtcdAddress;
import io.baton.etcd.wire.Login;
import io.baton.etcd.wire.Settings;
import io.baton.spi.Store;
import io.baton.spi.support.KeyFile;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * Builds stores on etcd in program code. {@link io.baton.Coordinator#connect(String)} is enough for settings that a
 * URI, a file and the environment can hold.
 *
 * <pre>{@code
 * Store store = EtcdStore.builder("etcds://etcd1:2379,etcd2:2379/shop")
 *         .user("shop", Secret.file(Path.of("/run/secrets/etcd")))
 *         .trustStore(Path.of("/etc/ssl/etcd-ca.pem"))
 *         .build();
 * try (Coordinator baton = Coordinator.connect(store, CoordinatorOptions.defaults())) { ... }
 * }</pre>
 */
public final class EtcdStore {

    private EtcdStore() {}

    /**
     * Returns a builder for a store at this address. It ignores a file that the URI names ({@code ?config=FILE}) and
     * the environment.
     *
     * @param uri {@code etcd://host:port[,host:port...][/root]}, with {@code etcds} for TLS
     * @throws IllegalArgumentException if the URI is invalid; the message shows a correct one
     */
    public static Builder builder(String uri) {
        URI parsed;
        try {
            parsed = new URI(uri);
        } catch (URISyntaxException broken) {
            throw new IllegalArgumentException("cannot read the store URI: " + broken.getReason());
        }
        String scheme = parsed.getScheme() == null ? "" : parsed.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals(EtcdAddress.PLAIN) && !scheme.equals(EtcdAddress.SECURE)) {
            throw new IllegalArgumentException("an etcd store begins with etcd:// or etcds://");
        }
        return new Builder(EtcdAddress.parse(parsed));
    }

    /** Collects the settings of a store. {@link #build} makes the store. */
    public static final class Builder {

        private final EtcdAddress address;
        private Optional<Login.User> user = Optional.empty();
        private Optional<KeyFile> trust = Optional.empty();
        private Optional<KeyFile> own = Optional.empty();

        private Builder(EtcdAddress address) {
            this.address = address;
        }

        /**
         * Sets the user for clusters with authentication enabled. Its role must allow reads and writes below the root.
         * The client reads the password again for each token.
         */
        public Builder user(String name, Secret password) {
            user = Optional.of(new Login.User(name, password));
            return this;
        }

        /**
         * Sets the certificates that server certificates must descend from: a PEM file. Default: the JVM's trust store.
         */
        public Builder trustStore(Path file) {
            trust = Optional.of(new KeyFile(file, Optional.empty()));
            return this;
        }

        /** As {@link #trustStore(Path)}, for a PKCS12, JKS or PEM file with a password. */
        public Builder trustStore(Path file, Secret password) {
            trust = Optional.of(new KeyFile(file, Optional.of(password)));
            return this;
        }

        /** Sets this client's certificate and its key, for servers that require one: a PEM file with both. */
        public Builder keyStore(Path file) {
            own = Optional.of(new KeyFile(file, Optional.empty()));
            return this;
        }

        /** As {@link #keyStore(Path)}, for a PKCS12, JKS or PEM file with a password. */
        public Builder keyStore(Path file, Secret password) {
            own = Optional.of(new KeyFile(file, Optional.of(password)));
            return this;
        }

        /**
         * Returns the store. Opens the key stores, but does not connect.
         *
         * @throws IllegalArgumentException if the settings cannot work; the message says why
         */
        @CheckReturnValue
        public Store build() {
            return new LiveEtcdStore(address, Settings.of(user, address.secure(), trust, own));
        }
    }
}
