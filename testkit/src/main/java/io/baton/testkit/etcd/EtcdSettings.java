package io.baton.testkit.etcd;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What the servers of one test have in common.
 *
 * @param heartbeat how often a leader tells its followers that it is there
 * @param election for how long a follower hears nothing before it calls for an election
 * @param secondPort whether it listens on a port of its own for clients that speak TLS
 * @param more further flags
 */
record EtcdSettings(
        EtcdBinaries binaries, Duration heartbeat, Duration election, boolean secondPort, List<String> more) {

    /**
     * What starts a server.
     *
     * @param name what it is called
     * @param members all servers: name and address, separated by commas
     */
    List<String> command(String name, String members, Path data, EtcdPorts ports, EtcdAccess access) {
        String clients = access.scheme() + "://" + EtcdPorts.hostAndPort(ports.clients());
        List<String> command = new ArrayList<>();
        command.add(binaries.etcd().toString());
        command.addAll(List.of("--name", name, "--initial-cluster", members, "--data-dir", data.toString()));
        String secure = secondPort ? ",https://" + EtcdPorts.hostAndPort(ports.secure()) : "";
        command.addAll(List.of("--listen-client-urls", clients + secure, "--advertise-client-urls", clients));
        command.addAll(List.of("--listen-peer-urls", "http://" + EtcdPorts.hostAndPort(ports.peers())));
        command.addAll(List.of("--initial-advertise-peer-urls", ports.peerUrl()));
        command.addAll(List.of("--listen-metrics-urls", "http://" + EtcdPorts.hostAndPort(ports.metrics())));
        command.addAll(flags());
        command.addAll(access.serverFlags());
        return command;
    }

    private List<String> flags() {
        List<String> flags = new ArrayList<>(List.of(
                "--heartbeat-interval",
                Long.toString(heartbeat.toMillis()),
                "--election-timeout",
                Long.toString(election.toMillis()),
                "--logger",
                "zap",
                "--log-outputs",
                "stderr",
                "--log-level",
                "warn"));
        // A killed process loses nothing that it has written; only a killed host would.
        if (binaries.knows("--unsafe-no-fsync")) {
            flags.add("--unsafe-no-fsync");
        }
        flags.addAll(more);
        return flags;
    }
}
