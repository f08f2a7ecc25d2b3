package io.baton.cli.run;

import io.baton.cli.Signals;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Main class of the watchdog. It starts the command, waits for it, and ends it when baton has ended or is frozen past
 * its deadline. It has its own session, so a terminal's signals do not reach it.
 */
public final class WatchdogMain {

    private WatchdogMain() {}

    /**
     * Arguments: the directory of baton's socket, the grace in milliseconds, whether baton belongs to the command of
     * another baton, the status file or an empty text, the command.
     */
    public static void main(String[] args) {
        // A service manager signals every process of a service; baton decides what that means for the command.
        Signals.handle(signal -> {});
        Path watchdogSocket = Path.of(args[0]);
        Duration grace = Duration.ofMillis(Long.parseLong(args[1]));
        boolean inner = Boolean.parseBoolean(args[2]);
        StatusFile statusFile = StatusFile.at(args[3]);
        List<String> command = List.of(args).subList(4, args.length);
        try (LineChannel channel = WatchdogSocket.to(watchdogSocket);
                Killer killer = Killer.start()) {
            var inbox = new LinkedBlockingQueue<String>();
            Thread reader = new Thread(() -> read(channel, inbox), "baton");
            reader.setDaemon(true);
            reader.start();
            new WatchdogLoop(channel, inbox, grace, command, statusFile, killer, inner).run();
        } catch (IOException | InterruptedException broken) {
            // Baton detects that this process has ended, and acts.
            Runtime.getRuntime().halt(1);
        }
        Runtime.getRuntime().halt(0);
    }

    private static void read(LineChannel channel, LinkedBlockingQueue<String> inbox) {
        for (String line = channel.next(); line != null; line = channel.next()) {
            inbox.add(line);
        }
        inbox.add(WatchdogLoop.GONE);
    }
}
