package io.baton.recipes.internal;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.Subscription;
import io.baton.recipe.RecipeContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

/**
 * What a client sees of the questions of one asking. It follows the record from the first use on, for as long as the
 * coordinator is there.
 *
 * <p>It also takes questions off the record whose asker has died: those that it has seen unbegun for longer than their
 * asker waits. It counts from its own first sight and by its own clock, so that clocks of different machines need not
 * show the same time. A live asker has given up before that. On the loop.
 */
final class QuestionBoard {

    private static final Duration TICK = Duration.ofSeconds(1);

    private final RecipeContext context;
    private final AskingChanges changes;
    private final RefusalTrouble trouble;
    private final Set<Consumer<AskingRecord>> listeners = new LinkedHashSet<>();
    private final Map<Unbegun, Long> firstSeen = new HashMap<>();
    private Optional<AskingRecord> latest = Optional.empty();
    private boolean following;
    private boolean ticking;

    /** A question that these calls ask, and that no process has begun with. */
    private record Unbegun(long number, String calls, Duration patience) {}

    /** The boards of a coordinator, by the names of their askings. */
    private static final class All {
        private final ConcurrentMap<String, QuestionBoard> boards = new ConcurrentHashMap<>();
    }

    private QuestionBoard(RecipeContext context, AskingChanges changes) {
        this.context = context;
        this.changes = changes;
        this.trouble = new RefusalTrouble(context, "Cannot ask questions of asking '" + changes.name() + "'");
    }

    /** Returns the board of this asking. Any thread. */
    static QuestionBoard of(RecipeContext context, AskingChanges changes) {
        return context.shared(All.class, All::new)
                .boards
                .computeIfAbsent(changes.name(), name -> new QuestionBoard(context, changes));
    }

    /** The trouble of all calls that ask. */
    RefusalTrouble trouble() {
        return trouble;
    }

    /** Calls the listener with what was seen last, if anything was, and with each change. */
    Subscription listen(Consumer<AskingRecord> listener) {
        listeners.add(listener);
        latest.ifPresent(listener);
        if (!following) {
            following = true;
            var unused = context.records().observe(changes.key(), this::changed);
        }
        return () -> listeners.remove(listener);
    }

    private void changed(Optional<Item> now) {
        AskingRecord seen;
        try {
            seen = AskingRecord.of(now);
        } catch (CoordinationException foreign) {
            return; // those that ask or serve are told when they read it
        }
        latest = Optional.of(seen);
        keepFirstSeen(seen);
        List.copyOf(listeners).forEach(each -> each.accept(seen));
    }

    private void keepFirstSeen(AskingRecord seen) {
        Map<Unbegun, Long> before = Map.copyOf(firstSeen);
        firstSeen.clear();
        long now = context.loop().nanoTime();
        for (AskedQuestion each : seen.questions()) {
            if (each.isAsked()) {
                Unbegun unbegun = new Unbegun(each.number(), each.calls(), each.patience());
                firstSeen.put(unbegun, before.getOrDefault(unbegun, now));
            }
        }
        tickLater();
    }

    private void tickLater() {
        if (!ticking && !firstSeen.isEmpty()) {
            ticking = true;
            context.loop().after(TICK, this::tick);
        }
    }

    private void tick() {
        ticking = false;
        long now = context.loop().nanoTime();
        firstSeen.forEach((each, since) -> {
            if (now - since > inVain(each.patience()).toNanos()) {
                var unused = changes.withdraw(each.number(), each.calls());
            }
        });
        tickLater();
    }

    /** Longer than the asker waits, by a clock that runs somewhat slower. */
    private static Duration inVain(Duration patience) {
        return patience.plus(patience.dividedBy(4)).plus(TICK);
    }
}
