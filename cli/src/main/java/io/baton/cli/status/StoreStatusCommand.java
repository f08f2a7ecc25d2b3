package io.baton.cli.status;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Telemetry;
import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.InspectorOptions;
import io.baton.cli.status.StoreStatus.Granted;
import io.baton.spi.inspect.ClockReading;
import io.baton.spi.inspect.ServerState;
import io.baton.spi.inspect.StoreInspector;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code baton status}. */
@Command(
        name = "status",
        sortOptions = false,
        customSynopsis = "baton status [--connect URI] [--ttl 10s] [--timeout 10s] [--json]",
        header = "Shows the servers, and the session that a client would get.",
        description = {
            "",
            "Asks each server of the URI, opens a session as a service does, and says which times follow for",
            "locks and leaders. On ZooKeeper the leader's clock shows by a write that leaves nothing behind.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  baton status",
            "  baton status --ttl 4s                         would that work, and with which deadlines?",
            "  baton status --json | jq -r '.servers[] | select(.serves | not) | .trouble'    what is down?",
            "",
            "A server's role and version are shown if it tells them. The round trip is one question and its",
            "answer.",
            "",
            "--json prints one object, with store, trouble, servers (server, serves, trouble, role, version,",
            "roundTripMicros), session (id, askedMillis, grantedMillis, shortestMillis, expiryLagMillis,",
            "marginMillis, proofEveryMillis) and clock (of, aheadMillis, withinMillis); null where there is",
            "nothing to say.",
            "",
            "Exit status: 0 if there is contact; or",
            "   64  the command line makes no sense, or the ttl cannot work",
            "   69  the store cannot be reached, or refuses; servers are shown nevertheless"
        })
public final class StoreStatusCommand implements Callable<Integer> {

    private static final Duration CLOSE = Duration.ofSeconds(2);

    @Mixin
    InspectorOptions options;

    @Option(
            names = "--ttl",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = DurationOption.class,
            description = "What to ask for: how long the store keeps a silent session. Default: ${DEFAULT-VALUE}.")
    Duration ttl;

    @Spec
    CommandSpec spec;

    private final CompletableFuture<String> id = new CompletableFuture<>();

    /** For the command line parser. */
    public StoreStatusCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        return options.inspect(this::look);
    }

    private int look(StoreInspector inspector) throws InterruptedException {
        List<ServerState> servers = inspector.servers();
        try (Coordinator baton = Coordinator.connect(options.uri(), session())) {
            Optional<Granted> granted = Optional.of(new Granted(id(), inspector.timings(baton.ttl())));
            print(new StoreStatus(options.uri(), ttl, servers, clock(inspector), granted, Optional.empty()));
            return Exit.OK;
        } catch (CoordinationException away) {
            Optional<String> trouble = Optional.of(Failure.text(away));
            print(new StoreStatus(options.uri(), ttl, servers, Optional.empty(), Optional.empty(), trouble));
            throw away;
        }
    }

    private CoordinatorOptions session() {
        return CoordinatorOptions.builder()
                .client("baton status")
                .ttl(ttl)
                .connectTimeout(options.timeout())
                .closeTimeout(CLOSE)
                .telemetry(new Telemetry() {
                    @Override
                    public void session(SessionChange event) {
                        if (!event.session().isEmpty()) {
                            id.complete(event.session());
                        }
                    }
                })
                .build();
    }

    /** Waits for the id, which telemetry reports a moment later. */
    private String id() throws InterruptedException {
        try {
            return id.get(options.timeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException untold) {
            return "";
        }
    }

    private static Optional<ClockReading> clock(StoreInspector inspector) throws InterruptedException {
        try {
            return inspector.clock();
        } catch (CoordinationException refused) {
            return Optional.empty();
        }
    }

    private void print(StoreStatus status) {
        PrintWriter out = spec.commandLine().getOut();
        if (options.json()) {
            out.println(StatusJson.of(status));
        } else {
            StatusText.lines(status).forEach(out::println);
        }
    }
}
