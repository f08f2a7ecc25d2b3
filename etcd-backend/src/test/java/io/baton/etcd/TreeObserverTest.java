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

    private final HandGround context = new HandGround();
    private final PrefixWatches observers = new PrefixWatches(context);
    private final List<String> told = new ArrayList<>();
    private final List<Position> positions = new ArrayList<>();
    private boolean breaks;
    private boolean interrupted;

    @Override
    public void interrupted() {
        interrupted = true;
    }

    @Override
    public void resumed() {
        interrupted = false;
    }

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
        assertThat(context.asked()).containsExactly("read /app/tck/*");

        context.answer(100, part(kv("/app/tck/a", "one", 5, 9)));

        assertThat(told).containsExactly("all [a=one@9]");
        assertThat(context.watch().from).isEqualTo(100);
    }

    @Test
    void observe_keysThatAreNoRecords_areLeftOut() {
        observe();
        context.answer(
                100, part(kv("/app/tck/a", "one", 5, 9), kv("/app/tck/b/c", "", 5, 9), kv("/app/tck/", "", 5, 9)));
        context.watch()
                .tell(put("/app/tck/d%2f", "", 101), put("/app/tck/e%2F", "two", 101), put("/app/tck/f/g", "", 102));

        assertThat(told).containsExactly("all [a=one@9]", "[e/=two@101] gone []");
    }

    @Test
    void observe_positions_areThoseOfTheSnapshotsFirstPageAndOfTheEvents() {
        observe();
        context.answer(100, new EtcdWire.Part(List.of(kv("/app/tck/a", "one", 5, 9)), 2));
        context.answer(107, part(kv("/app/tck/b", "two", 6, 8)));
        assertThat(context.watch().from).isEqualTo(100);

        context.watch().tell(put("/app/tck/a", "two", 103), put("/app/tck/a", "three", 109));

        assertThat(positions).containsExactly(new Position("1", 100), new Position("", 103), new Position("", 109));
    }

    @Test
    void snapshot_compactedBetweenItsPages_isTakenAnew() {
        observe();
        context.answer(100, new EtcdWire.Part(List.of(kv("/app/tck/a", "one", 5, 9)), 2));
        context.fail(Code.COMPACTED, "compacted");
        context.pass(Duration.ofSeconds(1));
        assertThat(context.asked()).containsExactly("read /app/tck/*");
        context.answer(200, part(kv("/app/tck/b", "two", 150, 150)));

        assertThat(told).containsExactly("all [b=two@150]");
        assertThat(positions).containsExactly(new Position("1", 200));
    }

    @Test
    void events_ofOneRevision_areToldAtOnceAndInOrder() {
        live();

        context.watch()
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
        context.watch().tell(put("/app/tck/a", "one", 103));

        context.watch().tell(put("/app/tck/a", "one", 103), put("/app/tck/a", "two", 104));

        assertThat(told).containsExactly("[a=one@103] gone []", "[a=two@104] gone []");
    }

    @Test
    void ended_lost_goesOnFromTheLastEvent() {
        live();
        context.watch().tell(put("/app/tck/a", "one", 103));
        context.lose();

        reconnect();

        assertThat(context.asked()).isEmpty();
        assertThat(context.watch().from).isEqualTo(103);
        assertThat(context.watching()).isEqualTo(1);
        context.watch().tell(put("/app/tck/a", "one", 103), gone("/app/tck/a", 104));
        assertThat(told).containsExactly("[a=one@103] gone []", "[] gone [a]");
    }

    @Test
    void ended_lostBeforeAnyEvent_goesOnFromTheSnapshotWhateverHeadersSay() {
        live();
        context.watch().to.created(HandGround.header(5_000));
        context.watch().tell();
        context.lose();

        reconnect();

        assertThat(context.watch().from).isEqualTo(100);
    }

    @Test
    void ended_noRecordInTheLastEvent_goesOnFromIt() {
        live();
        context.watch().tell(put("/app/tck/f/g", "", 108));
        context.lose();

        reconnect();

        assertThat(context.watch().from).isEqualTo(108);
        assertThat(told).isEmpty();
    }

    @Test
    void ended_lostInContact_isWatchedAgainOnce() {
        live();

        context.watch().end(Code.LOST);
        observers.connected();
        context.pass(Duration.ofSeconds(1));

        assertThat(context.watches).hasSize(2);
        assertThat(context.watching()).isEqualTo(1);
        assertThat(context.watch().from).isEqualTo(100);
    }

    @Test
    void connected_watching_opensNoSecondWatch() {
        live();

        observers.connected();
        context.pass(Duration.ofSeconds(1));

        assertThat(context.watches).hasSize(1);
        assertThat(context.asked()).isEmpty();
    }

    @Test
    void ended_stillHeardLater_isNotHeard() {
        live();
        var former = context.watch();
        context.lose();
        reconnect();

        former.tell(put("/app/tck/a", "late", 150));
        former.end(Code.LOST);
        context.pass(Duration.ofSeconds(1));

        assertThat(told).isEmpty();
        assertThat(context.watches).hasSize(2);
    }

    @Test
    void ended_compacted_startsAnewWithASnapshot() {
        live();

        context.watch().end(Code.COMPACTED);
        context.pass(Duration.ofSeconds(1));
        assertThat(context.asked()).containsExactly("read /app/tck/*");
        context.answer(200, part(kv("/app/tck/b", "two", 150, 150)));

        assertThat(told).containsExactly("all [b=two@150]");
        assertThat(context.watch().from).isEqualTo(200);
    }

    @Test
    void ended_compactedAgainAndAgain_isNotTriedInAHurry() {
        live();
        int tries = 0;
        for (int i = 0; i < 1_000; i++) {
            if (context.watching() == 1) {
                context.watch().end(Code.COMPACTED);
                tries++;
            }
            context.pass(Duration.ofMillis(1));
            if (!context.asked().isEmpty()) {
                context.answer(200 + i, part());
            }
        }

        assertThat(tries).isBetween(3, 50);
    }

    @Test
    void distrusted_whileTheSnapshotIsRead_readsOn() {
        var tree = new TreeObserver(context, "tck", this);
        observers.add(tree.watch());
        context.answer(100, new EtcdWire.Part(List.of(kv("/app/tck/a", "one", 5, 9)), 2));

        tree.watch().distrust();
        assertThat(context.asked()).containsExactly("read /app/tck/* after a at 100");
        context.answer(107, part(kv("/app/tck/b", "two", 6, 8)));
        tree.watch().distrust();
        tree.watch().distrust();

        assertThat(told).containsExactly("all [a=one@9, b=two@8]");
        assertThat(context.asked()).containsExactly("read /app/tck/*");
    }

    @Test
    void snapshot_lost_isTakenAgain() {
        observe();
        context.lose();

        reconnect();

        assertThat(context.asked()).containsExactly("read /app/tck/*");
        context.answer(100, part());
        assertThat(told).containsExactly("all []");
    }

    @Test
    void watch_denied_isInterruptedUntilItIsWatchedAgain() {
        live();
        context.watch().end(Code.DENIED);
        assertThat(interrupted).isTrue();

        context.pass(Duration.ofSeconds(1));
        assertThat(interrupted).isTrue();
        context.answer(200, part());
        context.watch().to.created(HandGround.header(200));

        assertThat(interrupted).isFalse();
    }

    @Test
    void snapshot_denied_isTriedAgain() {
        observe();

        context.fail(Code.DENIED, "permission denied");
        context.pass(Duration.ofSeconds(1));

        assertThat(context.asked()).containsExactly("read /app/tck/*");
    }

    @Test
    void closed_watching_isToldNothingMore() {
        Runnable close = observe();
        context.answer(100, part());
        told.clear();

        close.run();
        context.watch().tell(put("/app/tck/a", "late", 101));
        observers.connected();

        assertThat(context.watching()).isZero();
        assertThat(context.asked()).isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    void closed_reading_isToldNothing() {
        Runnable close = observe();

        close.run();
        context.answer(100, part());

        assertThat(told).isEmpty();
        assertThat(context.watches).isEmpty();
    }

    @Test
    void changed_observerThrows_isToldTheRestAllTheSame() {
        live();
        breaks = true;

        assertThatThrownBy(() -> context.watch().tell(put("/app/tck/a", "one", 101), put("/app/tck/a", "two", 102)))
                .isInstanceOf(IllegalStateException.class);

        assertThat(told).containsExactly("[a=one@101] gone []", "[a=two@102] gone []");
    }

    /** As where a stream is cut right after its first message, again and again. */
    @Test
    void watch_endsEachTimeAfterWhatWasToldBefore_isOpenedAgainAfterGrowingPauses() {
        live();
        context.watch().tell(put("/app/tck/a", "one", 101));
        for (int i = 0; i < 50; i++) {
            context.watch().tell(put("/app/tck/a", "one", 101));
            context.watch().end(Code.LOST);
            context.pass(Duration.ofMillis(10));
        }
        int watches = context.watches.size();
        assertThat(watches).isLessThan(20);

        context.pass(Duration.ofSeconds(2));
        context.watch().tell(put("/app/tck/a", "two", 102));
        context.watch().end(Code.LOST);
        context.pass(Duration.ZERO);
        assertThat(context.watching()).isOne();
    }

    private Runnable observe() {
        return observers.add(new TreeObserver(context, "tck", this).watch());
    }

    /** Observes from revision 100 on. */
    private void live() {
        observe();
        context.answer(100, part());
        told.clear();
    }

    private void reconnect() {
        context.pass(Duration.ofSeconds(1));
        context.connect();
        observers.connected();
    }

    private static String texts(List<Item> items) {
        return items.stream()
                .map(item -> item.key().name() + "=" + item.text() + "@" + item.revision())
                .toList()
                .toString();
    }
}
