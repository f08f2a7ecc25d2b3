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
 * Gives the tests of a class a real store, and each test a place of its own there: a server of this machine if there is
 * one, else a container.
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
 * <p>A server of this machine is etcd's program ({@link EtcdBinaries}), or ZooKeeper in this JVM ({@link LocalZooKeeper})
 * if its classes are on the class path. Where there is neither that nor an engine for containers, the tests fail, and the
 * message says what to install. Tests that use the store's address only run on either.
 */
public final class StoreExtension extends ServerExtension<TestServer> {

    private static final String HOW_TO_GET_ZOOKEEPER = "no ZooKeeper server here: add org.apache.zookeeper:zookeeper,"
            + " io.dropwizard.metrics:metrics-core and org.xerial.snappy:snappy-java to the test class path";

    /** One class of each library that a server in this JVM needs. */
    private static final List<String> ZOOKEEPER = List.of(
            "org/apache/zookeeper/server/ZooKeeperServer",
            "com/codahale/metrics/Reservoir",
            "org/xerial/snappy/Snappy");

    /** On the server that is chosen. */
    StoreExtension(ServerChoice choice) {
        super(TestServer.class, choice::start);
    }

    /** On etcd: {@link LocalEtcd#start}, or else an {@link EtcdContainer} as it comes. */
    public static StoreExtension etcd() {
        return etcd(LocalEtcd::start, EtcdContainer::new);
    }

    /**
     * On etcd.
     *
     * @param local starts the server of this machine, as {@code () -> LocalEtcd.builder().oldest().start()}
     * @param container makes a container, as {@code () -> new EtcdContainer("...")}
     */
    public static StoreExtension etcd(Supplier<LocalEtcd> local, Supplier<EtcdContainer> container) {
        return new StoreExtension(new ServerChoice(
                EtcdBinaries.HOW_TO_GET_ONE, EtcdBinaries::available, local, StoreExtension::engineAnswers, container));
    }

    /** On ZooKeeper: {@link LocalZooKeeper#start}, or else a {@link ZooKeeperContainer} as it comes. */
    public static StoreExtension zookeeper() {
        return zookeeper(LocalZooKeeper::start, ZooKeeperContainer::new);
    }

    /**
     * On ZooKeeper.
     *
     * @param local starts the server in this JVM, as {@code () -> LocalZooKeeper.builder().port(2181).start()}
     * @param container makes a container, as {@code () -> new ZooKeeperContainer("...")}
     */
    public static StoreExtension zookeeper(Supplier<LocalZooKeeper> local, Supplier<ZooKeeperContainer> container) {
        return new StoreExtension(new ServerChoice(
                HOW_TO_GET_ZOOKEEPER,
                () -> hasZooKeeper(StoreExtension.class.getClassLoader()),
                local,
                StoreExtension::engineAnswers,
                container));
    }

    /** Whether a server of ZooKeeper can run in this JVM. */
    static boolean hasZooKeeper(ClassLoader loader) {
        return ZOOKEEPER.stream().allMatch(name -> loader.getResource(name + ".class") != null);
    }

    /** Whether an engine for containers answers. */
    static boolean engineAnswers() {
        return DockerClientFactory.instance().isDockerAvailable();
    }
}
