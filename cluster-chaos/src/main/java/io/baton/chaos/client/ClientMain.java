package io.baton.chaos.client;

import io.baton.Coordinator;
import io.baton.Telemetry;
import io.baton.chaos.history.EventKind;
import io.baton.chaos.history.HistoryFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * What runs in a client process. It prints a reading of its clock, then contends until its input says {@code stop}; ends at
 * once if its input ends, since whoever started it has gone.
 */
public final class ClientMain {

    /** What it is told when it is to end. */
    public static final String STOP = "stop";

    private ClientMain() {}

    /** Contends; the arguments are those of {@link ClientArguments}. */
    public static void main(String[] words) throws InterruptedException {
        System.out.println(System.nanoTime());
        ClientArguments arguments = ClientArguments.of(words);
        CountDownLatch stop = new CountDownLatch(1);
        Thread leash = new Thread(() -> obey(stop), "leash");
        leash.setDaemon(true);
        leash.start();
        try (HistoryFile history = new HistoryFile(arguments.history())) {
            contend(arguments, history, stop);
        }
        System.exit(0);
    }

    private static void contend(ClientArguments arguments, HistoryFile history, CountDownLatch stop)
            throws InterruptedException {
        String name = arguments.name() + ".0";
        boolean rejoin = arguments.seed() % 2 == 0;
        try (Coordinator shared = new ClientConnector(arguments, stop).connect(name, rejoin, new Telemetry() {})) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 1; i <= arguments.contenders(); i++) {
                threads.add(new Thread(new Contender(arguments, i, history, stop, shared), "contender-" + i));
            }
            threads.add(new Thread(new RecipeUser(arguments, history, stop), "recipes"));
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (RuntimeException broken) {
            history.note(name, EventKind.TROUBLE, "why", broken);
        }
    }

    private static void obey(CountDownLatch stop) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.equals(STOP)) {
                    stop.countDown();
                }
            }
        } catch (IOException gone) {
            Runtime.getRuntime().halt(1);
        }
        Runtime.getRuntime().halt(1);
    }
}
