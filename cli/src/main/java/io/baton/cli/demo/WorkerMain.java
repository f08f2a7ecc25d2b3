package io.baton.cli.demo;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.cli.QuietLibraries;
import io.baton.cli.Signals;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The main class of a worker's JVM. It runs commands from stdin, line by line, answers on stdout, and ends when stdin
 * ends.
 */
public final class WorkerMain {

    private static final Message END = Message.of("end");
    /** All workers start at once, and the store was reachable a moment ago. */
    private static final Duration CONNECT = Duration.ofSeconds(30);

    private WorkerMain() {}

    /** Arguments: a name, and the fields of {@code DemoRun}. */
    public static void main(String[] args) {
        QuietLibraries.please();
        // The demo handles a terminal's Ctrl-C, and ends the worker.
        Signals.handle(signal -> {});
        var commands = new LinkedBlockingQueue<Message>();
        Thread reader = new Thread(() -> read(commands), "commands");
        reader.setDaemon(true);
        reader.start();
        List<String> rest = List.of(args).subList(1, args.length);
        Runtime.getRuntime().halt(run(args[0], DemoRun.parse(rest), commands));
    }

    private static int run(String name, DemoRun demoRun, LinkedBlockingQueue<Message> commands) {
        CoordinatorOptions options = CoordinatorOptions.builder()
                .client(name)
                .ttl(demoRun.ttl())
                .connectTimeout(CONNECT)
                .closeTimeout(Duration.ofSeconds(1))
                .acceptLoss(true) // which the URI has declared
                .build();
        try (Coordinator baton = Coordinator.connect(demoRun.uri(), options)) {
            var seller = new Seller(baton, demoRun, WorkerMain::send);
            var cashier = new Cashier(baton, demoRun, name, WorkerMain::send);
            var tuner = new ConfigWorker(baton, demoRun, name, WorkerMain::send);
            send(Message.of("ready"));
            for (Message command = commands.take(); !command.equals(END); command = commands.take()) {
                if (!cashier.run(command) && !tuner.run(command)) {
                    seller.run(command);
                }
            }
            return 0;
        } catch (InterruptedException | RuntimeException broken) {
            send(Message.of(Message.FAILED, broken.toString().replaceAll("\\s+", " ")));
            return 1;
        }
    }

    private static void read(LinkedBlockingQueue<Message> commands) {
        try (var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                commands.add(Message.parse(line));
            }
        } catch (IOException closed) {
            // Same as the end of the stream.
        }
        commands.add(END);
        giveUpSoon();
    }

    /** Ends a worker that still waits for the lock or the store after the demo has ended. */
    private static void giveUpSoon() {
        try {
            Thread.sleep(2_000);
        } catch (InterruptedException nobodyDoesThat) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(1);
    }

    private static void send(Message message) {
        System.out.println(message);
        System.out.flush();
    }
}
