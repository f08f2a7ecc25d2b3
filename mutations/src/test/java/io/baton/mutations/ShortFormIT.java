package io.baton.mutations;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.testkit.LongRun;
import io.baton.testkit.server.Command;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Runs {@code ./mutate --short} on what this build has compiled: all its classes in the long run, else a twelfth. */
class ShortFormIT {

    private static final Duration PATIENCE = Duration.ofMinutes(30);

    @Test
    void play_shortForm_testsNoticeEnough() {
        var command = new ArrayList<>(List.of(Path.of("..", "mutate").toString(), "--no-build", "--short"));
        if (!LongRun.asked()) {
            command.addAll(List.of("--one-in", "12"));
        }

        Command.Outcome mutate = Command.run(command, Map.of(), PATIENCE);
        System.out.println(mutate.out());

        assertThat(mutate.status())
                .as("0 if enough is noticed, 1 if not, 2 if it could not be played: " + mutate.err() + mutate.out())
                .isZero();
    }
}
