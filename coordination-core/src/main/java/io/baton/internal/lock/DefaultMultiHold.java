package io.baton.internal.lock;

import io.baton.Guard;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.MultiHold;
import io.baton.Subscription;
import io.baton.recipe.Callbacks;
import io.baton.recipe.Futures;
import io.baton.spi.Guarantees;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/** Several holds as one. Any thread. */
final class DefaultMultiHold implements MultiHold {

    /** The worst comes first. */
    private static final List<HoldState> BY_WEIGHT =
            List.of(HoldState.LOST, HoldState.RELEASED, HoldState.JEOPARDY, HoldState.HELD);

    private final Map<String, Hold> holds;
    private final Duration closeTimeout;

    /** Makes one hold of these, in the order in which they were acquired. */
    DefaultMultiHold(List<Hold> acquired, Duration closeTimeout) {
        this.closeTimeout = closeTimeout;
        var byName = new LinkedHashMap<String, Hold>();
        acquired.forEach(hold -> byName.put(hold.name(), hold));
        this.holds = Collections.unmodifiableMap(byName);
    }

    @Override
    public Map<String, Hold> holds() {
        return holds;
    }

    @Override
    public List<Guard> guards() {
        return holds.values().stream().map(Guard::held).toList();
    }

    @Override
    public Guarantees guarantees() {
        return holds.values().iterator().next().guarantees(); // one coordinator's, and never none
    }

    @Override
    public Duration remaining() {
        return holds.values().stream()
                .map(Hold::remaining)
                .min(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    @Override
    public HoldState state() {
        List<HoldState> states = holds.values().stream().map(Hold::state).toList();
        return BY_WEIGHT.stream().filter(states::contains).findFirst().orElse(HoldState.RELEASED);
    }

    @Override
    public void ensureValid(Duration atLeast) {
        holds.values().forEach(hold -> hold.ensureValid(atLeast));
    }

    @Override
    public Subscription onLost(Consumer<Hold> listener) {
        var told = new AtomicBoolean();
        var each = new ArrayList<Subscription>();
        for (Hold hold : holds.values()) {
            // Not the handle, which may have to be found forgotten.
            Hold behind = FencedHold.of(hold).<Hold>map(Function.identity()).orElse(hold);
            each.add(hold.onLost(() -> {
                if (told.compareAndSet(false, true)) {
                    listener.accept(behind);
                }
            }));
        }
        return () -> each.forEach(Subscription::close);
    }

    @Override
    public void close() {
        releaseAll(holds.values().stream().toList(), closeTimeout);
    }

    @Override
    public CompletableFuture<Void> releaseAsync() {
        return startRelease(holds.values().stream().toList());
    }

    private static CompletableFuture<Void> startRelease(List<Hold> holds) {
        var lastFirst = new ArrayList<>(holds);
        Collections.reverse(lastFirst);
        return CompletableFuture.allOf(
                lastFirst.stream().map(Hold::releaseAsync).toArray(CompletableFuture[]::new));
    }

    /** Releases these holds, the last one first, and waits for all of them, as long as for one. */
    static void releaseAll(List<Hold> holds, Duration closeTimeout) {
        var unused = startRelease(holds);
        if (!Callbacks.inside()) {
            // Not the future above, which needs a callback thread.
            Futures.awaitDone(
                    closeTimeout,
                    CompletableFuture.allOf(holds.stream()
                            .flatMap(hold -> FencedHold.of(hold).stream())
                            .map(FencedHold::startRelease)
                            .toArray(CompletableFuture[]::new)));
        }
    }
}
