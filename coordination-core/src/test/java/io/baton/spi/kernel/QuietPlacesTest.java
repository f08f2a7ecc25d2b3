package io.baton.spi.kernel;

import static io.baton.spi.kernel.HandKernel.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.internal.HandLoop;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.PlaceListener;
import io.baton.spi.kernel.StepWire.Attached;
import io.baton.spi.kernel.StepWire.Beaten;
import io.baton.spi.kernel.StepWire.Joining;
import io.baton.spi.kernel.StepWire.Standing;
import io.baton.spi.kernel.StepWire.Stepped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Places that became clear while the store was quiet after a fail-over are granted as soon as that is over. */
class QuietPlacesTest {

    private static final int MANY = 200;

    private final HandKernel kernel = new HandKernel(this::called);
    private final HandLoop loop = kernel.loop;
    private final Map<String, Standing> own = new LinkedHashMap<>();
    private final List<Long> clear = new ArrayList<>();
    private Duration quiet = Duration.ZERO;
    private int beatsSince;

    private void called(String method, Object[] with) {
        switch (method) {
            case "attach" -> kernel.answer(with[2], new Attached(all(), Map.of(), "history", quiet));
            case "beat" -> {
                beatsSince += quiet.isZero() ? 1 : 0;
                List<?> looked = (List<?>) with[0];
                List<Standing> found = all().stream()
                        .filter(entry -> looked.contains(entry.name()))
                        .toList();
                kernel.answer(with[2], new Beaten(found, Map.of(), quiet));
            }
            case "step" -> {
                Optional<Standing> joined = ((Optional<?>) with[1]).map(each -> joined((Joining) each));
                kernel.answer(with[2], new Stepped(List.of(), joined));
            }
            default -> {}
        }
    }

    private List<Standing> all() {
        return List.copyOf(own.values());
    }

    private Standing joined(Joining joining) {
        Standing entry = new Standing(joining.line(), joining.name(), own.size() + 1, false, false);
        own.put(entry.name(), entry);
        return entry;
    }

    @BeforeEach
    void waitInManyLines() {
        kernel.open(new NoListener());
        for (int i = 0; i < MANY; i++) {
            kernel.session.join(Line.of("locks/line-" + i), new byte[0], new PlaceListener() {
                @Override
                public void waiting() {}

                @Override
                public void clear(Entry mine) {
                    clear.add(mine.token());
                }

                @Override
                public void lost(CoordinationException why) {}
            });
        }
        loop.run();
        assertThat(own).hasSize(MANY);
        assertThat(clear).isEmpty();
    }

    private void allAhead(boolean gone) {
        own.replaceAll((name, entry) -> new Standing(entry.line(), name, entry.token(), gone, false));
    }

    private void failOver() {
        quiet = TTL;
        kernel.events.disconnected("broken");
        loop.run();
    }

    /** Until one beat has said that it is over. */
    private void endQuiet() {
        quiet = Duration.ZERO;
        beatsSince = 0;
        while (beatsSince == 0) {
            loop.pass(Duration.ofMillis(10));
        }
        loop.run();
        assertThat(beatsSince).isEqualTo(1);
    }

    @Test
    void quiet_clearAtTheAttach_allAreClearWithTheFirstBeatWithoutQuiet() {
        allAhead(true);
        failOver();
        loop.pass(TTL);
        assertThat(clear).isEmpty();

        endQuiet();

        assertThat(clear).doesNotHaveDuplicates().hasSize(MANY);
    }

    @Test
    void quiet_clearedMeanwhile_allAreClearWithTheFirstBeatWithoutQuiet() {
        failOver();
        allAhead(true);
        own.values().forEach(entry -> kernel.events.cleared(entry.name(), entry.token()));
        loop.run();
        assertThat(clear).isEmpty();

        endQuiet();

        assertThat(clear).doesNotHaveDuplicates().hasSize(MANY);
    }

    /** What was said in one contact may be lost with the steps that it was said of. */
    @Test
    void quiet_clearInAFormerContact_isForgotten() {
        allAhead(true);
        failOver();
        allAhead(false);
        kernel.events.disconnected("broken");
        loop.pass(Duration.ofMillis(100));

        endQuiet();

        assertThat(clear).isEmpty();
    }
}
