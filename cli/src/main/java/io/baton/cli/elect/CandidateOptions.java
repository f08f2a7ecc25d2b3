package io.baton.cli.elect;

import io.baton.cli.Failure;
import io.baton.election.Candidate;
import io.baton.election.WhenSuspended;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a candidate. */
final class CandidateOptions {

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "Which candidate this is; another one for each. Default: the host's name and the process's"
                    + " number, as node-1:4711.")
    @Nullable
    String id;

    @Option(
            names = "--advertise",
            paramLabel = "ADDRESS",
            defaultValue = "",
            description = "Where clients reach this candidate while it leads: 'baton leader' shows it.")
    String address;

    @Option(
            names = "--meta",
            paramLabel = "KEY=VALUE",
            description = "Something more that 'baton leader' shows; may be given several times.")
    Map<String, String> metadata = new LinkedHashMap<>();

    @Option(
            names = "--priority",
            paramLabel = "N",
            defaultValue = "0",
            description = "How much this candidate wants to lead: behind a leader of smaller priority it asks for a"
                    + " hand-over once it has stood there for 10s. Default: ${DEFAULT-VALUE}, which asks nobody.")
    int priority;

    /** For the command line parser. */
    CandidateOptions() {}

    boolean given() {
        return id != null || !address.isEmpty() || !metadata.isEmpty() || priority != 0;
    }

    /**
     * Creates the candidate. Its command has {@code grace} to end, slightly less than the election allows.
     *
     * @throws IllegalArgumentException if the options are invalid
     */
    Candidate candidate(Duration grace, Duration ttl) {
        Duration most = ttl.multipliedBy(9).dividedBy(20);
        Duration patience = (grace.compareTo(most) < 0 ? grace : most).plus(ttl.dividedBy(20));
        Candidate.Builder builder = Candidate.builder(id == null ? ownId() : id)
                .address(address)
                .priority(priority)
                .whenSuspended(WhenSuspended.RIDE_OUT)
                .stopTimeout(patience)
                // The watchdog kills a command that does not end; there is no other work here.
                .lastResort(stuck -> {});
        metadata.forEach(builder::metadata);
        return builder.build();
    }

    /** Checks the options. */
    void check() {
        candidate(Duration.ofSeconds(1), Duration.ofSeconds(10));
    }

    private static String ownId() {
        try {
            return host() + ":" + ProcessHandle.current().pid();
        } catch (UnknownHostException nameless) {
            throw Failure.usage("this machine does not know its name: say --id");
        }
    }

    /** The name of this machine. */
    static String host() throws UnknownHostException {
        String told = System.getenv("HOSTNAME");
        if (told != null && !told.isBlank()) {
            return told;
        }
        return InetAddress.getLocalHost().getHostName();
    }
}
