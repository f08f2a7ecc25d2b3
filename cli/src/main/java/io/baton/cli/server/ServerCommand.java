package io.baton.cli.server;

import io.baton.cli.DurationOption;
import io.baton.cli.Failure;
import io.baton.cli.Signals;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code baton server}. */
@Command(
        name = "server",
        sortOptions = false,
        header = "Runs a local ZooKeeper for development.",
        description = {"", "One server on this machine, until Ctrl-C: to try things out, nothing for production.", ""})
public final class ServerCommand implements Callable<Integer> {

    private static final Duration LONGEST_TICK = Duration.ofSeconds(60);

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "2181",
            description = "Port to listen on; 0: any free one. Default: ${DEFAULT-VALUE}.")
    int port;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "Address to listen on. Default: ${DEFAULT-VALUE}, for this machine only.")
    String bind;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Where to keep the data. Default: a temporary directory, removed at the end.")
    @Nullable
    Path data;

    @Option(
            names = "--tick",
            paramLabel = "DURATION",
            defaultValue = "2s",
            converter = DurationOption.class,
            description = "The server's tickTime; sessions can be as short as two. Default: ${DEFAULT-VALUE}.")
    Duration tick;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    /** For the command line parser. */
    public ServerCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        if (port < 0 || port > 65535) {
            throw Failure.usage("--port must be between 0 and 65535, not " + port);
        }
        if (tick.compareTo(LONGEST_TICK) > 0) {
            throw Failure.usage("--tick must be at most " + DurationOption.format(LONGEST_TICK) + ", not "
                    + DurationOption.format(tick));
        }
        var asked = new CountDownLatch(1);
        Signals.handle(signal -> asked.countDown());
        try (LocalServer server = LocalServer.start(bind, port, tick, data)) {
            System.out.println("ZooKeeper is ready at " + server.uri() + " (Ctrl-C stops it)");
            asked.await();
        }
        return 0;
    }
}
