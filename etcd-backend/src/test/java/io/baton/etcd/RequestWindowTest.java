package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.RequestWindow.Priority;
import io.baton.etcd.RequestWindow.Request;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.spi.support.AdaptiveLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestWindowTest {

    private static final Duration TTL = Duration.ofSeconds(10);

    private final HandWire wire = new HandWire();
    private final List<String> answered = new ArrayList<>();
    private boolean contact = true;
    private boolean wanted = true;
    private RequestWindow window =
            new RequestWindow(wire, wire, () -> contact, AdaptiveLimit.fixed(RequestWindow.LIMIT));

    @Test
    void send_windowIsFull_theRestIsSentInOrderAsAnswersCome() {
        fill();
        ask("a");
        ask("b");
        assertThat(wire.asked()).hasSize(RequestWindow.LIMIT).doesNotContain("look at a");

        wire.answer(10, HandWire.part());
        assertThat(newest()).isEqualTo("look at a");
        wire.answer(10, HandWire.part());
        assertThat(newest()).isEqualTo("look at b");
        assertThat(wire.asked()).hasSize(RequestWindow.LIMIT);
    }

    @Test
    void send_refused_givesItsSlotBackToo() {
        fill();
        ask("a");

        wire.fail(Code.OVERLOADED, "too many requests");

        assertThat(newest()).isEqualTo("look at a");
    }

    @Test
    void send_lostWithoutABreak_givesItsSlotBackOnceThePresentTaskHasEnded() {
        fill();
        ask("a");

        wire.fail(Code.LOST, "no answer in time");

        assertThat(newest()).isEqualTo("look at a");
        assertThat(answered).containsExactly("filler LOST");
    }

    @Test
    void send_notWantedAnyMoreInItsTurn_isDroppedAndTakesNoSlot() {
        fill();
        window.request("line", Priority.LOW, () -> wanted, turn -> read(turn, "a"))
                .send();
        ask("b");
        wanted = false;

        wire.answer(10, HandWire.part());

        assertThat(newest()).isEqualTo("look at b");
        assertThat(window.queued()).isZero();
    }

    @Test
    void send_asksForItsTurnTwice_isSentOnce() {
        fill();
        Request request = window.request("line", Priority.LOW, () -> true, turn -> read(turn, "a"));
        request.send();
        request.send();

        wire.answer(10, HandWire.part());
        wire.answer(10, HandWire.part());

        assertThat(wire.asked()).containsOnlyOnce("look at a");
        request.send();
        assertThat(newest()).isEqualTo("look at a");
    }

    @Test
    void send_queued_isBuiltWhenItIsSent() {
        fill();
        String[] name = {"early"};
        window.request("line", Priority.LOW, () -> true, turn -> read(turn, name[0]))
                .send();
        name[0] = "late";

        wire.answer(10, HandWire.part());

        assertThat(newest()).isEqualTo("look at late");
    }

    @Test
    void contactBroken_whatIsQueuedIsNotSentUntilThereIsContact() {
        fill();
        ask("a");
        wire.lose();
        contact = false;
        wire.pass(Duration.ofSeconds(5));
        ask("b");
        assertThat(wire.asked()).isEmpty();
        assertThat(answered).hasSize(RequestWindow.LIMIT).doesNotContain("a LOST", "b LOST");

        contact = true;
        window.connected();

        assertThat(wire.asked()).containsExactly("look at a", "look at b");
    }

    @Test
    void send_bothPrioritiesWait_takeTurns() {
        fill();
        for (int i = 1; i <= 3; i++) {
            ask("low" + i);
        }
        for (int i = 1; i <= 3; i++) {
            ask("high" + i, Priority.HIGH);
        }

        for (int i = 0; i < 6; i++) {
            wire.answer(10, HandWire.part());
        }

        List<String> asked = wire.asked();
        assertThat(asked.subList(asked.size() - 6, asked.size()))
                .containsSubsequence("look at high1", "look at high2", "look at high3")
                .containsSubsequence("look at low1", "look at low2", "look at low3");
        assertThat(asked.subList(asked.size() - 6, asked.size() - 4)).contains("look at high1", "look at low1");
    }

    @Test
    void send_manyOfOneLineWait_oneOfAnotherLineWaitsForOneOfThem() {
        fill();
        ask("a");
        ask("b");
        ask("another line", "short", Priority.LOW);

        wire.answer(10, HandWire.part());
        wire.answer(10, HandWire.part());

        assertThat(newest()).isEqualTo("look at short");
    }

    @Test
    void contactBroken_thousandsComeAndAreNotWantedAnyMore_areNotHeapedUp() {
        contact = false;
        for (int i = 0; i < 10_000; i++) {
            window.request("line", Priority.LOW, () -> false, turn -> read(turn, "a"))
                    .send();
        }

        assertThat(window.queued()).isLessThan(1_000);
    }

    @Test
    void send_answersComeQuicklyAndThenSlowly_moreAreSentAtATimeAndThenFewer() {
        adapt();
        int few = unanswered();

        answerAll(Duration.ofMillis(1));
        answerAll(Duration.ofMillis(1));
        int many = unanswered();
        answerAll(TTL.dividedBy(10));
        answerAll(TTL.dividedBy(10));

        assertThat(few).isLessThan(10);
        assertThat(many).isEqualTo(4 * few);
        assertThat(unanswered()).isEqualTo(few);
    }

    @Test
    void connected_again_startsWithFew() {
        adapt();
        int few = unanswered();
        answerAll(Duration.ofMillis(1));
        answerAll(Duration.ofMillis(1));
        wire.lose();
        contact = false;
        wire.pass(Duration.ofSeconds(1));

        contact = true;
        window.connected();

        assertThat(unanswered()).isEqualTo(few);
    }

    @Test
    void send_refusedAsThereIsTooMuchToDo_fewerAreSent() {
        adapt();
        int before = unanswered();

        for (int i = 0; i < before; i++) {
            wire.fail(Code.OVERLOADED, "too many requests");
        }

        assertThat(unanswered()).isEqualTo(before / 2);
    }

    /** A server refuses it before a quorum or a disk has anything to do with it. */
    @Test
    void send_refusedAsTooLarge_saysNothingAboutHowLongCommitsTake() {
        window = new RequestWindow(
                wire, wire, () -> contact, AdaptiveLimit.between(2, RequestWindow.LIMIT, Duration.ofSeconds(3)));
        for (int i = 0; i < 200; i++) {
            window.request("line", Priority.LOW, () -> true, this::write).send();
        }
        int few = unanswered();
        wire.pass(Duration.ofNanos(200_000));
        wire.fail(Code.TOO_LARGE, "request is too large");

        answerAll(Duration.ofMillis(80));
        answerAll(Duration.ofMillis(80));

        assertThat(unanswered()).isEqualTo(4 * few);
    }

    private void write(RequestWindow.Sender turn) {
        turn.txn(new Txn(List.of(), List.of(new Put("a", new byte[0], 0)), List.of()), (fault, result) -> {});
    }

    /** Adapts its size; more is asked than it can ever send at a time. */
    private void adapt() {
        window = new RequestWindow(wire, wire, () -> contact, AdaptiveLimit.between(2, RequestWindow.LIMIT, TTL));
        for (int i = 0; i < 200; i++) {
            ask("a");
        }
    }

    private void answerAll(Duration after) {
        wire.pass(after);
        for (int i = unanswered(); i > 0; i--) {
            wire.answer(10, HandWire.part());
        }
    }

    private int unanswered() {
        return wire.asked().size();
    }

    private void fill() {
        for (int i = 0; i < RequestWindow.LIMIT; i++) {
            ask("filler");
        }
        assertThat(wire.asked()).hasSize(RequestWindow.LIMIT);
    }

    private void ask(String key) {
        ask(key, Priority.LOW);
    }

    private void ask(String key, Priority priority) {
        ask("line", key, priority);
    }

    private void ask(String flow, String key, Priority priority) {
        window.request(flow, priority, () -> true, turn -> read(turn, key)).send();
    }

    private void read(RequestWindow.Sender turn, String key) {
        turn.txn(Txn.read(Range.presence(key)), (fault, result) -> answered.add(key + " " + fault.code()));
    }

    private String newest() {
        List<String> asked = wire.asked();
        return asked.get(asked.size() - 1);
    }
}
