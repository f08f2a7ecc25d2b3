package io.baton.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.kernel.StepWire;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LinesTest {

    private static final Line LINE = Line.of("locks/test");

    private final Lines lines = new Lines(path -> {});
    private final Lease lease =
            new Lease("a", "a", Duration.ofSeconds(10), new VirtualTime().loop(), new Nothing(), (when, what) -> false);

    /** Nobody is to be told of anything. */
    private static final class Nothing implements StepWire.Events {
        @Override
        public void disconnected(String why) {
            throw new AssertionError(why);
        }

        @Override
        public void cleared(String name, long token) {
            throw new AssertionError(name);
        }

        @Override
        public void gone(String name) {
            throw new AssertionError(name);
        }

        @Override
        public void changed(StepWire.Topic topic, long version) {
            throw new AssertionError(topic);
        }

        @Override
        public void over(CoordinationException why) {
            throw new AssertionError(why);
        }
    }

    @Test
    void version_lineThatIsEmptyAgainAndAgain_isAnotherEachTime() {
        Set<Long> heads = new HashSet<>(Set.of(lines.headVersion(LINE.path())));
        Set<Long> versions = new HashSet<>(Set.of(lines.version(LINE.path())));
        for (int i = 1; i <= 3; i++) {
            var entry = new MemoryEntry(new Entry(new Peer(LINE, "entry-" + i, i), i, new byte[0], "a"), lease);
            lines.add(entry);
            assertThat(heads.add(lines.headVersion(LINE.path()))).isTrue();
            assertThat(versions.add(lines.version(LINE.path()))).isTrue();

            lines.remove(List.of(entry));

            assertThat(heads.add(lines.headVersion(LINE.path()))).isTrue();
            assertThat(versions.add(lines.version(LINE.path()))).isTrue();
        }
    }
}
