package io.baton.etcd;

import static io.baton.etcd.HandGround.gone;
import static io.baton.etcd.HandGround.kv;
import static io.baton.etcd.HandGround.part;
import static io.baton.etcd.HandGround.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.spi.Line;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who stands first in a line, answer by answer and event by event. */
class HeadObservationTest {

    private static final String A = "/app/elections/boss/a";
    private static final String B = "/app/elections/boss/b";
    private static final String C = "/app/elections/boss/c";

    private final HandGround context = new HandGround();
    private final PrefixWatches watches = new PrefixWatches(context);
    private final List<String> told = new ArrayList<>();
    private HeadObservation head;

    @Test
    void observe_start_readsTheLineOnceAndWatchesFromThere() {
        observe();
        assertThat(context.asked()).containsExactly("read /app/elections/boss/*");

        context.answer(100, part(kv(B, "b", 7, 7), kv(A, "a", 5, 9)));

        assertThat(told).containsExactly("5 a");
        assertThat(context.watch().from).isEqualTo(100);
    }

    @Test
    void observe_emptyLine_isNobodyAndTheFirstToComeIsTold() {
        observe();
        context.answer(100, part());
        context.watch().tell(put(A, "a", 101));

        assertThat(told).containsExactly("nobody", "101 a");
    }

    @Test
    void deleted_first_isTheNextWithoutAnyRequest() {
        begin();
        int before = context.asked().size();

        context.watch().tell(gone(A, 101));
        context.watch().tell(gone(B, 102));

        assertThat(told).containsExactly("5 a", "7 b", "nobody");
        assertThat(context.asked()).hasSize(before);
    }

    @Test
    void changed_severalInOneRevision_isToldOnce() {
        begin();
        context.watch().tell(put(C, "c", 101));
        context.watch().tell(gone(A, 102), gone(B, 102));

        assertThat(told).containsExactly("5 a", "101 c");
    }

    @Test
    void deleted_keyComesAgainBehind_isAnotherEntry() {
        begin();
        context.watch().tell(gone(A, 101));
        context.watch().tell(put(A, "a", 102));
        context.watch().tell(gone(B, 103));

        assertThat(told).containsExactly("5 a", "7 b", "102 a");
    }

    @Test
    void written_movedToAnotherLease_isNotToldAgain() {
        begin();
        context.watch().tell(new Event(A, false, "a".getBytes(StandardCharsets.UTF_8), 5, 101));

        assertThat(told).containsExactly("5 a");
    }

    @Test
    void written_firstSaysSomethingElse_isTold() {
        begin();
        context.watch().tell(new Event(A, false, "z".getBytes(StandardCharsets.UTF_8), 5, 101));

        assertThat(told).containsExactly("5 a", "5 z");
    }

    @Test
    void ended_lost_goesOnFromTheLastEventAndMissesNothing() {
        begin();
        context.watch().tell(gone(A, 101));
        context.watch().end(Code.LOST);
        context.pass(Duration.ofSeconds(1));
        context.watch().tell(gone(A, 101));
        context.watch().tell(gone(B, 102));
        context.watch().tell(put(C, "c", 103));

        assertThat(told).containsExactly("5 a", "7 b", "nobody", "103 c");
    }

    @Test
    void ended_compacted_readsTheLineAnew() {
        begin();
        context.watch().end(Code.COMPACTED);
        context.pass(Duration.ofSeconds(1));
        context.answer(200, part(kv(B, "b", 7, 7)));

        assertThat(told).containsExactly("5 a", "7 b");
    }

    @Test
    void ended_compactedAndTheKeyHasComeAgain_isAnotherEntry() {
        begin();
        context.watch().end(Code.COMPACTED);
        context.pass(Duration.ofSeconds(1));
        context.answer(200, part(kv(A, "a", 150, 150)));

        assertThat(told).containsExactly("5 a", "150 a");
    }

    @Test
    void audit_eventNeverCame_twiceFoundIsReadAnew() {
        begin();
        head.audit(110, List.of(kv(B, "", 7, 7)));
        assertThat(context.asked()).isEmpty();

        head.audit(120, List.of(kv(B, "", 7, 7)));
        context.answer(121, part(kv(B, "b", 7, 7)));

        assertThat(told).containsExactly("5 a", "7 b");
        assertThat(context.watching()).isOne();
        assertThat(context.watch().from).isEqualTo(121);
    }

