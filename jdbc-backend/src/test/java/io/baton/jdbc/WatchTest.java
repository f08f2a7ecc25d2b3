package io.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.spi.kernel.StepWire.Events;
import io.baton.spi.kernel.StepWire.Topic;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchTest {

    private static final Topic TOPIC = new Topic.Tree("stock");

    private final List<Long> told = new ArrayList<>();
    private final Watch watch = new Watch(new Told());

    /** The answer to the second goes to that alone, and the next look finds nothing new. */
    @Test
    void follow_onceMoreAndChangedMeanwhile_tellsTheFirst() {
        watch.follow(TOPIC, 5);
        watch.follow(TOPIC, 5);
        assertThat(told).isEmpty();

        watch.follow(TOPIC, 6);

        assertThat(told).containsExactly(6L);
    }

    private final class Told implements Events {
        @Override
        public void changed(Topic topic, long version) {
            told.add(version);
        }

        @Override
        public void disconnected(String why) {}

        @Override
        public void cleared(String name, long token) {}

        @Override
        public void gone(String name) {}

        @Override
        public void over(CoordinationException why) {}
    }
}
