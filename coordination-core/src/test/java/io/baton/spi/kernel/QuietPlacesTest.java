package io.baton.spi.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.internal.HandLoop;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.PlaceListener;
import io.baton.spi.Session;
import io.baton.spi.SessionSpec;
import io.baton.spi.kernel.StepWire.Attached;
import io.baton.spi.kernel.StepWire.Beaten;
import io.baton.spi.kernel.StepWire.Joining;
import io.baton.spi.kernel.StepWire.Reply;
import io.baton.spi.kernel.StepWire.Standing;
import io.baton.spi.kernel.StepWire.Stepped;
import java.lang.reflect.Proxy;
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
    private static final Duration TTL = Duration.ofSeconds(4);

    private final HandLoop loop = new HandLoop();
    private final Map<String, Standing> own = new LinkedHashMap<>();
    private final List<Long> clear = new ArrayList<>();
    private Duration quiet = Duration.ZERO;
    private int beatsSince;
    private StepWire.Events events;
    private Session session;

    private final StepWire wire = (StepWire) Proxy.newProxyInstance(
            StepWire.class.getClassLoader(), new Class<?>[] {StepWire.class}, (proxy, step, with) -> {
                switch (step.getName()) {
                    case "attach" -> answer(with[2], new Attached(all(), Map.of(), "history", quiet));
                    case "beat" -> {
                        beatsSince += quiet.isZero() ? 1 : 0;
                        List<?> looked = (List<?>) with[0];
                        List<Standing> found = all().stream()
                                .filter(entry -> looked.contains(entry.name()))
                                .toList();
                        answer(with[2], new Beaten(found, Map.of(), quiet));
                    }
                    case "step" -> {
                        Optional<Standing> joined = ((Optional<?>) with[1]).map(each -> joined((Joining) each));
                        answer(with[2], new Stepped(List.of(), joined));
                    }
                    default -> {}
                }
                return null;
            });

    private List<Standing> all() {
        return List.copyOf(own.values());
    }

    private Standing joined(Joining joining) {
        Standing entry = new Standing(joining.line(), joining.name(), own.size() + 1, false, false);
        own.put(entry.name(), entry);
        return entry;
    }

    @SuppressWarnings("unchecked")
    private <T> void answer(Object reply, T with) {
        loop.execute(() -> ((Reply<T>) reply).answered(with));
    }

    @BeforeEach
    void waitInManyLines() {
        session = KernelSession.open(
                (id, ttl, client, on, to) -> {
                    events = to;
                    return wire;
                },
                "session",
                new SessionSpec(TTL, "test"),
                Duration.ofSeconds(2),
                loop,
                new NoListener());
        for (int i = 0; i < MANY; i++) {
            session.join(Line.of("locks/line-" + i), new byte[0], new PlaceListener() {
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
        events.disconnected("broken");
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
        own.values().forEach(entry -> events.cleared(entry.name(), entry.token()));
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
        events.disconnected("broken");
        loop.pass(Duration.ofMillis(100));

        endQuiet();

        assertThat(clear).isEmpty();
    }
}
