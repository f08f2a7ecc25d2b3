package io.baton.election;

import io.baton.CheckReturnValue;
import io.baton.Coordinator;
import io.baton.Dialect;
import io.baton.Subscription;
import io.baton.election.internal.DefaultCandidacy;
import io.baton.election.internal.handover.HandOverCalls;
import io.baton.election.internal.handover.HandOverRequest;
import io.baton.election.internal.handover.Pausing;
import io.baton.election.internal.handover.Pin;
import io.baton.election.internal.line.ElectionLine;
import io.baton.election.internal.line.PauseRecord;
import io.baton.election.internal.observe.LeaderTracker;
import io.baton.election.internal.standby.StateRecord;
import io.baton.election.internal.term.AsyncWork;
import io.baton.election.internal.term.LeaderWork;
import io.baton.election.internal.term.ThreadWork;
import io.baton.recipe.Callbacks;
import io.baton.recipe.Futures;
import io.baton.recipe.ListenerQueue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * An election, in which one candidate leads at a time, in the order of arrival.
 *
 * <pre>{@code
 * LeaderElection election = LeaderElection.named(baton, "dispatcher");
 * try (Candidacy me = election.run(Candidate.of("node-1"), leadership -> {
 *     while (leadership.stopReason().isEmpty()) {
 *         dispatchNext(leadership); // writes with leadership.guard(), or leadership.term()
 *     }
 * })) {
 *     serve();
 * }
 * }</pre>
 *
 * <p>This object keeps no state. All processes that use the same name on the same store share the election.
 * <b>Threads.</b> All methods may be called by any thread.
 */
public final class LeaderElection {

    /** The tree of records in which hand-overs are agreed, one record by the election's name; it stays there. */
    public static final String HAND_OVERS = "baton.handovers";

    /** The tree of records that say which elections are paused, one by the election's name while it is. */
    public static final String PAUSES = "baton.pauses";

    private final Coordinator coordinator;
    private final ElectionLine line;

    private LeaderElection(Coordinator coordinator, ElectionLine line) {
        this.coordinator = coordinator;
        this.line = line;
    }

    /** Returns the election of this name, any non-empty string. Does not contact the store. */
    public static LeaderElection named(Coordinator coordinator, String name) {
        return new LeaderElection(coordinator, ElectionLine.named(coordinator, name));
    }

    /**
     * Returns the election at exactly this path of the store, with entries named as in this dialect. It serves to take
     * part with programs that do not use Baton. Only a candidate's id is stored there, as these programs do. Does not
     * contact the store.
     *
     * @param path from the store's own root, whatever the URI's, as {@code /legacy/leader}. On etcd it may do without
     *     the slash in front: {@code report} is the election of {@code etcdctl elect report}, and another one than
     *     {@code /report}. ZooKeeper refuses a path without one.
     * @throws IllegalArgumentException if this store cannot have such a path or dialect
     */
    public static LeaderElection at(Coordinator coordinator, String path, Dialect dialect) {
        return new LeaderElection(coordinator, ElectionLine.at(coordinator, path, dialect));
    }

    /** The election's name, or its path. */
    public String name() {
        return line.name();
    }

    /**
     * Stands for election until closed, and leads on a thread of its own. Work that throws or ends at once is restarted
     * with growing delays of up to 5 s, until a term has lasted for a minute or has ended without a failure.
     *
     * @throws IllegalArgumentException if the candidate cannot take part like this, or a candidate or an {@link
     *     ActiveStandby} of its id does already on this coordinator; the message says why
     */
    public Candidacy run(Candidate candidate, ElectionListener work) {
        return begin(candidate, new ThreadWork(work));
    }

    /**
     * Stands for election until closed; leads without a thread.
     *
     * @throws IllegalArgumentException as {@link #run} does
     */
    public Candidacy runAsync(Candidate candidate, AsyncElectionListener work) {
        return begin(candidate, new AsyncWork(work, line.callbacks()));
    }

    /** Follows the leader until closed, without being a candidate. */
    @CheckReturnValue
    public LeaderObserver observe() {
        LeaderTracker sightings = new LeaderTracker(line);
        sightings.start();
        return sightings;
    }

