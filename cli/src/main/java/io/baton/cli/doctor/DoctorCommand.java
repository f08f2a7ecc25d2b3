package io.baton.cli.doctor;

import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.InspectorOptions;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code baton doctor}. */
@Command(
        name = "doctor",
        sortOptions = false,
        customSynopsis = "baton doctor [--connect URI] [--ttl 10s] [--admin-port PORT] [--timeout 10s] [--json]",
        header = "Finds what is misconfigured on the servers, and says what to do.",
        description = {
            "",
            "Looks at each server of the URI, at the ensemble or cluster, and at what this client may do",
            "below the URI's path. Run it with the credentials of your services. It tries writes, which",
            "leave nothing behind: on ZooKeeper transactions that delete what they make; on etcd",
            "transactions whose condition never holds, one of them of 1.4 MB, and a key that goes with its",
            "lease at once; on a database statements that match no row.",
            ""
        },
        footer = {
            "",
            "Levels:",
            "  problem   Baton does not work as promised, or not at all",
            "  warning   it works, and something is worse than need be, or about to be wrong",
            "  unknown   it could not be found out, mostly because servers are not allowed to tell",
            "  ok        as it should be",
            "",
            "Examples:",
            "  baton doctor",
            "  baton doctor --ttl 4s                        for services that ask for another ttl than 10s",
            "  baton doctor --json | jq -r '.findings[] | select(.level == \"problem\") | .todo'",
            "",
            "A ZooKeeper tells its tickTime if it may answer 'conf' (4lw.commands.whitelist), or by its",
            "admin server; etcd tells its quota and compactions at /metrics.",
            "",
            "--json prints one object, with store, problems, warnings, unknown (how many there are) and",
            "findings: objects with level, check, what and todo.",
            "",
            "Exit status: 0 if there is no problem, also with warnings; or",
            "    1  there are problems",
            "   64  the command line makes no sense",
            "   69  no server can be reached, or the store refuses this client"
        })
public final class DoctorCommand implements Callable<Integer> {

    private static final int LAST_PORT = 65_535;

    @Mixin
    InspectorOptions options;

    @Option(
            names = "--ttl",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = DurationOption.class,
            description = "The ttl that your services ask for. Default: ${DEFAULT-VALUE}.")
    Duration ttl;

    @Option(
            names = "--admin-port",
            paramLabel = "PORT",
            description = {
                "Where servers tell of their configuration over HTTP: ZooKeeper's admin server (default:",
                "8080), or etcd's --listen-metrics-urls (default: the port for clients)."
            })
    @Nullable
    Integer adminPort;

    @Spec
    CommandSpec spec;

    /** Made by the command line parser. */
    public DoctorCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        if (adminPort != null && (adminPort < 1 || adminPort > LAST_PORT)) {
            throw Failure.usage("--admin-port must be between 1 and " + LAST_PORT + ", not " + adminPort);
        }
        OptionalInt port = adminPort == null ? OptionalInt.empty() : OptionalInt.of(adminPort);
        return options.inspect(inspector -> {
            var found = new FindingsOutput(options.uri(), inspector.examine(ttl, port));
            PrintWriter out = spec.commandLine().getOut();
            if (options.json()) {
                out.println(found.json());
            } else {
                found.lines().forEach(out::println);
            }
            return found.wrong() ? Exit.WRONG : Exit.OK;
        });
    }
}
