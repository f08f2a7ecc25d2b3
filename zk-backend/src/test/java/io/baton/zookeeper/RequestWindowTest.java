package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.spi.support.AdaptiveLimit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How many requests of one kind are under way. */
class RequestWindowTest {

    private boolean connected = true;
    private final RequestWindow window = new RequestWindow(AdaptiveLimit.fixed(2), () -> 0, () -> connected);
    private final List<String> begun = new ArrayList<>();

    @Test
    void take_moreThanFit_beginInTurnAsRoomIsGivenBack() {
        List<RequestWindow.Turn> turns = take("a", "b", "c", "d");
        assertThat(begun).containsExactly("a", "b");

        turns.get(1).finish();
        turns.get(1).finish();

        assertThat(begun).containsExactly("a", "b", "c");
        turns.get(0).finish();
        assertThat(begun).containsExactly("a", "b", "c", "d");
    }

    @Test
    void takeFirst_othersQueued_isNext() {
        List<RequestWindow.Turn> turns = take("a", "b", "c");
        turn("urgent").enqueueFirst();

        turns.get(0).finish();

        assertThat(begun).containsExactly("a", "b", "urgent");
    }

    @Test
    void take_manyOfOneLineAreQueued_oneOfAnotherWaitsForOneOfThem() {
        List<RequestWindow.Turn> turns = take("a", "b", "c", "d", "e");
        turn("another line", "short").enqueue();

        turns.get(0).finish();
        turns.get(1).finish();

        assertThat(begun).containsExactly("a", "b", "c", "short");
    }

    @Test
    void end_whileQueued_leavesTheQueueAndNoRoom() {
        List<RequestWindow.Turn> turns = take("a", "b", "c", "d");
        turns.get(2).finish();
        turns.get(0).finish();

        assertThat(begun).containsExactly("a", "b", "d");
        assertThat(window.queued()).isZero();
    }

    @Test
    void take_withoutContact_waitsForIt() {
        connected = false;
        take("a", "b", "c");
        assertThat(begun).isEmpty();

        connected = true;
        window.startNext();

        assertThat(begun).containsExactly("a", "b");
    }

    @Test
    void take_manyThatEndAtOnce_allBegin() {
        connected = false;
        int many = 100_000;
        for (int i = 0; i < many; i++) {
            var turns = new ArrayList<RequestWindow.Turn>();
            turns.add(window.turn("line", () -> {
                begun.add("one");
                turns.get(0).finish();
            }));
            turns.get(0).enqueue();
        }
        connected = true;
        window.startNext();

        assertThat(begun).hasSize(many);
    }

    @Test
    void take_largeOnes_oneIsUnderWay() {
        var turns = new ArrayList<RequestWindow.Turn>();
        for (String name : List.of("a", "b")) {
            turns.add(window.turn("line", () -> RequestWindow.MOST_BYTES + 1, () -> begun.add(name)));
        }
        turns.forEach(RequestWindow.Turn::enqueue);
        assertThat(begun).containsExactly("a");

        turns.get(0).finish();

        assertThat(begun).containsExactly("a", "b");
    }

    private List<RequestWindow.Turn> take(String... names) {
        var turns = new ArrayList<RequestWindow.Turn>();
        for (String name : names) {
            turns.add(turn(name));
        }
        turns.forEach(RequestWindow.Turn::enqueue);
        return turns;
    }

    private RequestWindow.Turn turn(String name) {
        return turn("line", name);
    }

    private RequestWindow.Turn turn(String line, String name) {
        return window.turn(line, () -> begun.add(name));
    }
}
