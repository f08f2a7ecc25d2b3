package io.baton.cli.run;

import io.baton.cli.Main;
import io.baton.cli.server.LocalServer;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Runs typical commands without output. The script at the root records the classes that the JVM loads meanwhile, so
 * that later JVMs start faster.
 */
public final class Training {

    private static final Duration TICK = Duration.ofMillis(200);

    private Training() {}

    /** Takes no arguments. */
    public static void main(String[] args) throws IOException, InterruptedException {
        System.setOut(new PrintStream(PrintStream.nullOutputStream()));
        Main.run(List.of("--help"));
        Main.run(List.of("lock", "--help"));
        watch();
        // No server answers; finding that out loads most of the classes of an etcd connection.
        Main.run(List.of("lock", "--connect", "etcd://127.0.0.1:1", "--timeout", "500ms", "training", "--", "true"));
        try (LocalServer server = LocalServer.start("127.0.0.1", 0, TICK, null)) {
            Main.run(List.of("lock", "--connect", server.uri(), "--timeout", "5s", "training", "--", "true"));
            Main.run(List.of("elect", "--connect", server.uri(), "--timeout", "5s", "training", "--", "true"));
            Main.run(List.of("leader", "--connect", server.uri(), "--timeout", "5s", "training"));
            Main.run(List.of("config", "set", "--connect", server.uri(), "--timeout", "5s", "training", "1"));
            Main.run(List.of("config", "get", "--connect", server.uri(), "--timeout", "5s", "training"));
            Main.run(List.of("queue", "--connect", server.uri(), "--timeout", "5s", "training"));
        }
        System.exit(0);
    }

    /** Runs both ends of a watchdog. */
    private static void watch() throws IOException, InterruptedException {
        try (WatchdogSocket watchdogSocket = WatchdogSocket.open();
                LineChannel there = WatchdogSocket.to(watchdogSocket.directory());
                LineChannel here = watchdogSocket.accept();
                Killer killer = Killer.start()) {
            var inbox = new LinkedBlockingQueue<String>();
            inbox.add("start " + (System.nanoTime() + TICK.toNanos()) + " 1");
            inbox.add("end");
            Thread reader = new Thread(
                    () -> {
                        for (String line = here.next(); line != null; line = here.next()) {
                            if (line.startsWith("exited")) {
                                inbox.add("done");
                            }
                        }
                    },
                    "training");
            reader.setDaemon(true);
            reader.start();
            new WatchdogLoop(there, inbox, TICK, List.of("sleep", "1"), StatusFile.at(""), killer, false).run();
        }
    }
}
