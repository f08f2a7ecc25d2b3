package io.baton.testkit.zookeeper;

import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.server.ChildProcess;
import io.baton.testkit.server.Freezer;
import io.baton.testkit.server.ProcessEnd;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One server of an ensemble: its directory, and its process while it runs. */
final class EnsembleServer {

    private static final int LOG_TAIL = 40;

    /** A small JVM that starts fast and leaves no file outside its directory. */
    private static final List<String> JVM_FLAGS = List.of(
            "-Xms16m",
            "-Xmx96m",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "-Dzookeeper.admin.enableServer=false",
            "-Dzookeeper.jmx.log4j.disable=true",
            // A killed process loses no write; only a crash of the host would lose one.
            "-Dzookeeper.forceSync=no",
            "-Dzookeeper.preAllocSize=1024",
            // Otherwise, after a long cut, a server requests votes only once a minute.
            "-Dzookeeper.fastleader.maxNotificationInterval=1000");

    private final int id;
    private final Path home;
    private final List<String> settings;
    private final Map<String, String> environment;
    private final EnsembleNetwork network;
    private final boolean secure;
    private final int securePort = Loopback.freePort();
    private volatile @Nullable Process process;
    private volatile @Nullable Freezer freezer;

    EnsembleServer(
            int id,
            Path home,
            List<String> settings,
            boolean secure,
            Map<String, String> environment,
            EnsembleNetwork network) {
        this.id = id;
        this.home = home;
        this.settings = settings;
        this.secure = secure;
        this.environment = environment;
        this.network = network;
    }

    int id() {
        return id;
    }

    int clientPort() {
        return network.clientPort(id);
    }

    /** The port for clients that use TLS, if there is one. */
    int securePort() {
        return securePort;
    }

    void start() {
        if (isAlive()) {
            throw new IllegalStateException("server " + id + " runs already");
        }
        List<String> flags = new ArrayList<>(JVM_FLAGS);
        flags.add("-Djdk.net.hosts.file=" + hosts());
        try {
            configure();
            ProcessBuilder builder = ChildProcess.small(
                            EnsembleMember.class, flags, List.of(configuration().toString()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
            builder.environment().putAll(environment);
            process = builder.start();
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot start server " + id, broken);
        }
    }

    boolean isAlive() {
        Process now = process;
        return now != null && now.isAlive();
    }

    /** Whether the process ended without being killed by this class. */
    boolean hasDied() {
        Process now = process;
        return now != null && !now.isAlive();
    }

    long pid() {
        return running().pid();
    }

    boolean isFrozen() {
        return freezer != null;
    }

    void freeze() {
        if (freezer == null) {
            freezer = Freezer.freeze(running().pid());
        }
    }

    /** Resumes the process. An interrupt does not cut this short, and stays set. */
    void thaw() {
        Freezer now = freezer;
        freezer = null;
        if (now != null) {
            now.end();
        }
    }

    /**
     * Kills the process ({@code SIGKILL}), frozen or not, and waits until it has ended. An interrupt does not cut this
     * short, and stays set.
     */
    void kill() {
        Process now = process;
        process = null;
        if (now != null) {
            ProcessEnd.await(now.destroyForcibly());
        }
        thaw();
    }

    /** The end of its output. */
    String logTail() {
        try {
            List<String> lines = Files.readAllLines(log());
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL), lines.size()));
        } catch (IOException unreadable) {
            return "(its log cannot be read: " + unreadable.getMessage() + ")";
        }
    }

    private void configure() throws IOException {
        Path data = Files.createDirectories(home.resolve("data"));
        Files.writeString(data.resolve("myid"), Integer.toString(id));
        network.writeHosts(id, hosts());
        List<String> lines = new ArrayList<>(settings);
        lines.add("dataDir=" + data);
        lines.addAll(network.members());
        if (secure) {
            lines.add("secureClientPort=" + securePort);
            lines.add("secureClientPortAddress=127.0.0.1");
        }
        Files.write(configuration(), lines);
    }

    private Process running() {
        Process now = process;
        if (now == null || !now.isAlive()) {
            throw new IllegalStateException("server " + id + " does not run");
        }
        return now;
    }

    private Path configuration() {
        return home.resolve("zoo.cfg");
    }

    private Path hosts() {
        return home.resolve("hosts");
    }

    private Path log() {
        return home.resolve("log");
    }
}
