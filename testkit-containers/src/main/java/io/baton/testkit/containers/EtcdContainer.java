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
 * <p>It uses neither TLS nor authentication. etcd's settings are environment variables, as
 * {@code withEnv("ETCD_QUOTA_BACKEND_BYTES", "100000000")}.
 *
 * <p><b>Not guaranteed.</b> Nothing outlives {@link #stop()}: a restarted container is empty and has another port.
 */
public class EtcdContainer extends GenericContainer<EtcdContainer> implements TestServer {

    /**
     * The default image: etcd's own, in a version that Baton is tested on. It is the same as
     * {@code quay.io/coreos/etcd}. Use {@code new EtcdContainer(EtcdContainer.IMAGE.withTag("v3.6.16"))} for another
     * version; tags have all three numbers.
     */
    public static final DockerImageName IMAGE = DockerImageName.parse("gcr.io/etcd-development/etcd:v3.5.16");

    /** The port for clients, inside the container. */
    public static final int PORT = 2379;

    private static final int HEARTBEATS = 10;

    /** Uses {@link #IMAGE}. */
    public EtcdContainer() {
        this(IMAGE);
    }

    /** Uses this image, as {@code quay.io/coreos/etcd:v3.5.16}. */
    public EtcdContainer(String image) {
        this(DockerImageName.parse(image));
    }

    /** Uses this image. */
    @SuppressWarnings("this-escape")
    public EtcdContainer(DockerImageName image) {
        super(image);
        String everywhere = "http://0.0.0.0:" + PORT;
        withExposedPorts(PORT);
        withEnv("ETCD_LISTEN_CLIENT_URLS", everywhere);
        withEnv("ETCD_ADVERTISE_CLIENT_URLS", everywhere);
        // Data does not outlive the container. A version without this setting logs that it ignores it.
        withEnv("ETCD_UNSAFE_NO_FSYNC", "true");
        withElectionTimeout(Duration.ofSeconds(1));
        waitingFor(Wait.forHttp("/health").forPort(PORT));
    }

    /**
     * The time without heartbeats before an election; the heartbeat interval is a tenth of it. A lease, and so Baton's
     * {@code ttl}, lives at least one and a half times that long, in whole seconds. Default 1 s, as in etcd.
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
     * @throws IllegalStateException before the container has started
     */
    @Override
    public String uri(String root) {
        return EtcdUri.of("etcd", getHost() + ":" + getMappedPort(PORT), root);
    }

    /** Its address for other etcd clients. */
    public String endpoint() {
        return "http://" + getHost() + ":" + getMappedPort(PORT);
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
}
