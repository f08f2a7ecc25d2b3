package io.baton.zookeeper;

import io.baton.CheckReturnValue;
import io.baton.Secret;
import io.baton.spi.Store;
import io.baton.spi.support.KeyFile;
import io.baton.zookeeper.wire.Acl;
import io.baton.zookeeper.wire.Settings;
import io.baton.zookeeper.wire.SharedZkWire;
import io.baton.zookeeper.wire.ZkAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;

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

    /**
     * Starts from a Curator client that is there already, and stays its owner's to close: Baton takes part in its session
     * instead of opening a connection of its own. Curator must be on the class path.
     *
     * <p><b>What applies.</b> The session, its timeout, its credentials and its TLS are the client's; its namespace and
     * its ACL provider are not looked at. When the client's session expires or the client is closed, so is Baton's
     * session lost; with the client's next session Baton goes on.
     *
     * <p><b>Closing</b> a coordinator removes its own entries and watches, and nothing else; without contact, once there
     * is contact again. A process that dies leaves its entries until the client's session times out.
     */
    public static SharedBuilder using(CuratorFramework client) {
        return new SharedBuilder(() -> client.getZookeeperClient().getZooKeeper());
    }

    /** Collects what can be set on a shared client; {@link #build} makes the store. */
    public static final class SharedBuilder {

        private final SharedZkWire.Handles handles;
        private String chroot = "";
        private Duration tick = ZkAddress.DEFAULT_TICK;
        private boolean create = true;
        private Optional<String> acl = Optional.empty();

        private SharedBuilder(SharedZkWire.Handles handles) {
            this.handles = handles;
        }

        /** Path of the tree that Baton works in; below the chroot of the client's own address, if that has one. */
        public SharedBuilder chroot(String path) {
            chroot = ZkAddress.chroot(path);
            return this;
        }

        /** The servers' tickTime, which they do not tell. Default: 2 s. */
        public SharedBuilder tick(Duration value) {
            tick = ZkAddress.tick(value);
            return this;
        }

        /** Whether the chroot is made where it is missing. Default: yes. */
        public SharedBuilder createChroot(boolean value) {
            create = value;
            return this;
        }

        /** As {@link Builder#acl}, without {@code creator}: the client's credentials are not known here. */
        public SharedBuilder acl(String value) {
            acl = Optional.of(value);
            return this;
        }

        /**
         * The store; the client may be started later, but before a coordinator connects.
         *
         * @throws IllegalArgumentException if the settings cannot work; the message says why
         */
        @CheckReturnValue
        public Store build() {
            var address = new ZkAddress("shared-client", chroot, tick, false, create);
            return ZkStore.on(handles, address, Acl.of(acl, Optional.empty()));
        }
    }

    /** Collects what can be set; {@link #build} makes the store. */
    public static final class Builder {

        private final ZkAddress address;
        private Optional<Acl.Digest> digest = Optional.empty();
        private Optional<String> acl = Optional.empty();
        private Optional<KeyFile> trust = Optional.empty();
        private Optional<KeyFile> own = Optional.empty();

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
            trust = Optional.of(new KeyFile(file, Optional.of(password)));
            return this;
        }

        /** This client's certificate and its key, for servers that ask for one: a PKCS12, JKS or PEM file. */
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
            Settings settings = Settings.of(digest, acl, address.secure(), trust, own);
            return ZkStore.at(address, settings);
        }
    }
}
