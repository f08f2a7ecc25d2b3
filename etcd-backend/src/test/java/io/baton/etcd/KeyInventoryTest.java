package io.baton.etcd;

import static io.baton.etcd.HandGround.gone;
import static io.baton.etcd.HandGround.kv;
import static io.baton.etcd.HandGround.part;
import static io.baton.etcd.HandGround.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Part;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is compared with the store now and then, and what follows. */
class KeyInventoryTest {

    private static final String T = "/app/t/";
    private static final int MANY = 1_200;

    private final KeyInventory census = new KeyInventory(T);

    @Test
    void look_allAsKnown_missedNothing() {
        begin(kv(T + "a", "", 5, 5), kv(T + "b", "", 6, 7));

        for (int i = 0; i < 3; i++) {
            assertThat(look(20, kv(T + "a", "", 5, 5), kv(T + "b", "", 6, 7))).isFalse();
        }
    }

    @Test
    void look_writeNotTold_isMissedTheSecondTime() {
        begin(kv(T + "a", "", 5, 5));

        assertThat(look(20, kv(T + "a", "", 5, 15))).isFalse();
        assertThat(look(30, kv(T + "a", "", 5, 15))).isTrue();
    }

    @Test
    void look_deletionNotTold_isMissedTheSecondTime() {
        begin(kv(T + "a", "", 5, 5));

        assertThat(look(20)).isFalse();
        assertThat(look(30)).isTrue();
    }

    @Test
    void look_recreationNotTold_isMissedTheSecondTime() {
        begin(kv(T + "a", "same", 5, 5));

        assertThat(look(20, kv(T + "a", "same", 15, 15))).isFalse();
        assertThat(look(30, kv(T + "a", "same", 15, 15))).isTrue();
    }

    @Test
    void look_writeToldInTheMiddleOfOthersIsMissing_isMissedThoughLaterOnesCame() {
        begin(kv(T + "a", "", 5, 5), kv(T + "b", "", 5, 5));
        changed(put(T + "b", "", 16));

        assertThat(look(20, kv(T + "a", "", 5, 15), kv(T + "b", "", 5, 16))).isFalse();
        changed(put(T + "b", "", 25));
        assertThat(look(30, kv(T + "a", "", 5, 15), kv(T + "b", "", 5, 25))).isTrue();
    }

    @Test
    void look_eventComesLater_missedNothing() {
        begin(kv(T + "a", "", 5, 5));

        assertThat(look(20, kv(T + "a", "", 5, 15))).isFalse();
        changed(put(T + "a", "", 15));
        assertThat(look(30, kv(T + "a", "", 5, 15))).isFalse();
    }

    @Test
    void look_answerIsOlderThanWhatWasTold_missedNothing() {
        begin(kv(T + "a", "", 5, 5));
        changed(put(T + "b", "", 21), put(T + "a", "", 22));

        assertThat(look(20, kv(T + "a", "", 5, 5))).isFalse();
        changed(gone(T + "b", 31), put(T + "a", "", 32));
        assertThat(look(30, kv(T + "a", "", 5, 22), kv(T + "b", "", 21, 21))).isFalse();
    }

    @Test
    void look_otherDifferencesEachTimeAndNoEventInBetween_isMissed() {
        begin(kv(T + "a", "", 5, 5));

        assertThat(look(20, kv(T + "a", "", 5, 15))).isFalse();
        assertThat(look(30, kv(T + "a", "", 5, 25))).isTrue();
    }

    @Test
    void look_otherDifferencesEachTimeWhileEventsCome_missedNothing() {
        begin(kv(T + "a", "", 5, 5));

        assertThat(look(20, kv(T + "a", "", 5, 15))).isFalse();
        changed(put(T + "a", "", 15));
        assertThat(look(30, kv(T + "a", "", 5, 25))).isFalse();
    }

    @Test
    void look_answerToAQuestionOfBeforeTheSnapshot_saysNothing() {
        begin(kv(T + "a", "", 5, 5));
        look(20);
        KeyInventory.Question former = census.question();
        begin(kv(T + "a", "", 5, 5));

        assertThat(census.missed(former, answer(30, part()))).isFalse();
        assertThat(look(40)).isFalse();
    }

