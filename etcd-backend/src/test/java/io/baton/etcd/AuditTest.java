package io.baton.etcd;

import static io.baton.etcd.HandWire.kv;
import static io.baton.etcd.HandWire.part;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.etcd.wire.EtcdAddress;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Lease;
import io.baton.etcd.wire.EtcdWire.Part;
import io.baton.spi.Line;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.spi.TreeListener;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lines and records that are observed, as a session looks at them now and then. Places have theirs in {@link LinePlaceTest}. */
class AuditTest {

    private static final String LINE = "/app/elections/boss/";
    private static final String SECOND = "/app/elections/second/";
    private static final String TREE = "/app/shop/";
    private static final String THIRD = "/app/elections/third/";

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

    @Test
    void look_severalLinesObserved_eachIsComparedWithItsOwn() {
        observe();
        observe("second", kv(SECOND + "c", "c", 9, 9));
        observe("third", kv(THIRD + "d", "d", 10, 10));

        for (int look = 0; look < 3; look++) {
            awaitAnyLook();
            assertThat(wire.asked())
                    .containsExactly("look at " + LINE + "*", "look at " + SECOND + "*", "look at " + THIRD + "*");
            wire.answer(110 + look, part(kv(LINE + "a", "", 5, 5), kv(LINE + "b", "", 7, 7)));
            wire.answer(110 + look, part(kv(SECOND + "c", "", 9, 9)));
            wire.answer(110 + look, part(kv(THIRD + "d", "", 10, 10)));
            assertThat(wire.asked()).isEmpty();
        }

        assertThat(told).containsExactly(5L, 9L, 10L);
    }

    @Test
    void look_serverIsSlow_noRoundIsQueuedBehindAnother() {
        int many = 200;
        for (int i = 0; i < many; i++) {
            Runnable ignored = observe("line-" + i, kv("/app/elections/line-" + i + "/a", "a", 5, 5));
        }
        for (int second = 0; second < 600; second++) {
            wire.pass(Duration.ofSeconds(1));
            wire.asked().stream().findFirst().ifPresent(oldest -> {
                String line = oldest.substring("look at ".length(), oldest.length() - 1);
                wire.answer(200, part(kv(line + "a", "", 5, 5)));
            });
        }

        assertThat(session.window().queued()).isBetween(1, many);
    }

    @Test
    void look_recordsEventNeverCame_theSecondOneHasTheTreeReadAnew() {
        List<String> records = observeRecords();

        awaitAnyLook();
        assertThat(wire.asked()).containsExactly("look at " + TREE + "*");
        wire.answer(110, part(kv(TREE + "a", "", 5, 5), kv(TREE + "b", "", 105, 105)));
        awaitAnyLook();
        wire.answer(120, part(kv(TREE + "a", "", 5, 5), kv(TREE + "b", "", 105, 105)));
        assertThat(wire.asked()).containsExactly("read " + TREE + "*");
        wire.answer(121, part(kv(TREE + "a", "a", 5, 5), kv(TREE + "b", "b", 105, 105)));

        assertThat(records).containsExactly("[a] at 100 in 1", "[a, b] at 121 in 1");
    }

    @Test
    void look_recordsAsKnown_readsNothingElse() {
        List<String> records = observeRecords();
        for (int look = 0; look < 3; look++) {
            awaitAnyLook();
            wire.answer(110 + look, part(kv(TREE + "a", "", 5, 5)));
            assertThat(wire.asked()).isEmpty();
        }

        assertThat(records).hasSize(1);
    }

    private List<String> observeRecords() {
        List<String> records = new ArrayList<>();
        session.observe("shop", new TreeListener() {
            @Override
            public void snapshot(List<Item> all, Position at) {
                records.add(all.stream().map(item -> item.key().name()).toList() + " at " + at.revision() + " in "
                        + at.history());
            }

            @Override
            public void changed(List<Item> put, List<RecordKey> gone, long revision) {
                records.add("changed at " + revision);
            }
        });
        wire.answer(100, part(kv(TREE + "a", "a", 5, 5)));
        return records;
    }

    private Runnable observe() {
        return observe("boss", kv(LINE + "a", "a", 5, 5), kv(LINE + "b", "b", 7, 7));
    }

    private Runnable observe(String election, EtcdWire.Kv... line) {
        Runnable end = session.observe(
                Line.of("elections/" + election),
                first -> told.add(first.orElseThrow().token()));
        wire.answer(100, part(line));
        return end;
    }

    private void look(long revision, Part found) {
        awaitLook();
        wire.answer(revision, found);
    }

    private void awaitLook() {
        awaitAnyLook();
        assertThat(wire.asked()).containsExactly("look at " + LINE + "*");
    }

    /** Within the longest time between two. */
    private void awaitAnyLook() {
        for (int second = 0; second < 45 && wire.asked().isEmpty(); second++) {
            wire.pass(Duration.ofSeconds(1));
        }
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
