package io.baton.internal.lock;

import io.baton.CoordinationException;
import io.baton.LockOptions;
import io.baton.Subscription;
import io.baton.Telemetry.NotGranted.Reason;
import io.baton.internal.lock.AcquisitionMachine.Event;
import io.baton.recipe.Futures;
import io.baton.spi.Loop;
import io.baton.spi.Peer;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one coordinator that share one place in a lock's line. On the loop.
 *
 * <p>They hold the lock one after the other, in the order in which they asked. A hand-over from one to the next changes
 * nothing in the store: the new hold has the same entry and token, and the next turn. Three rules keep that safe. The
 * session must be proven alive at that very step, as for a grant in the line. The former hold has ended before. And the
 * transactions that it guards have been answered: if one of them may still be applied, the place is given up instead,
 * as the store refuses what is guarded by an entry that is gone.
 *
 * <p>For others there are two bounds, once they are seen in the line: a number of hand-overs, and a time. To see them,
 * the cohort observes the line from the grant until another contender has joined; from then on the bounds end its turn.
 * A cohort without waiting members may keep the place for a while (linger), until another contender joins.
 *
 * <p>A place that goes with its session is entered again in the next one, at the end of the line.
 *
 * <p>Source: D. Dice, V. Marathe, N. Shavit: Lock Cohorting: A General Technique for Designing NUMA Locks (2012).
 */
final class Cohort {

    /** For how long a first look at the line may take; then others are assumed to wait. */
    private static final Duration FIRST_LOOK = Duration.ofSeconds(1);

    /** The line is looked at anew after this time, as some servers lose events. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

    /** A place that is kept for longer than this listens to requests to release it. */
    private static final Duration SHORT_STAY = Duration.ofMillis(100);

    private static final Loop.Timer NONE = () -> {};

    /** Whether others stand in the line. */
    private enum Others {
        UNKNOWN,
        ABSENT,
        SEEN
    }

    private final Acquisitions all;
    private final Cohorts cohorts;
    private final Cohorts.Key key;
    private final LockOptions options;
    /** In the order in which they asked. */
    private final Set<CohortMember> waiting = new LinkedHashSet<>();

    private @Nullable Acquisition place;
    private @Nullable CohortMember owner;
    private boolean noWait;
    private boolean held;
    private Others others = Others.UNKNOWN;
    private long othersSince;
    private long observedSince;
    private int handOvers;
    private boolean ownSeen;
    private boolean toBeLeft;
    private Runnable stopObserving = () -> {};
    private Loop.Timer stay = NONE;
    private @Nullable Subscription releaseRequests;
    private volatile boolean keepsItsPlace;

    Cohort(Acquisitions all, Cohorts cohorts, Cohorts.Key key) {
        this.all = all;
        this.cohorts = cohorts;
        this.key = key;
        this.options = key.options();
    }

    /**
     * Whether a release will probably leave the place to somebody of this process, now or within a while: whoever
     * releases then need not wait for that. Any thread.
     */
    boolean keepsItsPlace() {
        return keepsItsPlace;
    }

    private void changed() {
        boolean wanted = mayLinger() || !waiting.isEmpty();
        keepsItsPlace = held && others == Others.ABSENT && !toBeLeft && wanted;
    }

    // ---- the members

    /** A member asks for a hold. */
    void ask(CohortMember member) {
        member.join(this);
        if (place != null && !lingers() && !isAskedFor() && member.noWait()) {
            member.leave(Reason.TAKEN);
            return;
        }
        waiting.add(member);
        if (place == null) {
            enter();
        } else if (lingers()) {
            stay.cancel();
            if (!handOver()) {
                leave();
            }
        } else if (isAskedFor() && !member.noWait() && place.isInContact()) {
            place.giveUpUnlessJoined(this::hasSomebodyToJoin); // it stands in no line yet
        }
        changed();
    }

    /** Whether the store's answer decides on attempts that do not wait: on one that comes now as on those before it. */
    private boolean isAskedFor() {
        return noWait && !held;
    }

    /** A member no longer wants a hold; nothing happens if it has been decided on. */
    void givesUp(CohortMember member, Reason why) {
        if (waiting.remove(member)) {
            member.leave(why);
            stopAskingForNobody();
            changed();
        }
    }