    @Test
    void audit_entryWrittenAnewAndNotTold_isReadAnew() {
        begin();
        head.audit(110, List.of(kv(A, "", 5, 105), kv(B, "", 7, 7)));
        head.audit(120, List.of(kv(A, "", 5, 105), kv(B, "", 7, 7)));
        context.answer(121, part(kv(A, "z", 5, 105), kv(B, "b", 7, 7)));

        assertThat(told).containsExactly("5 a", "5 z");
    }

    @Test
    void audit_firstOfAnEmptyLineNotTold_isReadAnew() {
        observe();
        context.answer(100, part());
        head.audit(110, List.of(kv(A, "", 105, 105)));
        head.audit(120, List.of(kv(A, "", 105, 105)));
        context.answer(121, part(kv(A, "a", 105, 105)));

        assertThat(told).containsExactly("nobody", "105 a");
    }

    @Test
    void audit_eventsOnTheirWay_missesNothing() {
        begin();
        head.audit(102, List.of(kv(B, "", 7, 7)));
        context.watch().tell(gone(A, 101));
        context.watch().tell(put(C, "c", 103));
        head.audit(105, List.of(kv(C, "", 103, 103)));
        context.watch().tell(gone(B, 104));

        assertThat(told).containsExactly("5 a", "7 b", "103 c");
        assertThat(context.asked()).isEmpty();
    }

    @Test
    void audit_lineMovesOnAndNothingIsTold_isReadAnew() {
        observe();
        context.answer(100, part());
        context.watch().tell(put(C, "c", 101));
        context.watch().tell(gone(C, 102));
        head.audit(110, List.of(kv(A, "", 105, 105)));
        assertThat(context.asked()).isEmpty();

        head.audit(120, List.of(kv(B, "", 115, 115)));
        context.answer(121, part(kv(B, "b", 115, 115)));

        assertThat(told).containsExactly("nobody", "101 c", "nobody", "115 b");
    }

    @Test
    void audit_eachTimeSomethingElseIsOnItsWay_missesNothing() {
        begin();
        head.audit(102, List.of(kv(B, "", 7, 7)));
        context.watch().tell(gone(A, 101));
        head.audit(112, List.of(kv(B, "", 7, 7), kv(C, "", 111, 111)));
        context.watch().tell(put(C, "c", 111));
        head.audit(122, List.of(kv(C, "", 111, 111)));

        assertThat(context.asked()).isEmpty();
        context.watch().tell(gone(B, 121));
        assertThat(told).containsExactly("5 a", "7 b", "111 c");
    }

    @Test
    void audit_answeredAfterTheEvent_missesNothing() {
        begin();
        context.watch().tell(gone(A, 103));
        head.audit(102, List.of(kv(A, "", 5, 9), kv(B, "", 7, 7)));
        head.audit(112, List.of(kv(B, "", 7, 7)));
        head.audit(122, List.of(kv(B, "", 7, 7)));

        assertThat(context.asked()).isEmpty();
    }

    @Test
    void audit_olderThanTheEventsAndAsKnown_asksNothing() {
        begin();
        context.watch().tell(put(C, "c", 103));
        head.audit(102, List.of(kv(A, "", 5, 9), kv(B, "", 7, 7)));
        head.audit(102, List.of(kv(A, "", 5, 9), kv(B, "", 7, 7)));

        assertThat(context.asked()).isEmpty();
    }

    @Test
    void audit_beforeTheLineHasBeenRead_asksNothing() {
        observe();
        head.audit(90, List.of(kv(A, "", 5, 9)));
        head.audit(95, List.of(kv(A, "", 5, 9)));
        context.answer(100, part(kv(A, "a", 5, 9)));

        assertThat(context.asked()).isEmpty();
        assertThat(told).containsExactly("5 a");
    }

    private void observe() {
        head = new HeadObservation(
                context,
                Line.of("elections/boss"),
                first -> told.add(
                        first.map(entry -> entry.token() + " " + new String(entry.payload(), StandardCharsets.UTF_8))
                                .orElse("nobody")));
        watches.add(head.watch());
    }

    private void begin() {
        observe();
        context.answer(100, part(kv(A, "a", 5, 9), kv(B, "b", 7, 7)));
    }
}
