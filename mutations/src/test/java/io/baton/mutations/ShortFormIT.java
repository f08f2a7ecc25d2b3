package io.baton.mutations;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.testkit.LongRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs {@code ./mutate --short} on what this build has compiled: of all its classes in the long run, else of a twelfth. */
class ShortFormIT {

    @Test
    void play_shortForm_testsNoticeEnough() throws IOException, InterruptedException {
        Path root = Path.of("..").toAbsolutePath().normalize();
        var command = new ArrayList<>(List.of(root.resolve("mutate").toString(), "--no-build", "--short"));
        if (!LongRun.asked()) {
            command.addAll(List.of("--one-in", "12"));
        }

        Process mutate = new ProcessBuilder(command)
                .directory(root.toFile())
                .redirectErrorStream(true)
                .start();
        mutate.getOutputStream().close();
        String said = new String(mutate.getInputStream().readAllBytes(), UTF_8);
        System.out.println(said);

        assertThat(mutate.waitFor())
                .as("0 if enough is noticed, 1 if not, 2 if it could not be played:\n" + said)
                .isZero();
    }
}