    /**
     * Requests a hand-over to this candidate from the leader, and waits until the candidate is first. It is {@link
     * Candidacy#handOver} from any process. If that candidate leads already, it goes on. Either way it is pinned: until
     * its term ends, no candidate of higher {@link Candidate#priority} takes over from it. The pin is in the store, and
     * outlives this process.
     *
     * @param timeout how long to wait. The leader may use half of it until the candidate is ready, and then its work
     *     has to stop. If nothing has been agreed when it is over, the request is withdrawn.
     * @throws HandOverException if it failed; the message says why
     * @throws io.baton.OutcomeUnknownException if the store does not say how it has ended, as without contact: {@link
     *     #observe} shows who leads
     * @throws IllegalStateException if called from a callback: use {@link #handOverAsync}
     * @throws InterruptedException if interrupted; the hand-over goes on
     */
    public void handOver(String candidateId, Duration timeout) throws InterruptedException {
        HandOverCalls.checkMayWait(false);
        HandOverCalls.await(ask(candidateId, timeout, Pin.Wish.TERM));
    }

    /**
     * As {@link #handOver(String, Duration)}, and the pin ends earlier than the term if this much time passes before.
     *
     * @param pin how long the new leader is pinned at most, from its election on and by the wall clocks of the
     *     candidates: more than zero, at most a year
     */
    public void handOver(String candidateId, Duration timeout, Duration pin) throws InterruptedException {
        HandOverCalls.checkMayWait(false);
        HandOverCalls.await(ask(candidateId, timeout, HandOverCalls.wish(pin)));
    }

    /** As {@link #handOver(String, Duration)} without waiting; the future fails with the same exceptions. */
    @CheckReturnValue
    public CompletableFuture<Void> handOverAsync(String candidateId, Duration timeout) {
        return line.callbacks().completeInCallback(ask(candidateId, timeout, Pin.Wish.TERM));
    }

    /** As {@link #handOver(String, Duration, Duration)} without waiting; the future fails with the same exceptions. */
    @CheckReturnValue
    public CompletableFuture<Void> handOverAsync(String candidateId, Duration timeout, Duration pin) {
        return line.callbacks().completeInCallback(ask(candidateId, timeout, HandOverCalls.wish(pin)));
    }

    private CompletableFuture<Void> ask(String candidateId, Duration timeout, Pin.Wish wish) {
        HandOverCalls.check(candidateId, timeout);
        return HandOverRequest.ask(line, candidateId, timeout, Optional.of(wish));
    }

    /**
     * Pauses the election, for example for maintenance of the store or of a network. The present leader goes on, and
     * may lead again if it has to stop for a while. No other candidate takes over until {@link #resume}: not when the
     * leader leaves, not by priority, not by a hand-over. Waits for the end of a hand-over that has been agreed. The
     * pause is in the store, and outlives this process.
     *
     * <p><b>Guarantees.</b> Once this has returned, only the work of the candidate that the pause names can begin, even
     * if other candidates have not seen the pause yet. Exclusion is unaffected: the leader stops when it cannot be
     * certain to lead, paused or not.
     *
     * <p><b>Not guaranteed.</b> If the line is empty when this is called, a candidate that arrives at that moment may
     * still lead. A candidate whose reads of the pause the store refuses for good, as for want of a permission, leads
     * all the same; {@link io.baton.Coordinator#trouble()} says so until it may read.
     *
     * @param by the operator's name, for people: 1 to 512 bytes
     * @param why the reason, for people: at most 512 bytes
     * @param timeout how long to wait for a hand-over in progress; calls to the store have the coordinator's request
     *     timeout
     * @return the pause; if the election was paused already, that pause, which stays as it is
     * @throws IllegalArgumentException if the texts are too long or not fit, or the election is at an exact path
     * @throws io.baton.StoreUnavailableException if it was not paused in time
     * @throws io.baton.CoordinatorClosedException if the coordinator is closed; the election may be paused nevertheless
     * @throws InterruptedException if interrupted; the election may be paused nevertheless
     */
    public Pause pause(String by, String why, Duration timeout) throws InterruptedException {
        checkMayWait();
        return Futures.interruptibly(begunPause(by, why, timeout));
    }

    /** As {@link #pause} without waiting. */
    @CheckReturnValue
    public CompletableFuture<Pause> pauseAsync(String by, String why, Duration timeout) {
        return line.callbacks().completeInCallback(begunPause(by, why, timeout));
    }

    /** Completes on the loop. */
    private CompletableFuture<Pause> begunPause(String by, String why, Duration timeout) {
        checkPausing(timeout);
        text("by", by);
        text("why", why);
        if (by.isBlank()) {
            throw new IllegalArgumentException("a pause needs somebody who has made it: by must not be empty");
        }
        return Pausing.pause(line, by, why, timeout);
    }

