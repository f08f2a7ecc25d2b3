package io.baton.tck;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.recipes.Counter;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.server.ChildProcess;
import io.baton.testkit.server.ProcessEnd;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Processes that count operations through connections that are cut again and again, and are killed one after the other:
 * each operation counts exactly once.
 *
 * <p>They count in rounds, as a counter remembers few operations compared with what many processes count in a second. It
 * remembers all of a round, and the next one begins once each operation is known to be counted. So one of unknown outcome
 * is settled by repeating it, and a process that takes the place of a killed one repeats all of its round.
 */
@Timeout(value = 40, unit = TimeUnit.MINUTES)
public abstract class CountingProcessesContract {

    private static final int PROCESSES = 20;
    private static final int OF_EACH = Integer.getInteger("baton.counting.operations", 100_000) / PROCESSES;
    private static final int OF_EACH_IN_A_ROUND = Counter.REMEMBERED / PROCESSES;
    private static final int ROUNDS_BETWEEN_KILLS = 5;
    private static final Duration BETWEEN_CUTS = Duration.ofSeconds(1);

    /** One of them is cut at a time, so that not all processes are out of contact at once. */
    private static final int PROXIES = 4;

    private static final List<String> FLAGS = List.of("-Xmx64m", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error");

    private static final CoordinatorOptions PATIENT =
            CoordinatorOptions.builder().connectTimeout(Duration.ofMinutes(1)).build();

    private final List<TcpProxy> proxies = new ArrayList<>();
    private final List<Running> processes = new ArrayList<>();
    private final AtomicInteger cuts = new AtomicInteger();
    private final Random random = new Random();
    private int kills;
    private int notApplied;
    private int unknown;
    private int countedBefore;

    /** For subclasses. */
    protected CountingProcessesContract() {}

    /** The server's address. */
    protected abstract InetSocketAddress server();

    /** The URI of the store, straight to the server. */
    protected abstract String uri();

    /** The URI of the same store through this proxy. */
    protected abstract String uri(TcpProxy through);

    @Test
    void addOnce_processesAreKilledAndConnectionsAreCut_countsEachOperationOnce() throws Exception {
        ScheduledExecutorService cutter = Executors.newSingleThreadScheduledExecutor();
        try {
            startAll();
            long begun = System.nanoTime();
            long pause = BETWEEN_CUTS.toMillis();
            var unused = cutter.scheduleWithFixedDelay(this::cut, pause, pause, TimeUnit.MILLISECONDS);
            int round = 0;
            for (int first = 0; first < OF_EACH; first += OF_EACH_IN_A_ROUND) {
                String operations = first + " " + Math.min(OF_EACH, first + OF_EACH_IN_A_ROUND);
                play(operations, ++round % ROUNDS_BETWEEN_KILLS == 0);
            }
            for (Running each : processes) {
                each.end();
            }
            System.out.printf(
                    "%d processes: %d operations, %d times repeated as not applied, %d times of unknown outcome,"
                            + " %d times found counted before, %d cuts, %d processes killed, in %d s%n",
                    PROCESSES,
                    OF_EACH * PROCESSES,
                    notApplied,
                    unknown,
                    countedBefore,
                    cuts.get(),
                    kills,
                    (System.nanoTime() - begun) / 1_000_000_000);
            try (Coordinator baton = Coordinator.connect(uri(), PATIENT)) {
                assertThat(Counter.named(baton, CountingProcess.COUNTER).get()).isEqualTo((long) OF_EACH * PROCESSES);
            }
            assertThat(cuts.get()).as("cuts").isPositive();
            assertThat(countedBefore)
                    .as("operations of killed processes that were counted already")
                    .isPositive();
        } finally {
            cutter.shutdownNow();
            processes.forEach(Running::kill);
            proxies.forEach(TcpProxy::close);
        }
    }

    /** One after the other: twenty JVMs that start at once may take longer than a session waits. */
    private void startAll() throws Exception {
        for (int i = 0; i < PROXIES; i++) {
            proxies.add(TcpProxy.to(server()));
        }
        for (int i = 0; i < PROCESSES; i++) {
            Running process = Running.start("process" + i, uri(proxies.get(i % PROXIES)), false);
            processes.add(process);
            process.awaitContact();
        }
    }

    private void cut() {
        cuts.incrementAndGet();
        proxies.get(random.nextInt(PROXIES)).cut();
    }

    /** All count these of their operations. Sooner or later, one of them may be killed and replaced meanwhile. */
    private void play(String operations, boolean killsOne) throws Exception {
        for (Running each : processes) {
            each.begin(operations);
        }
        if (killsOne) {
            int killed = kills++ % PROCESSES;
            for (int i = random.nextInt(6); i > 0; i--) {
                processes.get((killed + i) % PROCESSES).answer();
            }
            processes.set(killed, processes.get(killed).replace());
            processes.get(killed).awaitContact();
            processes.get(killed).begin(operations);
        }
        for (Running each : processes) {
            String[] became = each.answer().split(" ", -1);
            notApplied += Integer.parseInt(became[0]);
            unknown += Integer.parseInt(became[1]);
            countedBefore += Integer.parseInt(became[2]);
        }
    }

    /** One process. */
    private static final class Running {

        private final String name;
        private final String uri;
        private final Process process;
        private final BufferedReader output;
        private @Nullable String answer;

        private Running(String name, String uri, Process process) {
            this.name = name;
            this.uri = uri;
            this.process = process;
            this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        }

        static Running start(String name, String uri, boolean goesOn) throws IOException {
            ProcessBuilder counting =
                    ChildProcess.small(CountingProcess.class, FLAGS, List.of(uri, name, Boolean.toString(goesOn)));
            // Twenty JVMs get a processor only while servers and other tests do not need it.
            counting.command().addAll(0, List.of("nice", "-n", "19"));
            return new Running(
                    name,
                    uri,
                    counting.redirectError(ProcessBuilder.Redirect.INHERIT).start());
        }

        /** Kills it, and starts another one that goes on with its operations. */
        Running replace() throws IOException {
            kill();
            return start(name, uri, true);
        }

        void awaitContact() throws Exception {
            assertThat(line()).isEqualTo("connected");
        }

        void begin(String operations) throws IOException {
            answer = null;
            OutputStream input = process.getOutputStream();
            input.write((operations + "\n").getBytes(UTF_8));
            input.flush();
        }

        /** What has become of the operations. */
        String answer() throws Exception {
            String known = answer == null ? line() : answer;
            answer = known;
            return known;
        }

        private String line() throws Exception {
            String line = output.readLine();
            if (line == null) {
                throw new AssertionError(name + " has ended with status " + process.waitFor());
            }
            return line;
        }

        void end() throws Exception {
            process.getOutputStream().close();
            assertThat(process.waitFor()).as("the exit status of " + name).isZero();
        }

        void kill() {
            ProcessEnd.await(process.destroyForcibly());
        }
    }
}
