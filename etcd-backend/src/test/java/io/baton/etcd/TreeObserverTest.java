package io.baton.etcd;

import static io.baton.etcd.HandGround.gone;
import static io.baton.etcd.HandGround.kv;
import static io.baton.etcd.HandGround.part;
import static io.baton.etcd.HandGround.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.spi.TreeListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TreeObserverTest implements TreeListener {

    private final HandGround ground = new HandGround();
    private final PrefixWatches observers = new PrefixWatches(ground);
    private final List<String> told = new ArrayList<>();
    private final List<Position> positions = new ArrayList<>();
    private boolean breaks;

    @Override
    public void snapshot(List<Item> all, Position at) {
        told.add("all " + texts(all));
        positions.add(at);
    }

    @Override
    public void changed(List<Item> put, List<RecordKey> gone, long revision) {
        positions.add(new Position("", revision));
        told.add(texts(put) + " gone " + gone.stream().map(RecordKey::name).toList());
        if (breaks) {
            throw new IllegalStateException("broken on purpose");
        }
    }

    @Test
    void observe_start_readsAndWatchesFromThatRevision() {
        observe();
        assertThat(ground.asked()).containsExactly("read /app/tck/*");

        ground.answer(100, part(kv("/app/tck/a", "one", 5, 9)));

        assertThat(told).containsExactly("all [a=one@9]");
        assertThat(ground.watch().from).isEqualTo(100);
    }

    @Test
    void observe_keysThatAreNoRecords_areLeftOut() {
        observe();
        ground.answer(
                100, part(kv("/app/tck/a", "one", 5, 9), kv("/app/tck/b/c", "", 5, 9), kv("/app/tck/", "", 5, 9)));
        ground.watch()
                .tell(put("/app/tck/d%2f", "", 101), put("/app/tck/e%2F", "two", 101), put("/app/tck/f/g", "", 102));

        assertThat(told).containsExactly("all [a=one@9]", "[e/=two@101] gone []");
    }

    @Test
    void observe_positions_areThoseOfTheSnapshotsFirstPageAndOfTheEvents() {
        observe();
        ground.answer(100, new EtcdWire.Part(List.of(kv("/app/tck/a", "one", 5, 9)), 2));
        ground.answer(107, part(kv("/app/tck/b", "two", 6, 8)));
        assertThat(ground.watch().from).isEqualTo(100);

        ground.watch().tell(put("/app/tck/a", "two", 103), put("/app/tck/a", "three", 109));

        assertThat(positions).containsExactly(new Position("1", 100), new Position("", 103), new Position("", 109));
    }

    @Test
    void snapshot_compactedBetweenItsPages_isTakenAnew() {
        observe();
        ground.answer(100, new EtcdWire.Part(List.of(kv("/app/tck/a", "one", 5, 9)), 2));
        ground.fail(Code.COMPACTED, "compacted");
        ground.pass(Duration.ofSeconds(1));
        assertThat(ground.asked()).containsExactly("read /app/tck/*");
        ground.answer(200, part(kv("/app/tck/b", "two", 150, 150)));

        assertThat(told).containsExactly("all [b=two@150]");
        assertThat(positions).containsExactly(new Position("1", 200));
    }

    @Test
    void events_ofOneRevision_areToldAtOnceAndInOrder() {
        live();

        ground.watch()
                .tell(
                        put("/app/tck/a", "one", 101),
                        gone("/app/tck/b", 101),
                        put("/app/tck/a", "two", 103),
                        put("/app/tck/c", "three", 104));

        assertThat(told).containsExactly("[a=one@101] gone [b]", "[a=two@103] gone []", "[c=three@104] gone []");
    }

    @Test
    void events_toldBefore_areNotToldAgain() {
        live();
        ground.watch().tell(put("/app/tck/a", "one", 103));

        ground.watch().tell(put("/app/tck/a", "one", 103), put("/app/tck/a", "two", 104));

        assertThat(told).containsExactly("[a=one@103] gone []", "[a=two@104] gone []");
    }

    @Test
    void ended_lost_goesOnFromTheLastEvent() {
        live();
        ground.watch().tell(put("/app/tck/a", "one", 103));
        ground.lose();

        reconnect();

        assertThat(ground.asked()).isEmpty();
        assertThat(ground.watch().from).isEqualTo(103);
        assertThat(ground.watching()).isEqualTo(1);
        ground.watch().tell(put("/app/tck/a", "one", 103), gone("/app/tck/a", 104));
        assertThat(told).containsExactly("[a=one@103] gone []", "[] gone [a]");
    }

    @Test
    void ended_lostBeforeAnyEvent_goesOnFromTheSnapshotWhateverHeadersSay() {
        live();
        ground.watch().to.created(HandGround.header(5_000));
        ground.watch().tell();
        ground.lose();

        reconnect();

        assertThat(ground.watch().from).isEqualTo(100);
    }

    @Test
    void ended_noRecordInTheLastEvent_goesOnFromIt() {
        live();
        ground.watch().tell(put("/app/tck/f/g", "", 108));
        ground.lose();

        reconnect();

        assertThat(ground.watch().from).isEqualTo(108);
        assertThat(told).isEmpty();
    }

    @Test
    void ended_lostInContact_isWatchedAgainOnce() {
        live();

        ground.watch().end(Code.LOST);
        observers.connected();
        ground.pass(Duration.ofSeconds(1));

        assertThat(ground.watches).hasSize(2);
        assertThat(ground.watching()).isEqualTo(1);
        assertThat(ground.watch().from).isEqualTo(100);
    }

    @Test
    void connected_watching_opensNoSecondWatch() {
        live();

        observers.connected();
        ground.pass(Duration.ofSeconds(1));

        assertThat(ground.watches).hasSize(1);
        assertThat(ground.asked()).isEmpty();
    }

    @Test
    void ended_stillHeardLater_isNotHeard() {
        live();
        var former = ground.watch();
        ground.lose();
        reconnect();

        former.tell(put("/app/tck/a", "late", 150));
        former.end(Code.LOST);
        ground.pass(Duration.ofSeconds(1));

        assertThat(told).isEmpty();
        assertThat(ground.watches).hasSize(2);
    }

    @Test
    void ended_compacted_startsAnewWithASnapshot() {
        live();

        ground.watch().end(Code.COMPACTED);
        ground.pass(Duration.ofSeconds(1));
        assertThat(ground.asked()).containsExactly("read /app/tck/*");
        ground.answer(200, part(kv("/app/tck/b", "two", 150, 150)));

        assertThat(told).containsExactly("all [b=two@150]");
        assertThat(ground.watch().from).isEqualTo(200);
    }

    @Test
    void ended_compactedAgainAndAgain_isNotTriedInAHurry() {
        live();
        int tries = 0;
        for (int i = 0; i < 1_000; i++) {
            if (ground.watching() == 1) {
                ground.watch().end(Code.COMPACTED);
                tries++;
            }
            ground.pass(Duration.ofMillis(1));
            if (!ground.asked().isEmpty()) {
                ground.answer(200 + i, part());
            }
        }

        assertThat(tries).isBetween(3, 50);
    }

    @Test
    void distrusted_whileTheSnapshotIsRead_readsOn() {
        var tree = new TreeObserver(ground, "tck", this);
        observers.add(tree.watch());
        ground.answer(100, new EtcdWire.Part(List.of(kv("/app/tck/a", "one", 5, 9)), 2));

        tree.watch().distrust();
        assertThat(ground.asked()).containsExactly("read /app/tck/* after a at 100");
        ground.answer(107, part(kv("/app/tck/b", "two", 6, 8)));
        tree.watch().distrust();
        tree.watch().distrust();

        assertThat(told).containsExactly("all [a=one@9, b=two@8]");
        assertThat(ground.asked()).containsExactly("read /app/tck/*");
    }

    @Test
    void snapshot_lost_isTakenAgain() {
        observe();
        ground.lose();

        reconnect();

        assertThat(ground.asked()).containsExactly("read /app/tck/*");
        ground.answer(100, part());
        assertThat(told).containsExactly("all []");
    }

    @Test
    void snapshot_denied_isTriedAgain() {
        observe();

        ground.fail(Code.DENIED, "permission denied");
        ground.pass(Duration.ofSeconds(1));

        assertThat(ground.asked()).containsExactly("read /app/tck/*");
    }

    @Test
    void closed_watching_isToldNothingMore() {
        Runnable close = observe();
        ground.answer(100, part());
        told.clear();

        close.run();
        ground.watch().tell(put("/app/tck/a", "late", 101));
        observers.connected();

        assertThat(ground.watching()).isZero();
        assertThat(ground.asked()).isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    void closed_reading_isToldNothing() {
        Runnable close = observe();

        close.run();
        ground.answer(100, part());

        assertThat(told).isEmpty();
        assertThat(ground.watches).isEmpty();
    }

    @Test
    void changed_observerThrows_isToldTheRestAllTheSame() {
        live();
        breaks = true;

        assertThatThrownBy(() -> ground.watch().tell(put("/app/tck/a", "one", 101), put("/app/tck/a", "two", 102)))
                .isInstanceOf(IllegalStateException.class);

        assertThat(told).containsExactly("[a=one@101] gone []", "[a=two@102] gone []");
    }

    private Runnable observe() {
        return observers.add(new TreeObserver(ground, "tck", this).watch());
    }

    /** Observes from revision 100 on. */
    private void live() {
        observe();
        ground.answer(100, part());
        told.clear();
    }

    private void reconnect() {
        ground.pass(Duration.ofSeconds(1));
        ground.connect();
        observers.connected();
    }

    private static String texts(List<Item> items) {
        return items.stream()
                .map(item -> item.key().name() + "=" + item.text() + "@" + item.revision())
                .toList()
                .toString();
    }
}
