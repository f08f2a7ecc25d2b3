package io.baton.chaos.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineTest {

    @Test
    void play_actsThatAddActs_doesAllInTheOrderOfTheirTimes() throws Exception {
        List<String> done = new ArrayList<>();
        Timeline timeline = new Timeline();
        long now = System.nanoTime();
        timeline.at(now + 3_000_000, () -> done.add("third"));
        timeline.at(now + 1_000_000, () -> {
            done.add("first");
            timeline.at(now + 2_000_000, () -> done.add("second"));
            timeline.at(now + 4_000_000, () -> done.add("fourth"));
        });

        timeline.play();

        assertThat(done).containsExactly("first", "second", "third", "fourth");
        assertThat(System.nanoTime() - now).isGreaterThanOrEqualTo(4_000_000);
    }
}