    /**
     * Ends the pause; all candidates stand again, in order of arrival. Without effect if there is none.
     *
     * @param timeout how long to retry if other processes write at the same time
     * @return the pause that has ended; empty if there was none
     * @throws IllegalArgumentException if the election is at an exact path
     * @throws io.baton.StoreUnavailableException if it was not resumed in time
     * @throws io.baton.CoordinatorClosedException if the coordinator is closed; the election may be resumed
     *     nevertheless
     * @throws InterruptedException if interrupted; the election may be resumed nevertheless
     */
    public Optional<Pause> resume(Duration timeout) throws InterruptedException {
        checkMayWait();
        return Futures.interruptibly(begunResumption(timeout));
    }

    /** As {@link #resume} without waiting. */
    @CheckReturnValue
    public CompletableFuture<Optional<Pause>> resumeAsync(Duration timeout) {
        return line.callbacks().completeInCallback(begunResumption(timeout));
    }

    /** Completes on the loop. */
    private CompletableFuture<Optional<Pause>> begunResumption(Duration timeout) {
        checkPausing(timeout);
        return Pausing.resume(line, timeout);
    }

    /**
     * Passes the pause to the listener as soon as it is known, and then each change, one at a time and in order. Empty
     * means not paused. At an exact path the listener is never called.
     */
    @CheckReturnValue
    public Subscription onPause(Consumer<Optional<Pause>> listener) {
        if (line.exact()) {
            return () -> {};
        }
        ListenerQueue<Optional<Pause>> told =
                new ListenerQueue<>(line.callbacks(), "pauses of " + this, listener, LeaderTracker::queue);
        Subscription following = new PauseRecord(line).observe(told::offer);
        return () -> {
            told.close();
            following.close();
        };
    }

    /**
     * Passes the progress of a leader that is an {@link ActiveStandby} to the listener as soon as it is known, and then
     * each change, one at a time and in order. Empty means that no such leader has reported yet. A state applies to the
     * leader whose {@link Leader#term()} it names; a newly elected leader has not reported yet. At an exact path the
     * listener is never called.
     *
     * <p><b>Not guaranteed.</b> The state may be outdated: a leader that cannot reach the store reports nothing. {@link
     * LeaderState#asOf()} gives the time of the report.
     */
    @CheckReturnValue
    public Subscription onLeaderState(Consumer<Optional<LeaderState>> listener) {
        if (line.exact()) {
            return () -> {};
        }
        ListenerQueue<Optional<LeaderState>> told =
                new ListenerQueue<>(line.callbacks(), "the leader's state in " + this, listener, LeaderTracker::queue);
        Subscription following = new StateRecord(line).observe(told::offer);
        return () -> {
            told.close();
            following.close();
        };
    }

    private static void checkMayWait() {
        if (Callbacks.inside()) {
            throw new IllegalStateException("a callback must not wait for the store; use pauseAsync or resumeAsync");
        }
    }

    private void checkPausing(Duration timeout) {
        HandOverCalls.checkTimeout(timeout);
        if (line.exact()) {
            throw new IllegalArgumentException(
                    "there is no pausing at an exact path: other programs' candidates there would not know of it");
        }
    }

    /** Refuses texts that are too long or have control characters. */
    static void text(String name, String value) {
        if (value.getBytes(StandardCharsets.UTF_8).length > Candidate.MAX_TEXT_BYTES
                || value.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    name + " may have " + Candidate.MAX_TEXT_BYTES + " bytes and no control characters");
        }
    }

    private Candidacy begin(Candidate candidate, LeaderWork duty) {
        check(candidate);
        DefaultCandidacy standing =
                new DefaultCandidacy(line, candidate, duty, line.claim(candidate.id(), "candidate"));
        standing.start();
        return standing;
    }

    private void check(Candidate candidate) {
        Duration half = coordinator.ttl().dividedBy(2);
        if (candidate.whenSuspended() == WhenSuspended.RIDE_OUT
                && candidate.stopTimeout().compareTo(half) > 0) {
            throw new IllegalArgumentException("a stopTimeout of "
                    + candidate.stopTimeout().toMillis() + " ms leaves nothing to ride out: with a ttl of "
                    + coordinator.ttl().toMillis() + " ms a leader is certain of " + half.toMillis()
                    + " ms only; take a shorter stopTimeout, a longer ttl, or WhenSuspended.STOP");
        }
        if (line.exact()
                && !(candidate.address().isEmpty() && candidate.metadata().isEmpty())) {
            throw new IllegalArgumentException(
                    "at an exact path nothing but the id is stored, as other programs do it: put into the id of "
                            + candidate + " what observers need, and leave out address and metadata");
        }
        if (line.exact() && candidate.priority() != 0) {
            throw new IllegalArgumentException("at an exact path nobody hands over, so a priority would do nothing: "
                    + "leave it out of " + candidate);
        }
    }

    @Override
    public String toString() {
        return "election '" + name() + "'";
    }
}
