package io.baton.cli.run;

import io.baton.cli.Signals;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The process that starts the command, waits for it, and ends it if baton cannot: when baton is frozen past its
 * deadline, or is no more. It has a session of its own, so nothing that a terminal sends reaches it.
 */
public final class WatchdogMain {

    private WatchdogMain() {}

    /** Arguments: the directory where baton listens, the grace in milliseconds, the status file or nothing, the command. */
    public static void main(String[] args) {
        // A service manager signals every process of a service; what that means for the command is baton's affair.
        Signals.handle(signal -> {});
        Path watchdogSocket = Path.of(args[0]);
        Duration grace = Duration.ofMillis(Long.parseLong(args[1]));
        StatusFile statusFile = StatusFile.at(args[2]);
        List<String> command = List.of(args).subList(3, args.length);
        try (LineChannel channel = WatchdogSocket.to(watchdogSocket);
                Killer killer = Killer.start()) {
            var inbox = new LinkedBlockingQueue<String>();
            Thread reader = new Thread(() -> read(channel, inbox), "baton");
            reader.setDaemon(true);
            reader.start();
            new WatchdogLoop(channel, inbox, grace, command, statusFile, killer).run();
        } catch (IOException | InterruptedException broken) {
            // Baton sees our end, and acts.
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
