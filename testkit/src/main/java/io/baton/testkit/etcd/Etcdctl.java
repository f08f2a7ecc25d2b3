package io.baton.testkit.etcd;

import io.baton.testkit.server.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * etcd's own client, {@code etcdctl}, set up for one server or cluster.
 *
 * <pre>{@code
 * etcd.ctl().run("put", "/app/config/limit", "7");
 * }</pre>
 *
 * <p><b>Threads.</b> Any thread may call any method.
 */
public final class Etcdctl {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** etcdctl gives up after 5 s by default; a busy machine may need that long to check one password. */
    private static final List<String> PATIENTLY = List.of("--command-timeout", "20s", "--dial-timeout", "10s");

    private final EtcdBinaries binaries;
    private final List<String> flags;

    Etcdctl(EtcdBinaries binaries, String endpoints, EtcdAccess access) {
        this.binaries = binaries;
        List<String> all = new ArrayList<>(List.of("--endpoints", endpoints));
        all.addAll(access.clientFlags());
        this.flags = List.copyOf(all);
    }

    /**
     * Runs a command and returns its output.
     *
     * @throws IllegalStateException if it failed; the message holds its error output
     */
    public String run(String... args) {
        Command.Outcome outcome =
                outcome(Stream.concat(PATIENTLY.stream(), Stream.of(args)).toArray(String[]::new));
        if (!outcome.ok()) {
            throw new IllegalStateException("etcdctl " + String.join(" ", args) + " failed: "
                    + outcome.err().trim());
        }
        return outcome.out();
    }

    /** Runs a command and returns its output; empty if it failed. */
    public Optional<String> attempt(String... args) {
        return Optional.of(outcome(args)).filter(Command.Outcome::ok).map(Command.Outcome::out);
    }

    /** The keys with this prefix, in order. Tests use it to check that a client leaves nothing behind. */
    public List<String> keys(String prefix) {
        return run("get", "--prefix", "--keys-only", "--", prefix)
                .lines()
                .filter(line -> !line.isEmpty())
                .toList();
    }

    /** Deletes a key; returns false if there was none. */
    public boolean delete(String key) {
        return !run("del", "--", key).trim().equals("0");
    }

    /** The ids of all leases, in hexadecimal. */
    public List<String> leases() {
        return run("lease", "list").lines().skip(1).toList();
    }

    /** Revokes a lease as if it had expired; its keys are deleted when this returns. */
    public void expire(long lease) {
        run("lease", "revoke", Long.toHexString(lease));
    }

    /** Whether all servers answer, each with a commit of the quorum. True also when they are out of space. */
    boolean serves() {
        Command.Outcome health = outcome("endpoint", "health", "--command-timeout", "2s", "--dial-timeout", "1s");
        return health.ok() || health.err().contains("Active Alarm");
    }

    /** The program and its flags, for tests that run it themselves. */
    public List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(binaries.etcdctl().toString());
        command.addAll(flags);
        return List.copyOf(command);
    }

    private Command.Outcome outcome(String... args) {
        List<String> command = new ArrayList<>(command());
        command.addAll(List.of(args));
        return Command.run(command, Map.of("ETCDCTL_API", "3"), PATIENCE);
    }
}
