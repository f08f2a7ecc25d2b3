package io.baton.testkit.etcd;

import io.baton.testkit.server.Directories;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The options of a server, or of the servers of a cluster. */
final class EtcdOptions {

    final List<String> flags = new ArrayList<>();
    Supplier<EtcdBinaries> binaries = EtcdBinaries::newest;
    boolean authentication;
    boolean secondPort;
    private Duration heartbeat = Duration.ofMillis(100);
    private Duration election = Duration.ofSeconds(1);
    private boolean tls;
    private boolean mutual;
    private String host = "";

    void pace(Duration beat, Duration elect) {
        if (beat.toMillis() < 1 || elect.compareTo(beat.multipliedBy(5)) < 0) {
            throw new IllegalArgumentException("an election takes five heartbeats at least: " + beat + ", " + elect);
        }
        heartbeat = beat;
        election = elect;
    }

    void tls(String forHost, boolean clientsShowCertificates) {
        tls = true;
        host = forHost;
        mutual = clientsShowCertificates;
    }

    /** What makes a server, or a cluster, of a directory of its own. */
    interface Maker<S> {
        S make(EtcdSettings settings, EtcdAccess access, Path home);
    }

    /** Makes a server, or a cluster, in a new directory. If that fails, nothing is left behind. */
    <S> S create(Maker<S> maker) {
        EtcdSettings settings = settings();
        Path home = Directories.temporary("etcd");
        try {
            return maker.make(settings, access(home), home);
        } catch (RuntimeException broken) {
            Directories.delete(home);
            throw broken;
        }
    }

    private EtcdSettings settings() {
        return new EtcdSettings(binaries.get(), heartbeat, election, secondPort, List.copyOf(flags));
    }

    /** Returns how clients access the server; creates keys and certificates in this directory if TLS is on. */
    private EtcdAccess access(Path directory) {
        return tls
                ? EtcdAccess.secured(directory, host, mutual, authentication)
                : new EtcdAccess(Optional.empty(), false, authentication);
    }
}
