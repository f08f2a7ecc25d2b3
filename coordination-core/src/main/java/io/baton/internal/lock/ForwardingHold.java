package io.baton.internal.lock;

import io.baton.Hold;
import io.baton.HoldState;
import io.baton.ReleaseRequest;
import io.baton.Subscription;
import io.baton.spi.EntryHold;
import io.baton.spi.Guarantees;
import io.baton.spi.Peer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A handle to a hold, which passes everything on. Any thread. */
abstract class ForwardingHold implements Hold, EntryHold {

    private final Hold to;

    ForwardingHold(Hold to) {
        this.to = to;
    }

    /** Returns the hold behind this handle, which may be another handle. */
    Hold to() {
        return to;
    }

    @Override
    public Peer peer() {
        return FencedHold.of(to).orElseThrow().peer();
    }

    @Override
    public String name() {
        return to.name();
    }

    @Override
    public long token() {
        return to.token();
    }

    @Override
    public long turn() {
        return to.turn();
    }

    @Override
    public Guarantees guarantees() {
        return to.guarantees();
    }

    @Override
    public HoldState state() {
        return to.state();
    }

    @Override
    public Duration remaining() {
        return to.remaining();
    }

    @Override
    public void ensureValid(Duration atLeast) {
        to.ensureValid(atLeast);
    }

    @Override
    public Subscription onLost(Runnable listener) {
        return to.onLost(listener);
    }

    @Override
    public Subscription onState(Consumer<HoldState> listener) {
        return to.onState(listener);
    }

    @Override
    public Subscription onReleaseRequested(Consumer<ReleaseRequest> listener) {
        return to.onReleaseRequested(listener);
    }

    @Override
    public void close() {
        to.close();
    }

    @Override
    public CompletableFuture<Void> releaseAsync() {
        return to.releaseAsync();
    }

    @Override
    public String toString() {
        return to.toString();
    }
}
