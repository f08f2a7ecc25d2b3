package io.baton.etcd;

import static io.baton.etcd.HandWire.kv;
import static io.baton.etcd.HandWire.part;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.etcd.EtcdWire.Fault;
import io.baton.etcd.EtcdWire.Lease;
import io.baton.etcd.EtcdWire.Part;
import io.baton.spi.Line;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lines that are observed, as a session looks at them now and then. Places have theirs in {@link LinePlaceTest}. */
class AuditTest {

    private static final String LINE = "/app/elections/boss/";

    private final HandWire wire = new HandWire();
    private final List<Long> told = new ArrayList<>();
    private EtcdWire.Events events;
    private EtcdSession session;

    @BeforeEach
    void connect() {
        Duration ttl = Duration.ofSeconds(4);
        session = new EtcdSession(
                EtcdAddress.parse(URI.create("etcd://nowhere/app")),
                new SessionSpec(ttl, "test"),
                Timing.of(ttl),
                wire,
                (patience, to) -> {
                    events = to;
                    return wire;
                },
                new Deaf());
        events.connected();
        wire.grants.remove().accept(Fault.NONE, new Lease(HandWire.header(9), HandWire.LEASE, ttl));
        wire.answer(10, part());
    }

    @Test
    void look_eventNeverCame_theSecondOneHasTheLineReadAnew() {
        observe();

        look(110, part(kv(LINE + "b", "", 7, 7)));
        assertThat(told).containsExactly(5L);
        look(120, part(kv(LINE + "b", "", 7, 7)));
        assertThat(wire.asked()).containsExactly("read " + LINE + "*");
        wire.answer(121, part(kv(LINE + "b", "b", 7, 7)));

        assertThat(told).containsExactly(5L, 7L);
    }

    @Test
    void look_twoObserve_isOneRead() {
        observe();
        observe();

        awaitLook();

        assertThat(wire.asked()).containsExactly("look at " + LINE + "*");
    }

    @Test
    void look_nobodyObservesAnyMore_isNotMade() {
        observe().run();

        wire.pass(Duration.ofMinutes(2));

        assertThat(wire.asked()).isEmpty();
    }

    private Runnable observe() {
        Runnable end = session.observe(
                Line.of("elections/boss"), first -> told.add(first.orElseThrow().token()));
        wire.answer(100, part(kv(LINE + "a", "a", 5, 5), kv(LINE + "b", "b", 7, 7)));
        return end;
    }

    private void look(long revision, Part found) {
        awaitLook();
        wire.answer(revision, found);
    }

    /** Within the longest time between two. */
    private void awaitLook() {
        for (int second = 0; second < 45 && wire.asked().isEmpty(); second++) {
            wire.pass(Duration.ofSeconds(1));
        }
        assertThat(wire.asked()).containsExactly("look at " + LINE + "*");
    }

    private static final class Deaf implements SessionListener {
        @Override
        public void connected() {}

        @Override
        public void suspended() {}

        @Override
        public void proven() {}

        @Override
        public void lost(CoordinationException why) {}
    }
}
