package io.baton.benchmarks.scale;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * What runs in a client's process: connects to the URI of its argument, and obeys the lines that it reads: {@code quiet
 * NAME}, {@code hold LOCK PREFIX LINES}, {@code queue LOCK PREFIX LINES COUNT}, {@code release}, {@code cut}, {@code try NAME}. Tells what happens on
 * standard output, see {@link LoadReport}.
 */
final class LoadClientMain {

    /** Many JVMs that start at once on a small machine take their time. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private LoadClientMain() {}

    /** Serves until standard input ends. */
    public static void main(String[] args) throws IOException, InterruptedException {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Coordinator coordinator = Coordinator.connect(
                args[0], CoordinatorOptions.builder().connectTimeout(PATIENCE).build());
        var worker = new LoadWorker(coordinator, System.out);
        worker.start();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            obey(worker, line.split(" ", -1));
        }
        // The server goes with this run: nothing needs to be removed from it, and closing could take long.
        Runtime.getRuntime().halt(0);
    }

    private static void obey(LoadWorker worker, String[] word) throws InterruptedException {
        switch (word[0]) {
            case "quiet" -> worker.quiet(word[1]);
            case "hold" -> worker.hold(LoadLock.of(word[1]), word[2], Integer.parseInt(word[3]));
            case "queue" ->
                worker.queue(LoadLock.of(word[1]), word[2], Integer.parseInt(word[3]), Integer.parseInt(word[4]));
            case "release" -> worker.release();
            case "cut" -> worker.cutOff();
            case "try" -> worker.attempt(word[1]);
            default -> throw new IllegalArgumentException("no such command: " + word[0]);
        }
    }
}
