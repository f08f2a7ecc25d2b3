package io.baton.chaos.nemesis;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** Gives each of its cards once before it gives one again, in an order that is drawn anew each time. */
final class ShuffledBag<T> {

    private final List<T> cards;
    private final Random random;
    private final Deque<T> left = new ArrayDeque<>();

    ShuffledBag(List<T> cards, Random random) {
        this.cards = List.copyOf(cards);
        this.random = random;
    }

    boolean isEmpty() {
        return cards.isEmpty();
    }

    /** One; there must be some. */
    T draw() {
        if (left.isEmpty()) {
            List<T> shuffled = new ArrayList<>(cards);
            Collections.shuffle(shuffled, random);
            left.addAll(shuffled);
        }
        return left.remove();
    }
}
