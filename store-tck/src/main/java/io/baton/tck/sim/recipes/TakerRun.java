package io.baton.tck.sim.recipes;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A run in whose processes programs take something again and again, and give it back. In the end nothing is left. */
abstract class TakerRun<T extends TakerRun.Taker> extends CoordinatorRun {

    private final List<T> takers = new ArrayList<>();

    /** Somebody who takes one after the other. */
    static class Taker {

        final Member member;
        int grants;
        boolean idle;

        Taker(Member member) {
            this.member = member;
        }
    }

    TakerRun(long seed) {
        super(seed);
    }

    /** A new taker in this process. */
    abstract T taker(Member member);

    /** What a taker does next. */
    abstract void take(T taker);

    @Override
    void begin(Member member) {
        for (int i = chance.nextInt(1, 3); i > 0; i--) {
            T taker = taker(member);
            takers.add(taker);
            later(member, 300, () -> takeAgain(taker));
        }
    }

    /** Takes once more, or is idle from now on, as everybody stops or its process has gone. */
    final void takeAgain(T taker) {
        if (stopping() || taker.member.gone()) {
            taker.idle = true;
        } else {
            take(taker);
        }
    }

    final List<T> takers() {
        return takers;
    }

    final List<T> living() {
        return takers.stream().filter(taker -> !taker.member.gone()).toList();
    }

    /** Waits until all that are there have been granted more often than now by so many. */
    final void awaitGrants(String what, int more) {
        Map<T, Integer> before = new HashMap<>();
        living().forEach(taker -> before.put(taker, taker.grants));
        await(what, () -> before.entrySet().stream().allMatch(each -> each.getKey().grants >= each.getValue() + more));
    }

    final void awaitIdle(String what) {
        await(what, () -> living().stream().allMatch(taker -> taker.idle));
    }
}
