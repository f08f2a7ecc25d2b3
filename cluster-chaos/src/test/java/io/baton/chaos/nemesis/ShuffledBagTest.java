package io.baton.chaos.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShuffledBagTest {

    private static final List<Integer> CARDS = List.of(1, 2, 3, 4, 5, 6, 7, 8);

    @Test
    void draw_allCards_givesEachOnceBeforeOneAgain() {
        ShuffledBag<Integer> deck = new ShuffledBag<>(CARDS, new Random(1));

        for (int round = 0; round < 5; round++) {
            assertThat(draw(deck)).containsExactlyInAnyOrderElementsOf(CARDS);
        }
    }

    @Test
    void draw_sameSeed_givesTheSameOrder() {
        List<Integer> order = draw(new ShuffledBag<>(CARDS, new Random(7)));

        assertThat(draw(new ShuffledBag<>(CARDS, new Random(7)))).isEqualTo(order);
        assertThat(draw(new ShuffledBag<>(CARDS, new Random(8)))).isNotEqualTo(order);
    }

    private static List<Integer> draw(ShuffledBag<Integer> deck) {
        return IntStream.range(0, CARDS.size()).mapToObj(i -> deck.draw()).toList();
    }
}
