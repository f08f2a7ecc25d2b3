package io.baton.testkit.containers;

import static java.util.Objects.requireNonNull;

import io.baton.testkit.server.TestServer;
import io.baton.testkit.zookeeper.ZkUri;
import java.time.Duration;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * One ZooKeeper server in a container.
 *
 * <pre>{@code
 * try (ZooKeeperContainer zookeeper = new ZooKeeperContainer()) {
 *     zookeeper.start();
 *     try (Coordinator baton = Coordinator.connect(zookeeper.uri("shop"))) {
 *         ...
 *     }
 * }
 * }</pre>
 *
 * <p>Its short tick allows short sessions. The image's other settings are environment variables, as
 * {@code withEnv("ZOO_MAX_CLIENT_CNXNS", "0")}.
 *
 * <p><b>Not guaranteed.</b> Nothing outlives {@link #stop()}: a restarted container is empty and has another port. If
 * you use your own {@code zoo.cfg}, also pass its {@code tickTime} to {@link #withTickTime}, as the address contains
 * it.
 */
public class ZooKeeperContainer extends GenericContainer<ZooKeeperContainer> implements TestServer {

    /**
     * The default image: Docker's official one, in the latest version of the line that Baton is tested on. Use
     * {@code new ZooKeeperContainer(ZooKeeperContainer.IMAGE.withTag("3.8"))} for another version.
     */
    public static final DockerImageName IMAGE = DockerImageName.parse("zookeeper:3.9");

    /** The port for clients, inside the container. */
    public static final int PORT = 2181;

    private static final String TICK = "ZOO_TICK_TIME";

    /** Uses {@link #IMAGE}. */
    public ZooKeeperContainer() {
        this(IMAGE);
    }

    /**
     * Uses this image, as {@code zookeeper:3.9.5}. An image other than Docker's must support the same environment
     * variables.
     */
    public ZooKeeperContainer(String image) {
        this(DockerImageName.parse(image));
    }

    /** Uses this image. */
    @SuppressWarnings("this-escape")
    public ZooKeeperContainer(DockerImageName image) {
        super(image);
        withExposedPorts(PORT);
        withEnv("ZOO_ADMINSERVER_ENABLED", "false");
        withTickTime(Duration.ofMillis(200));
        withMaxSessionTimeout(Duration.ofMinutes(1));
        waitingFor(new SessionWait());
    }

    /** ZooKeeper's unit of time. A session lasts at least two ticks, and expires on a tick. Default 200 ms. */
    public ZooKeeperContainer withTickTime(Duration value) {
        return withEnv(TICK, millis("tickTime", value));
    }

    /**
     * The longest timeout granted to a session; real servers grant 20 ticks. Default 1 min. It sets the image's
     * {@code ZOO_CFG_EXTRA}. If you set that variable, add {@code maxSessionTimeout} to it.
     */
    public ZooKeeperContainer withMaxSessionTimeout(Duration value) {
        return withEnv("ZOO_CFG_EXTRA", "maxSessionTimeout=" + millis("maxSessionTimeout", value));
    }

    /** The server's tick. */
    public Duration tickTime() {
        return Duration.ofMillis(Long.parseLong(requireNonNull(getEnvMap().get(TICK))));
    }

    /** Its address for {@code Coordinator.connect}, without a chroot. */
    public String uri() {
        return uri("");
    }

    /**
     * Its address for {@code Coordinator.connect}.
     *
     * @param chroot the path below which the client works; this method does not create it
     * @throws IllegalStateException before the container has started
     */
    @Override
    public String uri(String chroot) {
        return ZkUri.of(connectString(), chroot, tickTime());
    }

    /** Its address for other ZooKeeper clients. */
    public String connectString() {
        return getHost() + ":" + getMappedPort(PORT);
    }

    /** Starts a new, empty container if this one does not run. */
    @Override
    public void serve() {
        if (!isRunning()) {
            stop();
            start();
        }
    }

    @Override
    public void close() {
        stop();
    }

    private static String millis(String name, Duration value) {
        if (value.toMillis() < 1 || value.toMillis() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(name + " makes no sense: " + value);
        }
        return Long.toString(value.toMillis());
    }
}
