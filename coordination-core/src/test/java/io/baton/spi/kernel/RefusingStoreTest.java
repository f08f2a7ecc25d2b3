package io.baton.spi.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.internal.HandLoop;
import io.baton.spi.Session;
import io.baton.spi.SessionSpec;
import io.baton.spi.TreeListener;
import io.baton.spi.kernel.StepWire.Attached;
import io.baton.spi.kernel.StepWire.Beaten;
import io.baton.spi.kernel.StepWire.Changes;
import io.baton.spi.kernel.StepWire.Reply;
import io.baton.spi.kernel.StepWire.Snapshot;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store that refuses steps of one kind for a while: this is reported, as trouble and to whom it concerns. */
class RefusingStoreTest {

    private static final Duration TTL = Duration.ofSeconds(4);
    private static final Duration LATER = Duration.ofMinutes(1);

    private final HandLoop loop = new HandLoop();
    private final List<String> told = new ArrayList<>();
    private final List<String> troubles = new ArrayList<>();
    private final List<String> resolved = new ArrayList<>();
    private Map<StepWire.Topic, Long> versions = Map.of();
    private String refused = "";
    private StepWire.Events events;
    private Session session;

    private final StepWire wire = (StepWire) Proxy.newProxyInstance(
            StepWire.class.getClassLoader(), new Class<?>[] {StepWire.class}, (own, step, with) -> {
                switch (step.getName()) {
                    case "attach" -> answer("attach", with[2], new Attached(List.of(), Map.of(), "h", Duration.ZERO));
                    case "beat" -> answer("beat", with[2], new Beaten(List.of(), versions, Duration.ZERO));
                    case "follow" -> answer("follow", with[1], 1L);
                    case "snapshot" -> answer("read", with[1], new Snapshot(List.of(), new Position("h", 5)));
                    case "changesSince" ->
                        answer("read", with[2], Optional.of(new Changes(List.of(), List.of(), (Long) with[1])));
                    default -> {}
                }
                return null;
            });

    @SuppressWarnings("unchecked")
    private <T> void answer(String what, Object reply, T with) {
        var to = (Reply<T>) reply;
        loop.execute(
                what.equals(refused)
                        ? () -> to.refused(new CoordinationException("not allowed"))
                        : () -> to.answered(with));
    }

    @BeforeEach
    void attach() {
        session = KernelSession.open(
                (id, ttl, client, on, to) -> {
                    events = to;
                    return wire;
                },
                "session",
                new SessionSpec(TTL, "test"),
                Duration.ofSeconds(2),
                loop,
                new Troubles());
        loop.run();
    }

    @Test
    void read_refusedForAWhile_isReportedUntilItIsAnswered() {
        observe();
        refused = "read";
        events.changed(new StepWire.Topic.Tree("config"), 2);
        loop.run();
        assertThat(told).containsExactly("snapshot", "resumed", "interrupted");
        assertThat(troubles).hasSize(1);

        refused = "";
        loop.pass(LATER);

        assertThat(told).containsExactly("snapshot", "resumed", "interrupted", "resumed");
        assertThat(troubles).isEmpty();
    }

    @Test
    void follow_refusedAfterABreak_isReportedUntilItIsAnswered() {
        observe();
        refused = "follow";
        events.disconnected("broken");
        loop.pass(LATER);
        assertThat(troubles).hasSize(1);

        refused = "";
        loop.pass(LATER);

        assertThat(told).containsExactly("snapshot", "resumed", "interrupted", "resumed");
        assertThat(troubles).isEmpty();
    }

    @Test
    void follow_refusedButBeatsShowTheVersion_isCurrentAndTroubledAllTheSame() {
        observe();
        refused = "follow";
        events.disconnected("broken");
        versions = Map.of(new StepWire.Topic.Tree("config"), 2L);
        loop.pass(LATER);

        assertThat(told).containsExactly("snapshot", "resumed", "interrupted", "snapshot", "resumed");
        assertThat(troubles).hasSize(1);
        assertThat(resolved).isEmpty();
    }

    @Test
    void contact_isBackAndNothingIsNew_isCurrentOnceTheVersionIsKnown() {
        observe();
        events.disconnected("broken");
        assertThat(told).containsExactly("snapshot", "resumed", "interrupted");

        loop.pass(TTL);

        assertThat(told).containsExactly("snapshot", "resumed", "interrupted", "resumed");
    }

    @Test
    void stop_refusedAfterwards_isNoTrouble() {
        Runnable stop = observe();
        refused = "read";
        events.changed(new StepWire.Topic.Tree("config"), 2);
        stop.run();
        loop.run();

        assertThat(troubles).isEmpty();
    }

    @Test
    void beat_refusedForAWhile_isTheReasonOfTheSessionsTrouble() {
        refused = "beat";
        loop.pass(TTL);
        assertThat(session.trouble()).contains("the store refuses heartbeats: not allowed");

        refused = "";
        loop.pass(TTL);

        assertThat(session.trouble()).isEmpty();
    }

    @Test
    void stop_refused_isNoTroubleAnyMore() {
        Runnable stop = observe();
        refused = "read";
        events.changed(new StepWire.Topic.Tree("config"), 2);
        loop.run();
        assertThat(troubles).hasSize(1);

        stop.run();

        assertThat(troubles).isEmpty();
    }

    private Runnable observe() {
        Runnable stop = session.observe("config", new TreeListener() {
            @Override
            public void snapshot(List<Item> all, Position at) {
                told.add("snapshot");
            }

            @Override
            public void changed(List<Item> put, List<RecordKey> deleted, long revision) {
                told.add("changed");
            }

            @Override
            public void interrupted() {
                told.add("interrupted");
            }

            @Override
            public void resumed() {
                told.add("resumed");
            }
        });
        loop.run();
        return stop;
    }

    private final class Troubles extends NoListener {

        @Override
        public void troubled(String what, String why) {
            if (!troubles.contains(what)) {
                troubles.add(what);
            }
        }

        @Override
        public void resolved(String what) {
            troubles.remove(what);
            resolved.add(what);
        }
    }
}
