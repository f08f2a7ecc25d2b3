package io.baton.testkit.etcd;

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

    EtcdSettings settings() {
        return new EtcdSettings(binaries.get(), heartbeat, election, secondPort, List.copyOf(flags));
    }

    /** Returns how clients access the server; creates keys and certificates in this directory if TLS is on. */
    EtcdAccess access(Path directory) {
        return tls
                ? EtcdAccess.secured(directory, host, mutual, authentication)
                : new EtcdAccess(Optional.empty(), false, authentication);
    }
}
