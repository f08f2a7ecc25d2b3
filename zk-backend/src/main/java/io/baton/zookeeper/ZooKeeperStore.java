package io.baton.zookeeper;

import io.baton.spi.Store;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * Stores on ZooKeeper that are set up in the program; for what a URI, a file and the environment can say, {@link
 * io.baton.Coordinator#connect(String)} is enough.
 *
 * <pre>{@code
 * Store store = ZooKeeperStore.builder("zks://zk1:2281,zk2:2281/shop")
 *         .digest("shop", Secret.file(Path.of("/run/secrets/zookeeper")))
 *         .trustStore(Path.of("/etc/ssl/zookeeper.p12"), Secret.environment("TRUST_STORE_PASSWORD"))
 *         .build();
 * try (Coordinator baton = Coordinator.connect(store, CoordinatorOptions.defaults())) { ... }
 * }</pre>
 */
public final class ZooKeeperStore {

    private ZooKeeperStore() {}

    /**
     * Starts from an address. What a file named in it ({@code ?config=FILE}) or the environment say is not looked at.
     *
     * @param uri {@code zk://host:port[,host:port...][/chroot][?tick=2s&create=no]}, with {@code zks} for TLS
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
        if (!scheme.equals(ZkAddress.PLAIN) && !scheme.equals(ZkAddress.SECURE)) {
            throw new IllegalArgumentException("a ZooKeeper store begins with zk:// or zks://");
        }
        return new Builder(ZkAddress.parse(parsed));
    }

    /** Collects what can be set; {@link #build} makes the store. */
    public static final class Builder {

        private final ZkAddress address;
        private Optional<Acl.Digest> digest = Optional.empty();
        private Optional<String> acl = Optional.empty();
        private Optional<Settings.KeyFile> trust = Optional.empty();
        private Optional<Settings.KeyFile> own = Optional.empty();

        private Builder(ZkAddress address) {
            this.address = address;
        }

        /** Credentials of ZooKeeper's digest scheme. All clients of one line share them, or an {@link #acl}. */
        public Builder digest(String user, Secret password) {
            digest = Optional.of(new Acl.Digest(user, password));
            return this;
        }

        /**
         * Who may touch what this client makes: {@code open}, {@code creator} (whoever has the same credentials) or
         * ZooKeeper's own notation, {@code scheme:id:cdrwa,...}. A line with another ACL is refused. Default: {@code
         * creator} with credentials; without, everything is open and other ACLs are not looked at.
         */
        public Builder acl(String value) {
            acl = Optional.of(value);
            return this;
        }

        /** Certificates that a server's must descend from: a PKCS12, JKS or PEM file. Default: the JVM's own. */
        public Builder trustStore(Path file, Secret password) {
            trust = Optional.of(new Settings.KeyFile(file, Optional.of(password)));
            return this;
        }

        /** This client's certificate and its key, for servers that ask for one: a PKCS12, JKS or PEM file. */
        public Builder keyStore(Path file, Secret password) {
            own = Optional.of(new Settings.KeyFile(file, Optional.of(password)));
            return this;
        }

        /**
         * The store; connects to nothing yet, but opens the key stores.
         *
         * @throws IllegalArgumentException if the settings cannot work; the message says why
         */
        public Store build() {
            Settings settings = Settings.of(digest, acl, address.secure(), trust, own);
            return ZkStore.at(address, settings);
        }
    }
}