    /** A member's time limit has passed. */
    void timedOut(CohortMember member, Duration limit) {
        Optional<CoordinationException> unreached =
                place == null ? Optional.empty() : place.unreached(limit, member.noWait());
        if (unreached.isPresent() && waiting.remove(member)) {
            member.fail(Reason.FAILED, unreached.get());
            stopAskingForNobody();
        } else {
            givesUp(member, Reason.TIMED_OUT);
        }
    }

    private void stopAskingForNobody() {
        if (place != null && isAskedFor() && waiting.stream().noneMatch(CohortMember::noWait)) {
            place.giveUpUnlessJoined(this::hasSomebodyToJoin);
        }
        stopIfNobodyWaits();
    }

    /** Whether a member is to stand in the line, if the others are only told whether that is free. */
    private boolean hasSomebodyToJoin() {
        return isAskedFor() && waiting.stream().anyMatch(member -> !member.noWait());
    }

    /** In a later step: the place may not have begun to be entered. */
    private void stopIfNobodyWaits() {
        Acquisition entering = place;
        all.loop().post(() -> {
            if (waiting.isEmpty() && entering != null && entering == place && !held) {
                entering.handle(Event.CANCEL);
            }
        });
    }

    /** The owner may have released its hold; passes the place on if all is over. */
    void passOn(CohortMember member) {
        if (owner != member || !member.isOver()) {
            return;
        }
        if (!member.mayBeFollowed() || !(handOver() || linger())) {
            leave();
        }
        changed();
    }

    /** The owner decides on requests to release: if it then releases, it is the line's turn. */
    void listensToRequests(CohortMember member) {
        if (owner == member) {
            listenToRequests();
        }
    }

    // ---- the place

    private void enter() {
        noWait = waiting.stream().allMatch(CohortMember::noWait);
        if (!noWait) {
            endThoseThatDoNotWait(member -> member.leave(Reason.TAKEN));
        }
        Acquisition entering = all.beginForOthers(key.lock(), noWait);
        place = entering;
        entering.onDone(() -> ended(entering));
        Futures.onDone(entering.decision(), (granted, failure) -> {
            if (place != entering) {
                return;
            }
            if (failure != null) {
                place = null;
                failed(Futures.toCoordinationException(failure));
            } else if (granted.isEmpty()) {
                place = null;
                endThoseThatDoNotWait(member -> member.leave(Reason.TAKEN));
                enterAgain();
            } else {
                all.loop().post(() -> granted(entering)); // after the step of its machine that grants it
            }
        });
    }

    /** The failure of an attempt that does not wait ends no attempt that waits, unless the coordinator closes. */
    private void failed(CoordinationException why) {
        Reason reason = all.isClosed() ? Reason.CLOSED : Reason.FAILED;
        if (noWait && !all.isClosed()) {
            endThoseThatDoNotWait(member -> member.fail(reason, why));
        } else {
            List<CohortMember> failed = List.copyOf(waiting);
            waiting.clear();
            failed.forEach(member -> member.fail(reason, why));
        }
        enterAgain();
    }

    private void endThoseThatDoNotWait(Consumer<CohortMember> end) {
        List<CohortMember> ending =
                waiting.stream().filter(CohortMember::noWait).toList();
        ending.forEach(waiting::remove);
        ending.forEach(end);
    }

    private void granted(Acquisition granted) {
        if (place != granted) {
            return; // given up, or lost at once
        }
        held = true;
        observe(granted);
        handOvers = -1; // the first owner has the line's turn
        if (handOver()) {
            endThoseThatDoNotWait(member -> member.leave(Reason.TAKEN));
        } else if (!linger()) {
            leave();
        }
    }

    /** Looks at the line; until that shows something, others are assumed to wait, from now on. */
    private void observe(Acquisition at) {
        others = Others.UNKNOWN;
        othersSince = all.loop().nanoTime();
        handOvers = 0;
        look(at);
    }

    private void look(Acquisition at) {
        stopObserving.run();
        observedSince = all.loop().nanoTime();
        String own = at.entryName();
        stopObserving = at.observe(peers -> look(peers, own));
    }

    private void look(List<Peer> line, String own) {
        boolean ownStands = line.stream().anyMatch(peer -> peer.name().equals(own));
        if (ownSeen && !ownStands) {
            toBeLeft = true; // it is gone, which the place is told in its own way
        }
        ownSeen |= ownStands;
        boolean somebody = line.size() > (ownStands ? 1 : 0);
        if (others != Others.SEEN) {
            others = somebody ? Others.SEEN : Others.ABSENT;
            if (somebody) {
                othersSince = all.loop().nanoTime();
                stopObserving.run();
            }
        }
        if (lingers() && (somebody || toBeLeft)) {
            leave();
        }
        changed();
    }

