package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.wire.EtcdAddress;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Lease;
import io.baton.etcd.wire.EtcdWire.Part;
import io.baton.spi.Line;
import io.baton.spi.Place;
import io.baton.spi.SessionSpec;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A session that waits behind the same peer again and again, in a line that is too long to be followed. */
class PredecessorWatchCacheTest {

    private static final String LINE = "/app/locks/orders/";
    private static final String OWN = "/app/.sessions/4d";
    private static final String AHEAD = LINE + "7-aa";
    private static final String OTHER = LINE + "7-bb";
    private static final String FURTHER = LINE + "7-zz";
    private static final Duration TTL = Duration.ofSeconds(4);

    /** Too many to follow. */
    private static final int CROWD = 100;

    private final HandWire wire = new HandWire();
    private final List<String> told = new ArrayList<>();
    private EtcdWire.Events events;
    private EtcdSession session;
    private Place place;

    @BeforeEach
    void inContact() {
        wire.watchHeader = 10;
        session = new EtcdSession(
                EtcdAddress.parse(URI.create("etcd://nowhere/app")),
                new SessionSpec(TTL, "test"),
                Timing.of(TTL),
                wire,
                (patience, to) -> {
                    events = to;
                    return wire;
                },
                new DeafListener());
        events.connected();
        wire.grants.remove().accept(Fault.NONE, new Lease(HandWire.header(9), HandWire.LEASE, TTL));
        wire.answer(10, part());
    }

    @Test
    void join_behindTheSameOneAgain_needsNeitherWatchNorRead() {
        HandWire.HandWatch kept = kept();

        join();
        joined(50, kv(AHEAD, 45));
        assertThat(wire.watching()).isOne();
        assertThat(wire.asked()).isEmpty();

        kept.tell(HandWire.gone(AHEAD, 51));
        assertThat(told).containsExactly("waits");
        listed(50, 51);
        assertThat(told).containsExactly("waits", "clear 50");
        assertThat(wire.watching()).isOne();
    }

    @Test
    void join_goneAfterItAndToldBeforeItsAnswer_readsAtOnce() {
        HandWire.HandWatch kept = kept();

        join();
        kept.tell(HandWire.gone(AHEAD, 51));
        joined(50, kv(AHEAD, 45));
        listed(50, 51);

        assertThat(told).containsExactly("waits", "clear 50");
    }

    @Test
    void join_anOlderEntryWentBeforeItAndThatIsToldLate_isStillAhead() {
        HandWire.HandWatch kept = kept();

        join();
        joined(50, kv(AHEAD, 45));
        kept.tell(HandWire.gone(AHEAD, 44));
        assertThat(wire.asked()).isEmpty();

        kept.tell(HandWire.gone(AHEAD, 51));
        listed(50, 51);
        assertThat(told).containsExactly("waits", "clear 50");
    }

    @Test
    void join_behindAnother_watchesThatOneAndConfirmsByARead() {
        kept();

        join();
        joined(50, kv(OTHER, 45));

        assertThat(wire.watch().range.key()).isEqualTo(OTHER);
        wire.watch().create();
        assertThat(wire.asked()).singleElement().asString().contains("newest");
    }

    @Test
    void kept_anotherWaitedBehindSince_isReplaced() {
        HandWire.HandWatch kept = kept();

        wait(50, OTHER);

        assertThat(kept.over).isTrue();
        assertThat(wire.watching()).isOne();
    }

    @Test
    void kept_contactBroken_isNotReliedOn() {
        kept();
        events.disconnected("broken by hand");
        wire.lose();
        events.connected();
        wire.answer(49, own());
        assertThat(wire.watching()).isZero();

        join();
        joined(50, kv(AHEAD, 45));

        assertThat(wire.watching()).isOne();
        assertThat(wire.watch().range.key()).isEqualTo(AHEAD);
    }

    @Test
    void kept_nobodyWaitsForLong_isClosed() {
        HandWire.HandWatch kept = kept();

        for (int i = 0; i < 8; i++) {
            kept.tell(HandWire.gone(AHEAD, 50 + i));
        }
        assertThat(wire.watching()).isOne();
        kept.tell(HandWire.gone(AHEAD, 60));

        assertThat(wire.watching()).isZero();
    }

    @Test
    void watch_ofALineThatIsUsedSeldom_isNotKept() {
        wait(20, AHEAD);
        assertThat(wire.watching()).isZero();
        wire.pass(TTL);
        wait(30, AHEAD);

        assertThat(wire.watching()).isZero();
    }

    @Test
    void kept_inMoreLinesThanAreRemembered_thatOfTheOldestIsClosed() {
        var watches = new PredecessorWatchCache(session);
        for (int line = 0; line < 65; line++) {
            for (int twice = 0; twice < 2; twice++) {
                watches.add(line + "/", PredecessorWatch.on(wire, kv(line + "/7-aa", 5), new Heedless()));
            }
        }

        assertThat(watches.take("0/", kv("0/7-aa", 5))).isEmpty();
        assertThat(watches.take("1/", kv("1/7-aa", 5))).isPresent();
        assertThat(wire.watching()).isEqualTo(64);
    }

    /** The watch that is left when two waits behind the same one are over. */
    private HandWire.HandWatch kept() {
        wait(20, AHEAD);
        wait(30, AHEAD);
        assertThat(wire.watching()).isOne();
        told.clear();
        return wire.watch();
    }

    /** Joins, waits for this one, is clear, and leaves. */
    private void wait(long created, String ahead) {
        join();
        joined(created, kv(ahead, created - 5));
        HandWire.HandWatch watch = wire.watch();
        watch.create();
        listed(created, created, kv(ahead, created - 5), kv(FURTHER, 3), kv(FURTHER + "z", 2), kv(FURTHER + "zz", 1));
        watch.tell(HandWire.gone(ahead, created + 1));
        listed(created, created + 1);
        assertThat(told).endsWith("clear " + created);
        place.leave();
        wire.pass(Duration.ZERO);
        wire.answer(created + 2, part());
    }

    private void join() {
        place = session.join(Line.of("locks/orders"), new byte[0], new NotedStanding(told));
    }

    private void joined(long revision, Kv ahead) {
        var line = List.of(
                kv(LINE + "4d-x", revision), ahead, kv(FURTHER, 3), kv(FURTHER + "z", 2), kv(FURTHER + "zz", 1));
        wire.answer(revision, part(), new Part(line, CROWD));
    }

    private void listed(long token, long revision, Kv... ahead) {
        wire.answer(revision, own(), part(kv(LINE + "4d-x", token)), part(ahead));
    }

    private static Part own() {
        return part(new Kv(OWN, new byte[0], 10, 10, HandWire.LEASE));
    }

    private static Part part(Kv... kvs) {
        return HandWire.part(kvs);
    }

    private static Kv kv(String key, long created) {
        return HandWire.kv(key, "", created, created);
    }

    private static final class Heedless implements PredecessorWatch.Waiter {
        @Override
        public void armed() {}

        @Override
        public void predecessorRemoved() {}

        @Override
        public void predecessorWritten() {}

        @Override
        public void unwatched() {}
    }
}
