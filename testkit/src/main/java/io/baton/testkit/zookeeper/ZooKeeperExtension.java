package io.baton.testkit.zookeeper;

import io.baton.testkit.server.ServerExtension;

/**
 * Gives the tests of a class a real ZooKeeper server, and each test a chroot of its own. It does not exist yet; Baton
 * creates it.
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

    /** With the defaults of {@link LocalZooKeeper#builder()}. */
    public ZooKeeperExtension() {
        this(LocalZooKeeper.builder());
    }

    /** With a server of this kind. */
    public ZooKeeperExtension(LocalZooKeeper.Builder builder) {
        super(LocalZooKeeper.class, builder::start);
    }

    /** The path of the present test's own chroot. */
    public String chroot() {
        return place();
    }
}
