package io.baton.testkit.etcd;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The settings that all servers of a test share.
 *
 * @param heartbeat the leader's heartbeat interval
 * @param election how long a follower waits for a heartbeat before it starts an election
 * @param secondPort whether each server has a separate port for clients that use TLS
 * @param more further flags
 */
record EtcdSettings(
        EtcdBinaries binaries, Duration heartbeat, Duration election, boolean secondPort, List<String> more) {

    /**
     * The command that starts a server.
     *
     * @param name the server's name
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
        // A killed process loses no write; only a crash of the host would lose one.
        if (binaries.knows("--unsafe-no-fsync")) {
            flags.add("--unsafe-no-fsync");
        }
        flags.addAll(more);
        return flags;
    }
}
