package io.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.cli.Processes;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SignallerTest {

    /** Says the number of a process that it has started, and ends when that does. */
    private static final String FAMILY = "sleep 100 & echo $!; wait";

    @Test
    void tree_signal_reachesTheProcessAndWhatItStarted() throws Exception {
        Process parent = new ProcessBuilder("sh", "-c", FAMILY).start();
        try (BufferedReader out = parent.inputReader(StandardCharsets.UTF_8)) {
            long child = Long.parseLong(out.readLine());
            Signaller.tree(parent.toHandle()).send("TERM");
            assertThat(parent.waitFor()).isEqualTo(128 + 15);
            Processes.awaitGone(child);
        }
    }

    @Test
    void group_signal_reachesAllOfIt() throws Exception {
        Process parent = new ProcessBuilder("setsid", "sh", "-c", FAMILY).start();
        try (BufferedReader out = parent.inputReader(StandardCharsets.UTF_8)) {
            long child = Long.parseLong(out.readLine());
            Signaller.group(parent.pid()).send("INT");
            Signaller.group(parent.pid()).send("TERM");
            assertThat(parent.waitFor()).isGreaterThan(128);
            Processes.awaitGone(child);
        }
    }

    @Test
    void group_processThatIsNoGroupYet_isReachedAlone() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sleep", "100").start();
        Signaller.group(process.pid()).send("KILL");
        assertThat(process.waitFor()).isEqualTo(128 + 9);
    }
}
