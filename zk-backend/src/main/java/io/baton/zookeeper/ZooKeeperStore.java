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
 * Builds stores on ZooKeeper in program code. {@link io.baton.Coordinator#connect(String)} is enough for settings that
 * a URI, a file and the environment can hold.
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
     * Returns a builder for a store at this address. It ignores a file that the URI names ({@code ?config=FILE}) and
     * the environment.
     *
     * @param uri {@code zk://host:port[,host:port...][/chroot][?tick=2s&create=no]}, with {@code zks} for TLS
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
        if (!scheme.equals(ZkAddress.PLAIN) && !scheme.equals(ZkAddress.SECURE)) {
            throw new IllegalArgumentException("a ZooKeeper store begins with zk:// or zks://");
        }
        return new Builder(ZkAddress.parse(parsed));
    }

    /**
     * Returns a builder for a store on an existing Curator client. Baton shares that client's session and opens no
     * connection of its own. The client's owner still closes it. Curator must be on the class path.
     *
     * <p><b>Settings.</b> The session, its timeout, its credentials and its TLS are the client's. Baton ignores the
     * client's namespace and ACL provider. Baton's session is lost when the client's session expires or the client is
     * closed. Baton continues with the client's next session.
     *
     * <p><b>Closing</b> a coordinator removes only its own entries and watches. Without contact, it removes them after
     * the client reconnects. If the process dies, its entries remain until the client's session times out.
     */
    public static SharedBuilder using(CuratorFramework client) {
        return new SharedBuilder(() -> client.getZookeeperClient().getZooKeeper());
    }

    /** Collects the settings of a store on a shared client. {@link #build} makes the store. */
    public static final class SharedBuilder {

        private final SharedZkWire.Handles handles;
        private String chroot = "";
        private Duration tick = ZkAddress.DEFAULT_TICK;
        private boolean create = true;
        private Optional<String> acl = Optional.empty();

        private SharedBuilder(SharedZkWire.Handles handles) {
            this.handles = handles;
        }

        /**
         * Sets the path of the tree that Baton works in. It lies below the chroot of the client's own address, if any.
         * Default: the whole tree.
         *
         * @throws IllegalArgumentException if the path is relative, has a forbidden segment, or lies in
         *     {@code /zookeeper}
         */
        public SharedBuilder chroot(String path) {
            chroot = ZkAddress.chroot(path);
            return this;
        }

        /**
         * Sets the servers' {@code tickTime}, which the client protocol does not report. Default: 2 s. Too large a
         * value only costs time; too small a value makes a hold seem valid for too long.
         *
         * @throws IllegalArgumentException if the value is below 1 ms or above 60 s
         */
        public SharedBuilder tick(Duration value) {
            tick = ZkAddress.tick(value);
            return this;
        }

        /** Sets whether Baton creates a missing chroot. Default: yes. */
        public SharedBuilder createChroot(boolean value) {
            create = value;
            return this;
        }

        /**
         * Sets the ACL as {@link Builder#acl} does, but without {@code creator}: Baton cannot read the client's
         * credentials. Default: new nodes are open, and Baton does not check the ACLs of lines.
         */
        public SharedBuilder acl(String value) {
            acl = Optional.of(value);
            return this;
        }

        /**
         * Returns the store. The client may be started later, but before a coordinator connects.
         *
         * @throws IllegalArgumentException if the settings cannot work; the message says why
         */
        @CheckReturnValue
        public Store build() {
            var address = new ZkAddress("shared-client", chroot, tick, false, create);
            return ZkStore.on(handles, address, Acl.of(acl, Optional.empty()));
        }
    }

    /** Collects the settings of a store with connections of its own. {@link #build} makes the store. */
    public static final class Builder {

        private final ZkAddress address;
        private Optional<Acl.Digest> digest = Optional.empty();
        private Optional<String> acl = Optional.empty();
        private Optional<KeyFile> trust = Optional.empty();
        private Optional<KeyFile> own = Optional.empty();

        private Builder(ZkAddress address) {
            this.address = address;
        }

        /**
         * Sets the credentials for ZooKeeper's digest scheme, and reads the password. All clients of one line share
         * these credentials, or an {@link #acl}.
         *
         * @throws IllegalArgumentException if the user is empty or contains {@code :}, or the password cannot be read
         */
        public Builder digest(String user, Secret password) {
            digest = Optional.of(new Acl.Digest(user, password));
            return this;
        }

        /**
         * Sets the ACL of every node that this client creates: {@code open}, {@code creator} (clients with the same
         * credentials) or ZooKeeper's notation, {@code scheme:id:cdrwa,...}. Baton refuses to join a line that has
         * another ACL.
         *
         * <p>Default: {@code creator} with credentials. Without credentials, new nodes are open, and Baton does not
         * check the ACLs of lines.
         */
        public Builder acl(String value) {
            acl = Optional.of(value);
            return this;
        }

        /**
         * Sets the certificates that server certificates must descend from: a PKCS12, JKS or PEM file. Default: the
         * JVM's trust store.
         */
        public Builder trustStore(Path file, Secret password) {
            trust = Optional.of(new KeyFile(file, Optional.of(password)));
            return this;
        }

        /** Sets this client's certificate and its key, for servers that require one: a PKCS12, JKS or PEM file. */
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
            Settings settings = Settings.of(digest, acl, address.secure(), trust, own);
            return ZkStore.at(address, settings);
        }
    }
}
