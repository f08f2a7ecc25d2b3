package io.baton.cli.demo;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.cli.BatonProcess;
import io.baton.cli.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoIT {

    private static final Pattern PID = Pattern.compile("\\(pid (\\d+)\\)");

    @TempDir
    Path directory;

    @Test
    void demo_fromStartToEnd_provesEveryClaimAndLeavesNothing() throws Exception {
        provesEveryClaim(directory, List.of("demo"));
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void demo_interruptedHalfWay_leavesNoProcessAndNoFile() throws Exception {
        endsHalfWay("INT", "frozen while holding", 130);
    }

    @Test
    @Tag("long")
    void demo_terminatedHalfWay_leavesNoProcessAndNoFile() throws Exception {
        endsHalfWay("TERM", "killed while holding", 143);
    }

    private void endsHalfWay(String signal, String when, int status) throws Exception {
        try (BatonProcess demo = BatonProcess.startGroup(directory, List.of("demo"))) {
            await().atMost(60, SECONDS).until(() -> demo.out().contains(when));
            List<Long> workers = workers(demo);
            assertThat(workers).hasSize(4).anyMatch(Processes::running);
            demo.signalGroup(signal);
            assertThat(demo.status()).isEqualTo(status);
            workers.forEach(Processes::awaitGone);
            assertThat(demo.err()).isEmpty();
            assertThat(leftovers()).isEmpty();
        }
    }

    @Test
    @Tag("long")
    void demo_killedWhileAWorkerIsFrozen_noWorkerStays() throws Exception {
        try (BatonProcess demo = BatonProcess.start(directory, Map.of(), List.of("demo"))) {
            await().atMost(60, SECONDS).until(() -> demo.out().contains("frozen while holding"));
            List<Long> workers = workers(demo);
            demo.signal("KILL");
            assertThat(demo.status()).isEqualTo(137);
            workers.forEach(Processes::awaitGone);
        }
    }

    /** Runs it, with these arguments. */
    static void provesEveryClaim(Path directory, List<String> line) throws InterruptedException {
        try (BatonProcess demo = BatonProcess.start(directory, Map.of(), line)) {
            int status = demo.status();
            assertThat(status).as(demo.out() + demo.err()).isZero();
            assertThat(demo.err()).isEmpty();
            assertThat(demo.out()).contains("claims hold").doesNotContain("FAILED");
            assertThat(demo.out().lines()).allSatisfy(said -> assertThat(said).hasSizeLessThanOrEqualTo(100));
            assertThat(workers(demo)).hasSize(4).noneMatch(Processes::running);
        }
    }

    private static List<Long> workers(BatonProcess demo) {
        return PID.matcher(demo.out())
                .results()
                .map(found -> Long.parseLong(found.group(1)))
                .toList();
    }

    /** What is left in the demo's directory for temporary files, besides what this test had it write. */
    private List<Path> leftovers() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> !file.toString().endsWith(".out")
                            && !file.toString().endsWith(".err"))
                    .toList();
        }
    }
}
