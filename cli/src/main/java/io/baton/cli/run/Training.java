package io.baton.cli.run;

import io.baton.cli.Main;
import io.baton.cli.server.LocalServer;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Uses what commands use, and says nothing: the script at the root has a JVM write down the classes that are loaded for
 * it, so that later ones start faster.
 */
public final class Training {

    private static final Duration TICK = Duration.ofMillis(200);

    private Training() {}

    /** No arguments. */
    public static void main(String[] args) throws IOException, InterruptedException {
        System.setOut(new PrintStream(PrintStream.nullOutputStream()));
        Main.run(List.of("--help"));
        Main.run(List.of("lock", "--help"));
        watch();
        // Nobody is there; what it takes to find that out is most of what it takes to speak with etcd.
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

    /** Both ends of a watchdog, and what it does. */
    private static void watch() throws IOException, InterruptedException {
        try (WatchdogSocket watchdogSocket = WatchdogSocket.open();
                LineChannel there = WatchdogSocket.to(watchdogSocket.directory());
                LineChannel here = watchdogSocket.accept();
                Killer killer = Killer.start()) {
            var inbox = new LinkedBlockingQueue<String>();
            inbox.add("start 1 " + (System.nanoTime() + TICK.toNanos()));
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
            new WatchdogLoop(there, inbox, TICK, List.of("sleep", "1"), StatusFile.at(""), killer).run();
        }
    }
}
