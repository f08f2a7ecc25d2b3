package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.spi.Claim;
import io.baton.spi.Line;
import io.baton.spi.support.Downgrades;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A reader's place behind writers, of which one is downgraded, answer by answer. */
class ReaderPlaceTest {

    private static final String LINE = "/app/rwlocks/orders/";
    private static final String FIRST = LINE + "w/7-bb";
    private static final String SECOND = LINE + "w/7-aa";

    private final HandSession at = new HandSession();
    private LinePlace reader;

    @BeforeEach
    void join() {
        reader = (LinePlace) at.session.join(
                Line.of("rwlocks/orders", Line.Kind.READ_WRITE), Claim.SHARED, new byte[0], new NotedStanding(at.told));
    }

    @Test
    void join_asReader_readsTheWritersWithTheirValues() {
        assertThat(at.wire.asked())
                .singleElement()
                .asString()
                .contains("put " + LINE + "r/4d-")
                .contains("read " + LINE + "w/* newest");
    }

    /** A watch that only reports deletions would never tell of it. */
    @Test
    void downgrade_ofTheOneAhead_isToldAndRead() {
        behind(kv(SECOND, 15));
        assertThat(at.wire.watch().range.values()).isTrue();

        at.wire.watch().tell(new Event(SECOND, false, Downgrades.mark(new byte[0]), 15, 22));
        at.listed(20, 22, marked(SECOND, 15));

        assertThat(at.told).containsExactly("waits", "clear 20");
    }

    @Test
    void downgrade_ofOneBehindWhichAnotherWriterWaits_isNotEnough() {
        behind(kv(SECOND, 17), kv(FIRST, 15));

        at.wire.watch().tell(new Event(SECOND, false, new byte[0], 17, 22)); // moved to another lease
        at.listed(20, 22, kv(SECOND, 17), marked(FIRST, 15));

        assertThat(at.told).containsExactly("waits");
    }

    @Test
    void audit_theOneAheadHasGoneUntold_isCountedAndRead() {
        behind(kv(SECOND, 15));

        reader.entriesAhead().audit(Map.of(reader.key(), 20L));
        at.listed(20, 22);

        assertThat(at.session.lostEvents().count()).isEqualTo(1);
        assertThat(at.told).containsExactly("waits", "clear 20");
    }

    /** A join's answer shows these ahead, and the watch is set. */
    private void behind(Kv... ahead) {
        at.wire.answer(20, HandWire.part(), HandWire.part(ahead));
        at.wire.watch().create();
        at.listed(20, 21, ahead);
        assertThat(at.told).containsExactly("waits");
        assertThat(at.wire.asked()).isEmpty();
    }

    private static Kv kv(String key, long created) {
        return HandWire.kv(key, "", created, created);
    }

    private static Kv marked(String key, long created) {
        return new Kv(key, Downgrades.mark(new byte[0]), created, 22, 0);
    }
}
