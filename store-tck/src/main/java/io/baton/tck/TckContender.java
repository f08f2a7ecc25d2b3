package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.spi.Entry;
import io.baton.spi.Peer;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A contender that records the events it receives, and those that break the rules. */
final class TckContender implements PlaceListener {

    private final TckClient client;
    private final Consumer<TckContender> onClear;
    private final List<String> told = new CopyOnWriteArrayList<>();
    private volatile @Nullable Entry entry;
    private volatile @Nullable CoordinationException whyGone;
    private volatile long clearNanos;

    /** Used on the client's loop only. */
    private @Nullable Place place;

    private boolean left;

    TckContender(TckClient client, Consumer<TckContender> onClear) {
        this.client = client;
        this.onClear = onClear;
    }

    void placed(Place here) {
        place = here;
    }

    // ---- waiting for events ----

    /** Waits until clear; returns its own entry. */
    Entry awaitClear() {
        Chapter.soon().until(() -> entry != null || whyGone != null);
        Entry mine = entry;
        if (mine == null) {
            throw new AssertionError("never clear; was told " + told, whyGone);
        }
        return mine;
    }

    TckContender awaitWaits() {
        Chapter.soon().until(() -> !told.isEmpty());
        assertThat(told).containsExactly("waits");
        return this;
    }

    CoordinationException awaitGone() {
        // If only an audit can find it, this may take a while.
        Chapter.soon().atMost(Duration.ofSeconds(60)).until(() -> whyGone != null);
        CoordinationException why = whyGone;
        if (why == null) {
            throw new AssertionError("told gone without a reason");
        }
        return why;
    }

    // ---- leaving ----

    /** Leaves, and waits until the entry is certain to be gone. */
    void leave() throws InterruptedException {
        Chapter.outcome(leaving());
    }

    /** Leaves. */
    CompletableFuture<Void> leaving() {
        var gone = new CompletableFuture<Void>();
        client.run(() -> leaveNow().whenComplete((done, failure) -> {
            if (failure != null) {
                gone.completeExceptionally(failure);
            } else {
                gone.complete(null);
            }
        }));
        return gone;
    }

    /** As {@link #leaving}, for code that runs on the loop. */
    CompletionStage<Void> leaveNow() {
        Place here = place;
        if (here == null) {
            throw new IllegalStateException("has not joined");
        }
        CompletionStage<Void> gone = client.call(here::leave);
        left = true;
        return gone;
    }

    // ---- events ----

    /** {@code waits}, {@code clear} and {@code gone}, in the order of the events. */
    List<String> told() {
        return told;
    }

    boolean isClear() {
        return entry != null && whyGone == null;
    }

    Peer peer() {
        return awaitClear().peer();
    }

    /** The token from the clear event. */
    long token() {
        return mine().token();
    }

    /** The contender's own entry, from the clear event. */
    Entry mine() {
        Entry mine = entry;
        if (mine == null) {
            throw new AssertionError("not clear");
        }
        return mine;
    }

    /** The time of the clear event. */
    long clearNanos() {
        return clearNanos;
    }

    TckClient client() {
        return client;
    }

    /** Whether no more events may come. On the loop. */
    boolean isOver() {
        return left || whyGone != null;
    }

    @Override
    public void waiting() {
        note("waits");
        if (told.size() > 1) {
            client.breach("waits was told after " + told);
        }
    }

    @Override
    public void clear(Entry mine) {
        note("clear");
        if (entry != null) {
            client.breach("clear was told twice");
        }
        clearNanos = System.nanoTime();
        entry = mine;
        onClear.accept(this);
    }

    @Override
    public void lost(CoordinationException why) {
        note("gone");
        whyGone = why;
    }

    private void note(String event) {
        client.check(event);
        if (left) {
            client.breach(event + " was told after leave");
        }
        if (whyGone != null) {
            client.breach(event + " was told after gone");
        }
        told.add(event);
    }
}
