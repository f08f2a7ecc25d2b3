package io.baton.internal.line;

import io.baton.internal.session.BoundedCalls;
import io.baton.internal.session.SessionBound;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.recipe.LineMember;
import io.baton.recipe.LineMembers;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import io.baton.spi.Peer;
import io.baton.spi.Session;
import io.baton.spi.support.RepeatedRefusal;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A listener of all members of a line, with their payloads. An entry does not change, so each is read once.
 *
 * <p>What is known is current while in contact. After a break, the observation tells only of a change. So the line is
 * read once more: what is known is current again once that reading shows the same, or the observation has told.
 *
 * <p>On the loop.
 */
public final class MembersSubscription implements SessionBound {

    private static final int AT_ONCE = 32;

    /** Before the second attempt; doubles with each. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    private static final int MOST_DOUBLINGS = 5;

    private final Line line;
    private final ClientLoop loop;
    private final Consumer<LineMembers> to;
    private final RepeatedRefusal refused;
    private final Map<Peer, LineMember> known = new HashMap<>();
    private LineMembers told = new LineMembers(List.of(), false);
    private boolean inContact;
    private int breaks;
    private @Nullable Following following;

    /**
     * Observes nothing yet.
     *
     * @param refused hears of each reading that fails in contact
     */
    public MembersSubscription(Line line, ClientLoop loop, Consumer<LineMembers> to, RepeatedRefusal refused) {
        this.line = line;
        this.loop = loop;
        this.to = to;
        this.refused = refused;
    }

    @Override
    public void connected() {
        inContact = true;
        if (following != null) {
            following.verify();
        }
    }

    @Override
    public void suspended() {
        inContact = false;
        breaks++;
        if (following != null) {
            following.verified = false;
        }
        tell(told.members(), false);
    }

    @Override
    public void begin(Session session) {
        stop();
        Following next = new Following(session);
        following = next;
        next.end = session.observePeers(line, next::listed);
    }

    @Override
    public void stop() {
        refused.resolved();
        Following last = following;
        following = null;
        if (last != null) {
            last.end.run();
        }
    }

    @Override
    public void lost() {
        refused.resolved();
        following = null;
        suspended();
    }

    private void tell(List<LineMember> members, boolean current) {
        LineMembers now = new LineMembers(members, current);
        if (!now.equals(told)) {
            told = now;
            to.accept(now);
        }
    }

    /** The observation in one session. */
    private final class Following {

        private final Session session;
        private Runnable end = () -> {};
        private @Nullable List<Peer> newest;
        private boolean reading;
        private int failedReads;
        private Loop.@Nullable Timer readAgain;
        private boolean verified = true;

        Following(Session session) {
            this.session = session;
        }

        void listed(List<Peer> peers) {
            newest = peers;
            verified = inContact;
            read();
        }

        /** Reads the entries that are not known yet. Listings that come meanwhile are merged. */
        private void read() {
            List<Peer> now = newest;
            if (following != this || now == null || reading) {
                return;
            }
            if (readAgain != null) {
                readAgain.cancel();
                readAgain = null;
            }
            reading = true;
            known.keySet().retainAll(new HashSet<>(now));
            Futures.onDone(BoundedCalls.all(now, AT_ONCE, this::entry), (all, failure) -> {
                reading = false;
                if (following != this) {
                    return;
                }
                if (failure != null) {
                    failed(failure);
                    readAgain = loop.after(pause(failedReads++), this::read);
                    return;
                }
                failedReads = 0;
                boolean current = verified && inContact;
                if (current) {
                    refused.resolved();
                }
                tell(all.stream().flatMap(Optional::stream).toList(), current);
                if (!now.equals(newest)) {
                    read();
                }
            });
        }

        private CompletableFuture<Optional<LineMember>> entry(Peer peer) {
            LineMember before = known.get(peer);
            if (before != null) {
                return CompletableFuture.completedFuture(Optional.of(before));
            }
            return session.details(peer).toCompletableFuture().thenApply(found -> {
                found.ifPresent(entry -> known.put(peer, new LineMember(entry)));
                return Optional.ofNullable(known.get(peer));
            });
        }

        /** Reads the line once more after a break: it may have changed, or not. */
        void verify() {
            verify(breaks, 0);
        }

        private void verify(int contact, int attempts) {
            // After another break, this is done anew.
            if (following != this || verified || !inContact || breaks != contact) {
                return;
            }
            Futures.onDone(session.peers(line), (now, failure) -> {
                if (failure == null && breaks == contact && now.equals(newest)) {
                    verified = true;
                    read();
                } else {
                    if (failure != null && breaks == contact) {
                        failed(failure);
                    }
                    loop.after(pause(attempts), () -> verify(contact, attempts + 1));
                }
            });
        }

        private void failed(Throwable why) {
            if (following == this && inContact) {
                refused.refused(String.valueOf(Futures.cause(why).getMessage()));
            }
        }
    }

    private static Duration pause(int attempts) {
        return PAUSE.multipliedBy(1L << Math.min(attempts, MOST_DOUBLINGS));
    }
}
