package io.baton.testkit.zookeeper;

import io.baton.testkit.server.ServerExtension;

/**
 * Provides the tests of a class with a real ZooKeeper server, and each test with its own chroot. The chroot does not
 * exist yet; Baton creates it.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();
 *
 * @Test
 * void placeOrder_...() {
 *     try (Coordinator baton = Coordinator.connect(zookeeper.uri())) {
 *         ...
 *     }
 * }
 * }</pre>
 */
public final class ZooKeeperExtension extends ServerExtension<LocalZooKeeper> {

    /** Uses the defaults of {@link LocalZooKeeper#builder()}. */
    public ZooKeeperExtension() {
        this(LocalZooKeeper.builder());
    }

    /** Uses a server of this kind. */
    public ZooKeeperExtension(LocalZooKeeper.Builder builder) {
        super(LocalZooKeeper.class, builder::start);
    }

    /** The path of the current test's own chroot. */
    public String chroot() {
        return place();
    }
}
