package io.baton.internal.lock;

import io.baton.recipe.Futures;
import io.baton.recipe.LineAcquisition;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A recipe's attempt to come first in a line: one {@link Acquisition}. */
public final class DefaultLineAcquisition implements LineAcquisition {

    private final Acquisition acquisition;
    private final Listener to;
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private volatile boolean withdrawn;

    public DefaultLineAcquisition(Acquisition acquisition, Listener to) {
        this.acquisition = acquisition;
        this.to = to;
        acquisition.onWaiting(to::waiting);
        Futures.onDone(acquisition.decision(), this::decided);
        Futures.onDone(acquisition.removal(), (done, failure) -> {
            if (failure == null) {
                gone.complete(null);
            } else {
                gone.completeExceptionally(failure);
            }
        });
    }

    @Override
    public CompletableFuture<Void> withdraw() {
        withdrawn = true;
        acquisition.cancel();
        return gone;
    }

    private void decided(Optional<FencedHold> decided, @Nullable Throwable failure) {
        if (failure != null) {
            gone.complete(null);
            to.notGranted(Optional.of(Futures.toCoordinationException(failure)));
        } else if (decided.isEmpty() || withdrawn) {
            // A hold that is granted before the cancellation runs is released by it: it must not be believed.
            to.notGranted(Optional.empty());
        } else {
            FencedHold hold = decided.get();
            to.granted(hold);
            hold.addWatcher(state -> to.changed(state, hold.inContact()));
        }
    }
}
