package io.baton.internal.line;

import io.baton.CoordinationException;
import io.baton.internal.session.SessionBound;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.recipe.Membership;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.Session;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client's entry in a line, joined anew in each session. An entry cannot be rewritten: each update joins a new one,
 * and the former is removed once that stands. Updates are batched with jitter, so that many clients do not write at the
 * same moment, and none writes too often. On the loop, except where it says any thread.
 */
public final class DefaultMembership implements Membership, SessionBound {

    private static final Duration SHORTEST = Duration.ofMillis(200);
    private static final Duration SPREAD = Duration.ofMillis(800);
    private static final Duration BETWEEN = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final Line line;
    private final ClientLoop loop;
    private final Consumer<DefaultMembership> onClosed;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private byte @Nullable [] newest;
    private @Nullable Session session;
    private @Nullable Stand joining;
    private @Nullable Stand standing;
    private Loop.@Nullable Timer timer;
    private Duration pause = SHORTEST;
    private boolean begun;
    private long joinedAt;
    private boolean over;

    public DefaultMembership(Line line, ClientLoop loop, Consumer<DefaultMembership> onClosed) {
        this.line = line;
        this.loop = loop;
        this.onClosed = onClosed;
    }

    @Override
    public void publish(byte[] news) {
        byte[] copy = news.clone();
        loop.post(() -> {
            newest = copy;
            if (!begun) {
                // The first entry joins at once: only later updates tend to come from many clients at the same moment.
                join();
            } else {
                joinLater();
            }
        });
    }

    @Override
    public CompletableFuture<Void> close() {
        if (!loop.post(this::end)) {
            closed.complete(null);
        }
        return closed;
    }

    @Override
    public void begin(Session now) {
        session = now;
        if (newest != null) {
            if (begun) {
                joinLater();
            } else {
                join();
            }
        }
    }

    /** Ends all joining; the present entry goes with the session. */
    @Override
    public void stop() {
        lost();
    }

    @Override
    public void lost() {
        session = null;
        joining = null;
        standing = null;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void joinLater() {
        if (timer == null && session != null && !over) {
            Duration spread = pause.plusNanos(Math.floorMod(loop.randomLong(), SPREAD.toNanos()));
            Duration rest = BETWEEN.minusNanos(loop.nanoTime() - joinedAt);
            timer = loop.after(spread.compareTo(rest) > 0 ? spread : rest, () -> {
                timer = null;
                join();
            });
        }
    }

    private void join() {
        if (session == null || newest == null || over || joining != null) {
            return; // a join under way comes back here once it is answered
        }
        if (standing != null && Arrays.equals(standing.says, newest)) {
            return;
        }
        begun = true;
        joinedAt = loop.nanoTime();
        Stand next = new Stand(newest);
        joining = next;
        next.place = session.join(line, newest, next);
    }

    private void joined(Stand joined) {
        if (joining != joined) {
            return;
        }
        Stand former = standing;
        joining = null;
        standing = joined;
        pause = SHORTEST;
        if (former != null) {
            former.leave();
        }
        if (!Arrays.equals(joined.says, newest)) {
            joinLater();
        }
    }

    private void removed(Stand gone) {
        if (gone == joining) {
            joining = null;
        } else if (gone == standing) {
            standing = null;
        } else {
            return;
        }
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
        joinLater();
    }

    private void end() {
        if (over) {
            return;
        }
        over = true;
        onClosed.accept(this);
        CompletableFuture<?>[] leaving = {leave(joining), leave(standing)};
        lost();
        Futures.onDone(CompletableFuture.allOf(leaving), (done, failure) -> closed.complete(null));
    }

    private static CompletableFuture<Void> leave(@Nullable Stand stand) {
        return stand == null ? CompletableFuture.completedFuture(null) : stand.leave();
    }

    /** One entry. */
    private final class Stand implements PlaceListener {

        private final byte[] says;
        private @Nullable Place place;

        Stand(byte[] says) {
            this.says = says;
        }

        CompletableFuture<Void> leave() {
            return place == null
                    ? CompletableFuture.completedFuture(null)
                    : place.leave().toCompletableFuture();
        }

        @Override
        public void waiting() {
            joined(this);
        }

        @Override
        public void clear(Entry mine) {
            joined(this);
        }

        @Override
        public void lost(CoordinationException why) {
            DefaultMembership.this.removed(this);
        }
    }
}
