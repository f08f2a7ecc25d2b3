package io.baton.cli.demo;

import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.StoreOption;
import io.baton.cli.server.LocalServer;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code baton demo}. */
@Command(
        name = "demo",
        sortOptions = false,
        header = "Shows what locks, elections and live configuration are for, with real processes.",
        description = {
            "",
            "Four worker processes sell 100 tickets: first without a lock, then with it; then one",
            "is killed and one is frozen while it holds. Then one of them leads, is killed, and a standby",
            "takes over; and at last a setting is changed under them. Prints what happens and checks every",
            "claim.",
            "Brings a ZooKeeper of its own unless --connect names one.",
            ""
        },
        footer = {"", "Exit status: 0 if every claim held, 1 if one did not, 69 if the store cannot be reached."})
public final class DemoCommand implements Callable<Integer> {

    private static final Duration LOCAL_TICK = Duration.ofMillis(200);
    private static final Duration LOCAL_TTL = Duration.ofSeconds(3);
    private static final Duration REMOTE_TTL = Duration.ofSeconds(10);

    @Option(
            names = "--connect",
            paramLabel = "URI",
            description = {
                "The store: " + StoreOption.ZOOKEEPER + ",",
                "or " + StoreOption.ETCD + ",",
                "or " + StoreOption.JDBC + ".",
                "Default: a ZooKeeper of the demo's own, on this machine."
            })
    @Nullable
    String connect;

    @Option(
            names = "--ttl",
            paramLabel = "DURATION",
            converter = DurationOption.class,
            description = "How long the store keeps the lock of a worker that it no longer hears."
                    + " Default: 3s on the demo's own ZooKeeper, else 10s.")
    @Nullable
    Duration ttl;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    /** For the command line parser. */
    public DemoCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        var timeline = new DemoLog(System.out);
        boolean held;
        if (connect != null) {
            held = new Demo(StoreOption.shared(connect), ttl == null ? REMOTE_TTL : ttl, timeline).run();
        } else {
            try (LocalServer server = LocalServer.start("127.0.0.1", 0, LOCAL_TICK, null)) {
                held = new Demo(server.uri(), ttl == null ? LOCAL_TTL : ttl, timeline).run();
            }
        }
        return held ? Exit.OK : Exit.FAILED;
    }
}
