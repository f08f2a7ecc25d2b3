package io.baton.testkit.zookeeper;

import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.server.AtExit;
import io.baton.testkit.server.Certificates;
import io.baton.testkit.server.ChildProcess;
import io.baton.testkit.server.Directories;
import io.baton.testkit.server.ProcessEnd;
import io.baton.testkit.server.ServerAwait;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A real ZooKeeper server that accepts TLS only, in a process of its own, on loopback.
 *
 * <p>It creates the keys and certificates, once in a JVM for each host. The process ends with {@link #close}, and with
 * this JVM.
 */
public final class SecureZooKeeper implements AutoCloseable {

    private static final Duration TICK = Duration.ofMillis(200);
    private static final String SERVER = "server";
    private static final String CLIENTS = "clients";

    private final ReentrantLock lock = new ReentrantLock();
    private final Path home;
    private final Certificates certificates;
    private final InetSocketAddress address;
    private final Process process;
    private final AtExit atExit = new AtExit("zookeeper", this::end);

    private SecureZooKeeper(Path home, String host, boolean clientsShowCertificates) throws IOException {
        this.home = home;
        certificates = Certificates.copied(home, "zookeeper " + host, made -> make(made, host));
        address = Loopback.at(Loopback.freePort());
        Path data = Files.createDirectory(home.resolve("data"));
        List<String> flags = List.of(
                "-Xmx96m",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-Dzookeeper.jmx.log4j.disable=true",
                "-Dzookeeper.forceSync=no",
                "-Dzookeeper.authProvider.x509=org.apache.zookeeper.server.auth.X509AuthenticationProvider",
                "-Dzookeeper.ssl.keyStore.location=" + home.resolve(SERVER + ".p12"),
                "-Dzookeeper.ssl.keyStore.password=" + Certificates.PASSWORD,
                "-Dzookeeper.ssl.trustStore.location=" + home.resolve("trusts-" + CLIENTS + ".p12"),
                "-Dzookeeper.ssl.trustStore.password=" + Certificates.PASSWORD,
                "-Dzookeeper.ssl.clientAuth=" + (clientsShowCertificates ? "need" : "none"));
        List<String> arguments =
                List.of(Integer.toString(address.getPort()), data.toString(), Long.toString(TICK.toMillis()));
        process = ChildProcess.small(SecureMember.class, flags, arguments)
                .redirectError(log().toFile())
                .start();
    }

    private Path log() {
        return home.resolve("log");
    }

    /** Waits until the server serves. If that fails, nothing is left behind. */
    private void launch() throws IOException {
        atExit.add();
        try {
            awaitServing();
        } catch (IOException | RuntimeException broken) {
            close();
            throw broken;
        }
    }

    private void awaitServing() throws IOException {
        InputStream said = process.getInputStream();
        ServerAwait.until("ZooKeeper to serve", List.of(), () -> !process.isAlive() || hasSpoken(said));
        if (!process.isAlive()) {
            throw new IllegalStateException("the server did not start:\n" + Files.readString(log()));
        }
    }

    /** Its first word is that it serves. */
    private static boolean hasSpoken(InputStream said) {
        try {
            return said.available() > 0;
        } catch (IOException ended) {
            return false;
        }
    }

    private static void make(Certificates certificates, String host) {
        certificates.key(SERVER, host);
        certificates.authority(CLIENTS);
        certificates.issued("client", CLIENTS, "dns:client", Duration.ofDays(1));
        certificates.trusting(SERVER, "PKCS12");
        certificates.trusting(CLIENTS, "PKCS12");
    }

    /** Starts a server that requires no client certificate; its own is for 127.0.0.1 and localhost. */
    public static SecureZooKeeper start() {
        return start("ip:127.0.0.1,dns:localhost", false);
    }

    /**
     * Starts a server.
     *
     * @param host the names in its certificate, as {@code dns:localhost,ip:127.0.0.1}
     * @param clientsShowCertificates whether it also requires a certificate from each client; it trusts
     *     {@link #clientKey}, and all that {@code clients} has issued
     * @throws IllegalStateException if it does not serve within a minute
     */
    public static SecureZooKeeper start(String host, boolean clientsShowCertificates) {
        Path home = Directories.temporary("zookeeper");
        boolean started = false;
        try {
            SecureZooKeeper server = new SecureZooKeeper(home, host, clientsShowCertificates);
            server.launch();
            started = true;
            return server;
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot start ZooKeeper with TLS", broken);
        } finally {
            if (!started) {
                Directories.delete(home);
            }
        }
    }

    /** Its address for {@code Coordinator.connect}. */
    public String uri(String chroot) {
        return uri(address.getPort(), chroot);
    }

    /** Its address for {@code Coordinator.connect}, through a proxy in front of it. */
    public String uri(TcpProxy proxy, String chroot) {
        return uri(proxy.port(), chroot);
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return address;
    }

    /** A trust store (PKCS12) for its clients; the password is {@link Certificates#PASSWORD}. */
    public Path trustStore() {
        return home.resolve("trusts-server.p12");
    }

    /** A key store (PKCS12) for its clients; the password is {@link Certificates#PASSWORD}. */
    public Path clientKey() {
        return home.resolve("client.p12");
    }

    /** Its keys and certificates: {@code server} is its own, and {@code clients} the authority for its clients. */
    public Certificates certificates() {
        return certificates;
    }

    /** Expires a session as if its client had been silent too long, soon after this has returned. */
    public void expire(long sessionId) throws IOException {
        lock.lock();
        try {
            Writer commands = process.outputWriter(StandardCharsets.UTF_8);
            commands.write(Long.toHexString(sessionId) + "\n");
            commands.flush();
        } finally {
            lock.unlock();
        }
    }

    /** Kills the server and deletes everything. Idempotent. */
    @Override
    public void close() {
        end();
        atExit.remove();
    }

    private void end() {
        ProcessEnd.await(process.destroyForcibly());
        Directories.delete(home);
    }

    private static String uri(int port, String chroot) {
        return ZkUri.of("127.0.0.1:" + port, chroot, TICK).replaceFirst("^zk:", "zks:");
    }
}
