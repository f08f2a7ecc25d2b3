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
 * <p>Its tick is short, so that sessions may be short, too. The image's other settings are environment variables, as
 * {@code withEnv("ZOO_MAX_CLIENT_CNXNS", "0")}.
 *
 * <p><b>Not guaranteed.</b> Nothing outlives {@link #stop()}: a container that is started again is an empty one, on
 * another port. With a {@code zoo.cfg} of your own, say its {@code tickTime} by {@link #withTickTime} as well: the
 * address names it.
 */
public class ZooKeeperContainer extends GenericContainer<ZooKeeperContainer> implements TestServer {

    /**
     * The image by default: Docker's official one, in the latest version of the line that Baton is tested on. Another
     * version is {@code new ZooKeeperContainer(ZooKeeperContainer.IMAGE.withTag("3.8"))}.
     */
    public static final DockerImageName IMAGE = DockerImageName.parse("zookeeper:3.9");

    /** The port for clients, inside the container. */
    public static final int PORT = 2181;

    private static final String TICK = "ZOO_TICK_TIME";

    /** Of {@link #IMAGE}. */
    public ZooKeeperContainer() {
        this(IMAGE);
    }

    /** Of this image, as {@code zookeeper:3.9.5}; another one than Docker's has to know the same environment variables. */
    public ZooKeeperContainer(String image) {
        this(DockerImageName.parse(image));
    }

    /** Of this image. */
    @SuppressWarnings("this-escape")
    public ZooKeeperContainer(DockerImageName image) {
        super(image);
        withExposedPorts(PORT);
        withEnv("ZOO_ADMINSERVER_ENABLED", "false");
        withTickTime(Duration.ofMillis(200));
        withMaxSessionTimeout(Duration.ofMinutes(1));
        waitingFor(new SessionWait());
    }

    /** ZooKeeper's unit of time. Sessions last two of them at least, and expire on a tick. Default 200 ms. */
    public ZooKeeperContainer withTickTime(Duration value) {
        return withEnv(TICK, millis("tickTime", value));
    }

    /**
     * The longest timeout granted to a session; real servers grant 20 ticks. Default 1 min. It is the image's {@code
     * ZOO_CFG_EXTRA}: with a value of your own there, add {@code maxSessionTimeout} to it.
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
     * @param chroot the path below which the client works; it is not created here
     * @throws IllegalStateException before it has started
     */
    @Override
    public String uri(String chroot) {
        return ZkUri.of(connectString(), chroot, tickTime());
    }

    /** Its address for other ZooKeeper clients. */
    public String connectString() {
        return getHost() + ":" + getMappedPort(PORT);
    }

    /** Starts another container, an empty one, if this one does not run. */
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