    private boolean lingers() {
        return held && owner == null;
    }

    /** Gives the place to the next member. Returns false if it is the line's turn, or if the place cannot be passed. */
    private boolean handOver() {
        Iterator<CohortMember> next = waiting.iterator();
        if (!next.hasNext() || place == null || isLinesTurn()) {
            return false;
        }
        CohortMember to = next.next();
        Optional<FencedHold> hold = place.pass(to, to.telemetry());
        if (hold.isEmpty()) {
            return false;
        }
        next.remove();
        handOvers += others == Others.ABSENT && handOvers >= 0 ? 0 : 1;
        lookAgainIfLongAgo();
        succeed(to);
        to.grant(place, hold.get());
        return true;
    }

    private boolean isLinesTurn() {
        if (toBeLeft || handOvers < 0 || others == Others.ABSENT) {
            return toBeLeft;
        }
        boolean bounded = handOvers < options.cohort() && since(othersSince).compareTo(options.cohortFor()) < 0;
        boolean early = others == Others.UNKNOWN && options.cohort() == 0 && !isUnseenForLong();
        return !(bounded || early);
    }

    private void lookAgainIfLongAgo() {
        boolean longAgo = since(observedSince).compareTo(LOOK_AGAIN) > 0;
        if (place != null && longAgo && others == Others.ABSENT) {
            observe(place);
        } else if (place != null && longAgo && others == Others.UNKNOWN) {
            look(place);
        }
    }

    private boolean mayLinger() {
        return !options.linger().isZero() && !cohorts.areTooMany();
    }

    private boolean linger() {
        boolean needless = !mayLinger() || !waiting.isEmpty() || others == Others.SEEN;
        if (needless || toBeLeft || isUnseenForLong() || place == null) {
            return false;
        }
        if (place.pass(place, AcquisitionTelemetry.NONE).isEmpty()) {
            return false;
        }
        succeed(null);
        stay(options.linger());
        return true;
    }

    private void stay(Duration rest) {
        boolean settled = others == Others.ABSENT && releaseRequests != null;
        Duration most = settled ? LOOK_AGAIN : SHORT_STAY;
        Duration next = rest.compareTo(most) < 0 ? rest : most;
        stay = all.loop().after(next, () -> stayOn(rest.minus(next)));
    }

    private void stayOn(Duration rest) {
        if (!lingers()) {
            return;
        }
        if (rest.isZero() || isUnseenForLong()) {
            leave();
            return;
        }
        listenToRequests();
        lookAgainIfLongAgo();
        stay(rest);
    }

    /** Whether the line has not been seen, though there was the time for that. */
    private boolean isUnseenForLong() {
        return others == Others.UNKNOWN && since(othersSince).compareTo(FIRST_LOOK) > 0;
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(all.loop().nanoTime() - nanos);
    }

    private void listenToRequests() {
        Acquisition asked = place;
        if (releaseRequests == null && asked != null) {
            releaseRequests = asked.onReleaseRequested(() -> {
                if (place == asked) {
                    toBeLeft = true;
                    if (lingers()) {
                        leave();
                    }
                    changed();
                }
            });
        }
    }

    private void succeed(@Nullable CohortMember next) {
        CohortMember former = owner;
        owner = next;
        if (former != null) {
            former.succeeded();
        }
    }

    private void leave() {
        if (place != null) {
            place.handle(Event.CLOSE);
        }
    }

    /** The place is left or lost. */
    private void ended(Acquisition done) {
        if (place != done) {
            return;
        }
        if (owner != null) {
            owner.endsWith(done.removal());
        }
        stay.cancel();
        stopObserving.run();
        if (releaseRequests != null) {
            releaseRequests.close();
        }
        owner = null;
        place = null;
        held = false;
        ownSeen = false;
        toBeLeft = false;
        others = Others.UNKNOWN;
        releaseRequests = null;
        changed();
        enterAgain();
    }

    private void enterAgain() {
        if (place == null && !waiting.isEmpty()) {
            enter();
        } else if (place == null) {
            cohorts.forget(key);
        }
    }
}
