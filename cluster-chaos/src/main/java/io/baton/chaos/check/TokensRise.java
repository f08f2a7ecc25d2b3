package io.baton.chaos.check;

import io.baton.chaos.history.FencingToken;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * Whoever is granted a lock, and sees his hold valid then, has a larger token than all who were granted before: grants are
 * made in the order of the entries. Readers that are granted beside each other may be granted in any order, and so may
 * permits. No token is given twice, but to a writer that goes on as a reader.
 */
final class TokensRise implements Check {

    TokensRise() {}

    @Override
    public void run(RunHistory history, Consumer<Violation> found) {
        history.holdingsByLock().values().forEach(holdings -> {
            rising(holdings, found);
            unique(holdings, found);
        });
    }

    private static void rising(List<Holding> holdings, Consumer<Violation> found) {
        Deque<Holding> granted = new ArrayDeque<>(sorted(holdings, Holding::seen));
        Furthest before = new Furthest(Comparator.comparing(Holding::token));
        for (Holding next : sorted(holdings, Holding::granted)) {
            while (!granted.isEmpty() && granted.element().seen() < next.granted()) {
                before.add(granted.remove());
            }
            // One that was paused or evicted on its way to its holder may be worth nothing any more, and is late.
            if (next.validWhenGranted()) {
                before.inConflictWith(next)
                        .filter(largest -> next.token().isBefore(largest.token()))
                        .ifPresent(
                                largest -> found.accept(violation(largest, next, " was granted, and valid, after ")));
            }
        }
    }

    private static List<Holding> sorted(List<Holding> holdings, ToLongFunction<Holding> by) {
        return holdings.stream().sorted(Comparator.comparingLong(by)).toList();
    }

    private static void unique(List<Holding> holdings, Consumer<Violation> found) {
        Map<FencingToken, Holding> byToken = new HashMap<>();
        for (Holding each : holdings.stream().filter(one -> !one.downgraded()).toList()) {
            Holding other = byToken.putIfAbsent(each.token(), each);
            if (other != null) {
                found.accept(violation(other, each, " has the same token as "));
            }
        }
    }

    private static Violation violation(Holding former, Holding later, String what) {
        return new Violation(
                Kind.TOKEN_ORDER,
                later.lock(),
                Math.min(former.seen(), later.seen()),
                Math.max(former.seen(), later.seen()),
                later + what + former);
    }
}
