package io.baton.tck.sim.kernel;

import io.baton.CoordinationException;
import io.baton.LockLostException;
import io.baton.recipe.Futures;
import io.baton.spi.Claim;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.Session;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What a client does in one line: it joins, holds for a while, maybe shares the line from some moment on, and leaves. It
 * takes permits only once those of all entries up to its own one fit.
 */
final class StepContender implements PlaceListener {

    final Line line;
    private final KernelClient client;
    private final KernelRun run;
    private final SplittableRandom chance;
    private Claim claim;
    private @Nullable Place place;
    private @Nullable Peer peer;
    private boolean granted;
    private boolean shared;
    private boolean knownToBeShared;
    private long joinedAt;
    private long sharedAt;

    StepContender(KernelClient client, KernelRun run, Line line, SplittableRandom chance) {
        this.client = client;
        this.run = run;
        this.line = line;
        this.chance = chance;
        this.claim = someClaim();
    }

    private Claim someClaim() {
        return switch (line.kind()) {
            case MUTEX -> Claim.EXCLUSIVE;
            case READ_WRITE -> chance.nextBoolean() ? Claim.SHARED : Claim.EXCLUSIVE;
            case PERMITS -> Claim.permits(1 + chance.nextInt(KernelRun.PERMITS));
        };
    }

    void join(Session session) {
        forget();
        joinedAt = run.sim.now();
        claim = someClaim();
        client.note("joins " + line);
        place = session.join(line, claim, new byte[0], this);
        if (chance.nextInt(5) == 0) {
            leaveAfter(chance.nextInt(500));
        }
    }

    void leave() {
        Place its = place;
        Peer left = peer;
        if (its != null) {
            client.note("leaves " + line);
            forget();
            int generation = run.server.generation;
            client.expectEnd("leaving " + line, its.leave(), (done, failure) -> {
                // What a fail-over brings back, once it was known to be gone, goes with the next attach or the session.
                if (failure == null
                        && left != null
                        && !run.server.everEnded.contains(
                                left.name().substring(0, left.name().lastIndexOf('-')))
                        && generation == run.server.generation
                        && !run.server.removedByOthers.contains(left.order())) {
                    run.expect(!run.server.state().stands(left), () -> left + " has left and stands");
                }
            });
            client.rejoinLater(this);
        }
    }

    private void forget() {
        place = null;
        peer = null;
        granted = false;
        shared = false;
        knownToBeShared = false;
    }

    private void leaveAfter(int millis) {
        Place its = place;
        client.later(millis, () -> {
            if (place == its && !stays()) {
                leave();
            }
        });
    }

    /**
     * A hold stays until its downgrade is confirmed. One that shares the line when the trouble is over does so to the end,
     * so that the mark is seen to be kept.
     */
    private boolean stays() {
        return shared && !(knownToBeShared && run.server.trouble);
    }

    @Override
    public void waiting() {
        run.counts.add("waits");
    }

    @Override
    public void clear(Entry mine) {
        client.note("is clear in " + line + " as " + mine.token());
        peer = mine.peer();
        if (line.kind() == Line.Kind.PERMITS) {
            countPermits();
        } else {
            grant(mine.peer());
        }
    }

    private void countPermits() {
        Session session = client.session();
        Place its = place;
        Peer mine = peer;
        if (session == null || its == null || mine == null) {
            return;
        }
        client.expectEnd("reading " + line, session.peers(line), (peers, failure) -> {
            if (place != its) {
                return;
            }
            if (failure == null && peers.contains(mine) && permitsUpTo(mine, peers) <= KernelRun.PERMITS) {
                grant(mine);
            } else {
                run.counts.add("permits that had to wait");
                client.later(100 + chance.nextInt(400), () -> {
                    if (place == its) {
                        countPermits();
                    }
                });
            }
        });
    }

    private static int permitsUpTo(Peer mine, List<Peer> peers) {
        return peers.stream()
                .filter(other -> other.order() <= mine.order())
                .mapToInt(other -> other.claim().permits())
                .sum();
    }

    private void grant(Peer mine) {
        granted = true;
        if (holds()) {
            run.granted(mine);
        }
        boolean longer = chance.nextInt(5) == 0;
        leaveAfter(chance.nextInt(longer ? 4_000 : 800));
        if (line.kind() == Line.Kind.READ_WRITE && claim.equals(Claim.EXCLUSIVE) && chance.nextBoolean()) {
            Place its = place;
            client.later(chance.nextInt(300), () -> {
                if (place == its) {
                    downgrade();
                }
            });
        }
    }

    private void downgrade() {
        Place its = place;
        if (its != null) {
            client.note("shares " + line);
            shared = true;
            sharedAt = run.sim.now();
            client.expectEnd("downgrade in " + line, its.downgrade(), (done, failure) -> {
                if (failure == null && place == its) {
                    run.counts.add("downgrades");
                    knownToBeShared = true;
                    leaveAfter(chance.nextInt(500));
                } else if (failure != null) {
                    client.later(0, () -> {
                        if (place == its) {
                            refused(failure);
                        }
                    });
                }
            });
        }
    }

    /** A place that still stands was refused its downgrade, and is given up. */
    private void refused(Throwable downgrade) {
        run.expect(
                !(Futures.cause(downgrade) instanceof LockLostException),
                () -> line + " is held, and its downgrade failed as if it were not");
        run.counts.add("downgrades refused");
        leave();
    }

    @Override
    public void lost(CoordinationException why) {
        client.note("lost its place in " + line + ": " + why.getMessage());
        run.counts.add(granted ? "holds lost" : "places lost");
        forget();
        client.rejoinLater(this);
    }

    // ---- for the run

    boolean isOut() {
        return place == null;
    }

    /** The entry of the hold; null if there is none. */
    @Nullable
    Peer held() {
        return granted ? peer : null;
    }

    boolean excludes() {
        return claim.equals(Claim.EXCLUSIVE) && !shared;
    }

    Claim claim() {
        return claim;
    }

    /** Whether the client believes to hold the line, and may. */
    boolean holds() {
        return granted && peer != null && !run.server.removedByOthers.contains(peer.order()) && client.isProven();
    }

    /** All is well: what could be granted was, and what is shared is known to be. */
    void checkProgress(String session) {
        StepState state = run.server.state();
        if (shared && run.sim.now() - sharedAt > KernelRun.PATIENCE.toNanos()) {
            run.sim.check(knownToBeShared, () -> client.name + " has waited for its downgrade since " + sharedAt);
        }
        if (knownToBeShared) {
            run.sim.check(
                    state.line(line).stream()
                            .filter(entry -> entry.peer().equals(peer))
                            .allMatch(entry -> StepState.claim(entry).equals(Claim.SHARED)),
                    () -> client.name + " does not share " + line);
        }
        long since = Math.max(joinedAt, client.connectedAt());
        if (place != null && !granted && run.sim.now() - since > KernelRun.PATIENCE.toNanos()) {
            boolean waits =
                    state.line(line).stream().anyMatch(entry -> entry.session().equals(session))
                            && state.clear(line).stream()
                                    .noneMatch(entry -> entry.session().equals(session));
            run.sim.check(waits, () -> client.name + " has waited for " + line + " since " + since);
        }
    }
}
