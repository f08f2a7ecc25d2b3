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
 * Stores on etcd that are set up in the program; for what a URI, a file and the environment can say, {@link
 * io.baton.Coordinator#connect(String)} is enough.
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
     * Starts from an address. What a file named in it ({@code ?config=FILE}) or the environment say is not looked at.
     *
     * @param uri {@code etcd://host:port[,host:port...][/root]}, with {@code etcds} for TLS
     * @throws IllegalArgumentException if it cannot be understood; the message shows a correct one
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

    /** Collects what can be set; {@link #build} makes the store. */
    public static final class Builder {

        private final EtcdAddress address;
        private Optional<Login.User> user = Optional.empty();
        private Optional<KeyFile> trust = Optional.empty();
        private Optional<KeyFile> own = Optional.empty();

        private Builder(EtcdAddress address) {
            this.address = address;
        }

        /** Who the client is, where etcd's authentication is on. Must be allowed to read and write below the root. */
        public Builder user(String name, Secret password) {
            user = Optional.of(new Login.User(name, password));
            return this;
        }

        /** Certificates that a server's must descend from: a PEM file. Default: the JVM's own. */
        public Builder trustStore(Path file) {
            trust = Optional.of(new KeyFile(file, Optional.empty()));
            return this;
        }

        /** The same with a password: a PKCS12, JKS or PEM file. */
        public Builder trustStore(Path file, Secret password) {
            trust = Optional.of(new KeyFile(file, Optional.of(password)));
            return this;
        }

        /** This client's certificate and its key, for servers that ask for one: a PEM file with both. */
        public Builder keyStore(Path file) {
            own = Optional.of(new KeyFile(file, Optional.empty()));
            return this;
        }

        /** The same with a password: a PKCS12, JKS or PEM file. */
        public Builder keyStore(Path file, Secret password) {
            own = Optional.of(new KeyFile(file, Optional.of(password)));
            return this;
        }

        /**
         * The store; connects to nothing yet, but opens the key stores.
         *
         * @throws IllegalArgumentException if the settings cannot work; the message says why
         */
        @CheckReturnValue
        public Store build() {
            return new LiveEtcdStore(address, Settings.of(user, address.secure(), trust, own));
        }
    }
}
