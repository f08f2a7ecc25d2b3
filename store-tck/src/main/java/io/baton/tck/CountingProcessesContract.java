package io.baton.tck;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.recipes.Counter;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.server.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes that count operations through connections that are cut again and again: each counts exactly once. */
@Timeout(value = 40, unit = TimeUnit.MINUTES)
public abstract class CountingProcessesContract {

    private static final int PROCESSES = 20;
    private static final int OPERATIONS = 100_000;

    private static final Duration BETWEEN_CUTS = Duration.ofSeconds(1);

    /** One of them is cut at a time, so that not all processes are out of contact at once. */
    private static final int PROXIES = 4;

    private static final List<String> FLAGS = List.of("-Xmx64m", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error");

    private static final CoordinatorOptions PATIENT =
            CoordinatorOptions.builder().connectTimeout(Duration.ofMinutes(1)).build();

    /** For subclasses. */
    protected CountingProcessesContract() {}

    /** The server's address. */
    protected abstract InetSocketAddress server();

    /** The URI of the store, straight to the server. */
    protected abstract String uri();

    /** The URI of the same store through this proxy. */
    protected abstract String uri(TcpProxy through);

    @Test
    void addOnce_manyProcessesAndConnectionsAreCut_countsEachOperationOnce() throws Exception {
        List<TcpProxy> proxies = new ArrayList<>();
        List<Process> processes = new ArrayList<>();
        List<BufferedReader> outputs = new ArrayList<>();
        ScheduledExecutorService cutter = Executors.newSingleThreadScheduledExecutor();
        AtomicInteger cuts = new AtomicInteger();
        Random random = new Random();
        try {
            for (int i = 0; i < PROXIES; i++) {
                proxies.add(TcpProxy.to(server()));
            }
            for (int i = 0; i < PROCESSES; i++) {
                Process process = start("process" + i, uri(proxies.get(i % PROXIES)));
                processes.add(process);
                var output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
                outputs.add(output);
                // One after the other: twenty JVMs that start at once may take longer than a session waits.
                assertThat(output.readLine()).isEqualTo("connected");
            }
            long begun = System.nanoTime();
            for (Process each : processes) {
                each.getOutputStream().close();
            }
            Runnable cut = () -> {
                cuts.incrementAndGet();
                proxies.get(random.nextInt(PROXIES)).cut();
            };
            long pause = BETWEEN_CUTS.toMillis();
            var unused = cutter.scheduleWithFixedDelay(cut, pause, pause, TimeUnit.MILLISECONDS);
            long counted = 0;
            long unknown = 0;
            long repeated = 0;
            for (int i = 0; i < PROCESSES; i++) {
                String[] said = String.valueOf(outputs.get(i).readLine()).split(" ", -1);
                assertThat(processes.get(i).waitFor())
                        .as("the exit status of process " + i)
                        .isZero();
                counted += Long.parseLong(said[0]);
                unknown += Long.parseLong(said[1]);
                repeated += Long.parseLong(said[2]);
            }
            System.out.printf(
                    "%d processes: %d operations counted, %d of unknown outcome, %d repeated, %d cuts, in %d s%n",
                    PROCESSES, counted, unknown, repeated, cuts.get(), (System.nanoTime() - begun) / 1_000_000_000);
            assertThat(counted + unknown).isEqualTo(OPERATIONS);
            assertThat(cuts.get()).as("cuts").isPositive();
            try (Coordinator baton = Coordinator.connect(uri(), PATIENT)) {
                assertThat(Counter.named(baton, CountingProcess.COUNTER).get()).isBetween(counted, counted + unknown);
            }
        } finally {
            cutter.shutdownNow();
            processes.forEach(Process::destroyForcibly);
            proxies.forEach(TcpProxy::close);
        }
    }

    private static Process start(String name, String uri) throws IOException {
        String operations = Integer.toString(OPERATIONS / PROCESSES);
        ProcessBuilder process = ChildProcess.small(CountingProcess.class, FLAGS, List.of(uri, name, operations));
        // Twenty JVMs get a processor only while servers and other tests do not need it.
        process.command().addAll(0, List.of("nice", "-n", "19"));
        return process.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }
}
