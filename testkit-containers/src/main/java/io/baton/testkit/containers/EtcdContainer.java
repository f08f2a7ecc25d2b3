package io.baton.testkit.containers;

import io.baton.testkit.etcd.EtcdUri;
import io.baton.testkit.server.TestServer;
import java.time.Duration;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * One etcd server in a container.
 *
 * <pre>{@code
 * try (EtcdContainer etcd = new EtcdContainer()) {
 *     etcd.start();
 *     try (Coordinator baton = Coordinator.connect(etcd.uri("shop"))) {
 *         ...
 *     }
 * }
 * }</pre>
 *
 * <p>It speaks neither TLS nor asks for users. etcd's settings are environment variables, as {@code
 * withEnv("ETCD_QUOTA_BACKEND_BYTES", "100000000")}.
 *
 * <p><b>Not guaranteed.</b> Nothing outlives {@link #stop()}: a container that is started again is an empty one, on
 * another port.
 */
public class EtcdContainer extends GenericContainer<EtcdContainer> implements TestServer {

    /**
     * The image by default: etcd's own, in a version that Baton is tested on. It is the same as {@code quay.io/coreos/etcd}.
     * Another version is {@code new EtcdContainer(EtcdContainer.IMAGE.withTag("v3.6.16"))}; tags have all three numbers.
     */
    public static final DockerImageName IMAGE = DockerImageName.parse("gcr.io/etcd-development/etcd:v3.5.16");

    /** The port for clients, inside the container. */
    public static final int PORT = 2379;

    private static final int HEARTBEATS = 10;

    /** Of {@link #IMAGE}. */
    public EtcdContainer() {
        this(IMAGE);
    }

    /** Of this image, as {@code quay.io/coreos/etcd:v3.5.16}. */
    public EtcdContainer(String image) {
        this(DockerImageName.parse(image));
    }

    /** Of this image. */
    @SuppressWarnings("this-escape")
    public EtcdContainer(DockerImageName image) {
        super(image);
        String everywhere = "http://0.0.0.0:" + PORT;
        withExposedPorts(PORT);
        withEnv("ETCD_LISTEN_CLIENT_URLS", everywhere);
        withEnv("ETCD_ADVERTISE_CLIENT_URLS", everywhere);
        // Nothing outlives the container. A version that does not know this says so in its log.
        withEnv("ETCD_UNSAFE_NO_FSYNC", "true");
        withElectionTimeout(Duration.ofSeconds(1));
        waitingFor(Wait.forHttp("/health").forPort(PORT));
    }

    /**
     * For how long a server hears nothing of its leader before there is an election; it sends a tenth as often. A lease,
     * and so Baton's {@code ttl}, lives one and a half times that at least, in whole seconds. Default 1 s, as etcd's own.
     *
     * @throws IllegalArgumentException unless it is from 10 ms to 50 s
     */
    public EtcdContainer withElectionTimeout(Duration value) {
        if (value.toMillis() < HEARTBEATS || value.compareTo(Duration.ofSeconds(50)) > 0) {
            throw new IllegalArgumentException("etcd's election timeout is from 10 ms to 50 s, not " + value);
        }
        withEnv("ETCD_ELECTION_TIMEOUT", Long.toString(value.toMillis()));
        return withEnv("ETCD_HEARTBEAT_INTERVAL", Long.toString(value.toMillis() / HEARTBEATS));
    }

    /** Its address for {@code Coordinator.connect}, without a root. */
    public String uri() {
        return uri("");
    }

    /**
     * Its address for {@code Coordinator.connect}, with the path below which the client works.
     *
     * @throws IllegalStateException before it has started
     */
    @Override
    public String uri(String root) {
        return EtcdUri.of("etcd", getHost() + ":" + getMappedPort(PORT), root);
    }

    /** Its address for other etcd clients. */
    public String endpoint() {
        return "http://" + getHost() + ":" + getMappedPort(PORT);
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
}
