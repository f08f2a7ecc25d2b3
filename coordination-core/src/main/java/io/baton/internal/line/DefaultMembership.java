package io.baton.internal.line;

import io.baton.CoordinationException;
import io.baton.MembershipState;
import io.baton.internal.session.SessionBound;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.recipe.Membership;
import io.baton.spi.Claim;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.Proof;
import io.baton.spi.Session;
import io.baton.spi.support.RepeatedRefusal;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client's entry in a line, joined anew in each session. An entry cannot be rewritten: each update joins a new one,
 * and the former is removed once that stands. Updates are batched with jitter, so that many clients do not write at the
 * same moment, and none writes too often.
 *
 * <p>While an entry stands, it is certain to stand until the session's proof runs out: no store drops it before. Then the
 * membership is lost, as a hold would be. A proof that comes later makes it certain again, as the session, and the entry
 * with it, has not ended; the loss is reported nevertheless. On the loop, except where it says any thread.
 */
public final class DefaultMembership implements Membership, SessionBound {

    private static final String UNPROVEN = "the store did not confirm the session before its deadline";
    private static final Duration SHORTEST = Duration.ofMillis(200);
    private static final Duration SPREAD = Duration.ofMillis(800);
    private static final Duration BETWEEN = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final Line line;
    private final ClientLoop loop;
    private final int maxBytes;
    private final Listener to;
    private final RepeatedRefusal refused;
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
    private boolean inContact;
    private volatile Status status = new Status(null, false, false);
    private MembershipState told = MembershipState.JOINING;
    private Loop.@Nullable Timer deadline;
    private long deadlineNanos;

    /**
     * Publishes nothing yet.
     *
     * @param maxBytes the largest payload
     * @param refused hears of each entry that could not be made
     */
    public DefaultMembership(
            Line line,
            ClientLoop loop,
            int maxBytes,
            Listener to,
            RepeatedRefusal refused,
            Consumer<DefaultMembership> onClosed) {
        this.line = line;
        this.loop = loop;
        this.maxBytes = maxBytes;
        this.to = to;
        this.refused = refused;
        this.onClosed = onClosed;
    }

    /**
     * What the state follows from, with the clocks.
     *
     * @param proof of the session in which the entry stands; null if none does
     */
    private record Status(@Nullable Proof proof, boolean inContact, boolean closed) {

        long remainingNanos(long nowNanos) {
            return proof == null ? 0 : Math.max(0, proof.remainingNanos(nowNanos));
        }
    }

    /** Any thread. */
    @Override
    public MembershipState state() {
        Status seen = status;
        if (seen.closed) {
            return MembershipState.CLOSED;
        }
        long now = loop.nanoTime();
        Proof proof = seen.proof;
        if (proof == null || seen.remainingNanos(now) == 0) {
            return MembershipState.JOINING;
        }
        boolean doubtful = proof.doubtful(now, loop.wallMillis());
        return seen.inContact && !doubtful ? MembershipState.JOINED : MembershipState.JEOPARDY;
    }

    /** Any thread. */
    @Override
    public Duration remaining() {
        Proof proof = status.proof;
        long left = proof == null ? 0 : proof.carefulRemainingNanos(loop.nanoTime(), loop.wallMillis());
        return Duration.ofNanos(Math.max(0, left));
    }

    @Override
    public void connected() {
        inContact = true;
        update("");
    }

    @Override
    public void suspended() {
        inContact = false;
        update("");
    }

    @Override
    public void proven() {
        update("");
    }

    private void deadlineOver() {
        deadline = null;
        update(UNPROVEN);
    }

    /** Notes what holds now, and reports the state if it is another one. */
    private void update(String why) {
        Proof proof = session == null || standing == null ? null : session.proof();
        Status next = new Status(proof, inContact, over);
        long now = loop.nanoTime();
        long left = next.remainingNanos(now);
        if (isIn(told) && status.remainingNanos(now) == 0 && left > 0) {
            tell(MembershipState.JOINING, UNPROVEN); // nobody has noticed that, as the process was frozen
        }
        status = next;
        // A proof that is better leaves the timer: it sees that when it fires.
        if (deadline != null && (left == 0 || now + left - deadlineNanos < 0)) {
            deadline.cancel();
            deadline = null;
        }
        if (left > 0 && deadline == null) {
            deadlineNanos = now + left;
            deadline = loop.after(Duration.ofNanos(left), this::deadlineOver);
        }
        MembershipState is = state();
        if (is != told) {
            tell(is, why.isEmpty() ? UNPROVEN : why);
        }
    }

    private static boolean isIn(MembershipState state) {
        return state == MembershipState.JOINED || state == MembershipState.JEOPARDY;
    }

    private void tell(MembershipState state, String whyIfLost) {
        told = state;
        to.changed(state, state == MembershipState.JOINING ? whyIfLost : "");
    }

    @Override
    public void publish(byte[] news) {
        if (news.length > maxBytes) {
            throw new IllegalArgumentException(
                    "an entry may have " + maxBytes + " bytes on this store; this one has " + news.length);
        }
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
        over = true;
        refused.resolved();
        forget("");
        closed.complete(null);
    }

    @Override
    public void lost() {
        forget("the session has ended");
    }

    private void forget(String why) {
        boolean had = joining != null || standing != null;
        inContact = false;
        session = null;
        joining = null;
        standing = null;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
        update(why);
        if (had && !over) {
            to.gone(why);
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
        next.place = session.join(line, claim(), newest, next);
    }

    private Claim claim() {
        return line.kind() == Line.Kind.PERMITS ? Claim.permits(1) : Claim.EXCLUSIVE;
    }

    private void joined(Stand joined) {
        if (joining != joined) {
            return;
        }
        Stand former = standing;
        joining = null;
        standing = joined;
        pause = SHORTEST;
        refused.resolved();
        if (former != null) {
            former.leave();
        }
        update("");
        if (!Arrays.equals(joined.says, newest)) {
            joinLater();
        }
    }

    private void removed(Stand gone, String why) {
        if (gone == joining) {
            joining = null;
            refused.refused(why);
        } else if (gone == standing) {
            standing = null;
            update(why);
        } else {
            return;
        }
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
        joinLater();
        to.gone(why);
    }

    private void end() {
        if (over) {
            return;
        }
        over = true;
        refused.resolved();
        onClosed.accept(this);
        CompletableFuture<?>[] leaving = {leave(joining), leave(standing)};
        forget("");
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
            DefaultMembership.this.removed(this, String.valueOf(why.getMessage()));
        }
    }
}