    @Test
    void question_smallTree_readsItsKeysOnly() {
        begin(kv(T + "a", "", 5, 5));

        assertThat(census.question().txn().then())
                .containsExactly(Range.keysBelow(T).page("", 500, 0));
    }

    /** A server reads all keys, with their values, to sort them. */
    @Test
    void question_largeTreeAndEventsCome_seldomReadsTheKeyWrittenLast() {
        List<Kv> all = many();
        begin(all.toArray(Kv[]::new));
        int sorted = 0;
        for (int i = 0; i < 40; i++) {
            changed(put(all.get(0).key(), "", 50 + i));
            Kv last = kv(all.get(0).key(), "", 5, 50 + i);
            all.set(0, last);
            sorted += census.question().txn().then().contains(Range.lastWritten(T)) ? 1 : 0;
            assertThat(lookAtPart(100 + i, all, last)).isFalse();
        }

        assertThat(sorted).isBetween(1, 8);
    }

    @Test
    void question_largeTree_readsTheNumberOfKeysAndIfNothingWasHeardTheOneWrittenLast() {
        List<Kv> all = many();
        begin(all.toArray(Kv[]::new));
        changed(put(all.get(0).key(), "", 5));
        assertThat(census.question().txn().then())
                .containsExactly(Range.keysBelow(T).page("", 500, 0), Range.anyBelow(T));

        lookAtPart(100, all, all.get(0));

        assertThat(census.question().txn().then())
                .containsExactly(Range.keysBelow(T).page(all.get(499).key(), 500, 0), Range.lastWritten(T));
    }

    @Test
    void look_largeTree_isReadInPartsOneAfterTheOther() {
        List<Kv> all = many();
        begin(all.toArray(Kv[]::new));
        var asked = new ArrayList<String>();
        for (int i = 0; i < 4; i++) {
            asked.add(census.question().after());
            assertThat(lookAtPart(100 + i, all, all.get(0))).isFalse();
        }

        assertThat(asked).containsExactly("", all.get(499).key(), all.get(999).key(), "");
    }

    @Test
    void look_largeTreeAndAWriteInAnotherPart_isMissedTheSecondTime() {
        List<Kv> all = many();
        begin(all.toArray(Kv[]::new));
        Kv written = kv(all.get(1_100).key(), "", 5, 50);
        all.set(1_100, written);

        assertThat(lookAtPart(100, all, written)).isFalse();
        assertThat(lookAtPart(110, all, written)).isTrue();
    }

    @Test
    void look_largeTreeAndADeletionInAnotherPart_isMissedTheSecondTime() {
        List<Kv> all = many();
        begin(all.toArray(Kv[]::new));
        all.remove(1_100);

        assertThat(lookAtPart(100, all, all.get(0))).isFalse();
        assertThat(lookAtPart(110, all, all.get(0))).isTrue();
    }

    @Test
    void look_largeTreeAndALossInTheMiddle_isMissedWhenItsPartComes() {
        List<Kv> all = many();
        begin(all.toArray(Kv[]::new));
        all.set(700, kv(all.get(700).key(), "", 5, 50));
        Kv last = kv(all.get(1).key(), "", 5, 60);
        all.set(1, last);
        changed(put(last.key(), "", 60));

        assertThat(lookAtPart(100, all, last)).isFalse();
        assertThat(lookAtPart(110, all, last)).isFalse();
        assertThat(lookAtPart(120, all, last)).isTrue();
    }

    private void begin(Kv... all) {
        census.begin(List.of(all));
    }

    private void changed(Event... events) {
        census.changed(List.of(events));
    }

    private boolean look(long revision, Kv... found) {
        return census.missed(census.question(), answer(revision, part(found)));
    }

    private boolean lookAtPart(long revision, List<Kv> all, Kv last) {
        KeyInventory.Question asked = census.question();
        List<Kv> rest =
                all.stream().filter(kv -> kv.key().compareTo(asked.after()) > 0).toList();
        Part part = new Part(rest.stream().limit(500).toList(), rest.size());
        return census.missed(asked, answer(revision, part, new Part(List.of(last), all.size())));
    }

    private static Result answer(long revision, Part... parts) {
        return new Result(HandWire.header(revision), true, List.of(parts));
    }

    private static List<Kv> many() {
        return new ArrayList<>(IntStream.range(0, MANY)
                .mapToObj(i -> kv(T + (10_000 + i), "", 5, 5))
                .toList());
    }
}
