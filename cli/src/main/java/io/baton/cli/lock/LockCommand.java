package io.baton.cli.lock;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.Signals;
import io.baton.cli.StoreOption;
import io.baton.spi.Names;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code baton lock}. */
@Command(
        name = "lock",
        sortOptions = false,
        customSynopsis =
                "baton lock [--connect URI] [--timeout 10s | --try] [--ttl 10s] [--grace 2s] NAME -- CMD ARGS...",
        header = "Runs a command while holding a lock.",
        description = {
            "",
            "Runs CMD once this process holds the lock NAME; whoever asked first gets it first.",
            "CMD finds BATON_NAME and BATON_FENCING_TOKEN in its environment.",
            ""
        },
        footer = {
            "",
            "Exit status: that of CMD, 128+n if signal n ended it; or",
            "   64  the command line makes no sense",
            "   69  the store cannot be reached",
            "   75  not acquired: in time, or at all with --try",
            "   79  the lock was lost, or about to be, while CMD ran; CMD was ended",
            "  126  CMD cannot be started      127  CMD was not found"
        })
public final class LockCommand implements Callable<Integer> {

    private static final Duration CONNECT = Duration.ofSeconds(10);
    /** How long to wait for the store to confirm the release; past that the entry goes with the session. */
    private static final Duration CLOSE = Duration.ofSeconds(2);

    @Mixin
    StoreOption store;

    @ArgGroup
    @Nullable
    Patience patience;

    @Option(
            names = "--ttl",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = DurationOption.class,
            description = "How long the store keeps the lock of a process that it no longer hears."
                    + " Default: ${DEFAULT-VALUE}.")
    Duration ttl;

    @Option(
            names = "--grace",
            paramLabel = "DURATION",
            defaultValue = "2s",
            converter = DurationOption.class,
            description = "When contact is lost: how long before the lock may pass to somebody else CMD gets SIGTERM,"
                    + " with SIGKILL at the end of it; at most 45 %% of the ttl. Default: ${DEFAULT-VALUE}.")
    Duration grace;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    @Parameters(paramLabel = "NAME", description = "The lock: any text; whoever uses the same contends.")
    String name;

    private final List<String> command;

    /** Will run this command. */
    public LockCommand(List<String> command) {
        this.command = command;
    }

    @Override
    public Integer call() {
        if (command.isEmpty()) {
            throw Failure.usage("the command to run goes behind '--': baton lock NAME -- CMD ARGS...");
        }
        Names.check(name);
        String uri = store.uri();
        Executable.check(command.get(0));
        Duration timeout = patience == null ? null : patience.timeout;
        CoordinatorOptions options = CoordinatorOptions.builder()
                .client("baton lock")
                .ttl(ttl)
                .connectTimeout(timeout == null ? CONNECT : timeout)
                .closeTimeout(CLOSE)
                .build();
        var inbox = new SignalInbox(Thread.currentThread());
        Signals.handle(inbox::arrived);
        return run(uri, options, inbox);
    }

    private int run(String uri, CoordinatorOptions options, SignalInbox inbox) {
        var acquisition = new Acquisition(name, patience);
        try (Coordinator baton = Coordinator.connect(uri, options)) {
            try (Hold hold = acquisition.run(baton)) {
                return inbox.ended().orElseGet(() -> guard(hold, inbox));
            }
        } catch (InterruptedException signalled) {
            return inbox.ended().orElse(Exit.DEFECT);
        }
    }

    private int guard(Hold hold, SignalInbox inbox) {
        String token = Long.toString(hold.token());
        Child child = Child.start(command, Map.of("BATON_NAME", name, "BATON_FENCING_TOKEN", token));
        inbox.pass(child::signal);
        return new Guardian(hold, child, grace).watch();
    }
}
