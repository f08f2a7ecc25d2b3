package io.baton.cli.lock;

import io.baton.Hold;
import io.baton.HoldState;
import io.baton.MultiHold;
import io.baton.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The holds of several locks. They last as long as the first of them that ends.
 *
 * @param names the names of the locks, in the order of the command line
 * @param holds their holds
 * @param evictions tells how one of them was lost
 */
record SeveralHolds(List<String> names, MultiHold holds, EvictionLookup evictions) implements Held {

    @Override
    public List<Hold> inOrder() {
        return names.stream()
                .map(name -> Objects.requireNonNull(holds.holds().get(name)))
                .toList();
    }

    @Override
    public String token() {
        return inOrder().stream().map(hold -> Long.toString(hold.token())).collect(Collectors.joining(" "));
    }

    @Override
    public Duration remaining() {
        return holds.remaining();
    }

    @Override
    public HoldState state() {
        return holds.state();
    }

    @Override
    public Subscription onChange(Runnable listener) {
        List<Subscription> each = inOrder().stream()
                .map(hold -> hold.onState(state -> listener.run()))
                .toList();
        return () -> each.forEach(Subscription::close);
    }

    @Override
    public void close() {
        holds.close();
    }
}
