package io.baton.testkit.containers;

import io.baton.testkit.etcd.EtcdBinaries;
import io.baton.testkit.etcd.LocalEtcd;
import io.baton.testkit.server.ServerExtension;
import io.baton.testkit.server.TestServer;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import java.util.List;
import java.util.function.Supplier;
import org.testcontainers.DockerClientFactory;

/**
 * Provides the tests of a class with a real store, and each test with its own place there. The store is a server of
 * this machine if there is one, else a container.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final StoreExtension store = StoreExtension.etcd();
 *
 * @Test
 * void placeOrder_...() {
 *     try (Coordinator baton = Coordinator.connect(store.uri())) {
 *         ...
 *     }
 * }
 * }</pre>
 *
 * <p>A server of this machine is etcd's program ({@link EtcdBinaries}), or ZooKeeper in this JVM
 * ({@link LocalZooKeeper}) if its classes are on the class path. Without such a server and a container engine, the
 * tests fail, and the message says what to install. Tests that use only the store's address run on both.
 */
public final class StoreExtension extends ServerExtension<TestServer> {

    private static final String HOW_TO_GET_ZOOKEEPER = "no ZooKeeper server here: add org.apache.zookeeper:zookeeper,"
            + " io.dropwizard.metrics:metrics-core and org.xerial.snappy:snappy-java to the test class path";

    /** One class of each library that a server in this JVM requires. */
    private static final List<String> ZOOKEEPER = List.of(
            "org/apache/zookeeper/server/ZooKeeperServer",
            "com/codahale/metrics/Reservoir",
            "org/xerial/snappy/Snappy");

    /** Uses the server of this choice. */
    StoreExtension(ServerChoice choice) {
        super(TestServer.class, choice::start);
    }

    /** Uses etcd: {@link LocalEtcd#start}, or else an {@link EtcdContainer} with its defaults. */
    public static StoreExtension etcd() {
        return etcd(LocalEtcd::start, EtcdContainer::new);
    }

    /**
     * Uses etcd.
     *
     * @param local starts the server of this machine, as {@code () -> LocalEtcd.builder().oldest().start()}
     * @param container creates a container, as {@code () -> new EtcdContainer("...")}
     */
    public static StoreExtension etcd(Supplier<LocalEtcd> local, Supplier<EtcdContainer> container) {
        return new StoreExtension(new ServerChoice(
                EtcdBinaries.HOW_TO_GET_ONE, EtcdBinaries::available, local, StoreExtension::engineAnswers, container));
    }

    /** Uses ZooKeeper: {@link LocalZooKeeper#start}, or else a {@link ZooKeeperContainer} with its defaults. */
    public static StoreExtension zookeeper() {
        return zookeeper(LocalZooKeeper::start, ZooKeeperContainer::new);
    }

    /**
     * Uses ZooKeeper.
     *
     * @param local starts the server in this JVM, as {@code () -> LocalZooKeeper.builder().port(2181).start()}
     * @param container creates a container, as {@code () -> new ZooKeeperContainer("...")}
     */
    public static StoreExtension zookeeper(Supplier<LocalZooKeeper> local, Supplier<ZooKeeperContainer> container) {
        return new StoreExtension(new ServerChoice(
                HOW_TO_GET_ZOOKEEPER,
                () -> hasZooKeeper(StoreExtension.class.getClassLoader()),
                local,
                StoreExtension::engineAnswers,
                container));
    }

    /** Whether a ZooKeeper server can run in this JVM. */
    static boolean hasZooKeeper(ClassLoader loader) {
        return ZOOKEEPER.stream().allMatch(name -> loader.getResource(name + ".class") != null);
    }

    /** Whether a container engine answers. */
    static boolean engineAnswers() {
        return DockerClientFactory.instance().isDockerAvailable();
    }
}
