package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.etcd.wire.EtcdAddress;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Lease;
import io.baton.spi.Claim;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.Place;
import io.baton.spi.SessionSpec;
import io.baton.spi.support.RefusedRemovals;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A place in line, answer by answer. */
class LinePlaceTest {

    private static final String LINE = "/app/locks/orders/";
    private static final String OWN = "/app/.sessions/4d";
    private static final String AHEAD = LINE + "7-aa";
    private static final String FURTHER = LINE + "7-bb";

    /** The nearest first. */
    private static final EtcdWire.Kv[] MANY = {
        kv(AHEAD, 15), kv(LINE + "7-b", 14), kv(LINE + "7-c", 13), kv(LINE + "7-d", 12)
    };

    private final HandWire wire = new HandWire();
    private final List<String> told = new ArrayList<>();
    private final DeafListener listener = new DeafListener();
    private EtcdWire.Events events;
    private EtcdSession session;
    private Place place;

    @BeforeEach
    void joinInContact() {
        wire.watchHeader = 10;
        Duration ttl = Duration.ofSeconds(4);
        session = new EtcdSession(
                EtcdAddress.parse(URI.create("etcd://nowhere/app")),
                new SessionSpec(ttl, "test"),
                Timing.of(ttl),
                wire,
                (patience, to) -> {
                    events = to;
                    return wire;
                },
                listener);
        events.connected();
        wire.grants.remove().accept(Fault.NONE, new Lease(HandWire.header(9), HandWire.LEASE, ttl));
        wire.answer(10, part());
        join();
    }

    @Test
    void join_manyAtOnce_fewAreUnderWayBeforeTheFirstAnswer() {
        for (int i = 0; i < 100; i++) {
            join();
        }

        assertThat(wire.asked()).hasSizeBetween(2, 10);
    }

    @Test
    void join_inContact_isOneTransactionThatComparesTheEpoch() {
        assertThat(wire.asked())
                .singleElement()
                .asString()
                .startsWith("if " + OWN + " written 10, if " + LINE + "4d-")
                .contains(" created 0, put " + LINE + "4d-")
                .contains(" lease, look at " + LINE + "* newest 5");
    }

    @Test
    void ownKey_gone_isLookedForAtOnceAndEndsTheSession() {
        joined(20);
        assertThat(wire.watch().range.key()).isEqualTo(OWN);

        wire.watch().tell(HandWire.gone(OWN, 30));
        wire.answer(30, part());

        assertThat(told).containsExactly("clear 20", "gone");
    }

    @Test
    void join_nobodyAhead_isClearAtOnce() {
        joined(20);

        assertThat(told).containsExactly("clear 20");
        assertThat(wire.asked()).isEmpty();
    }

    /** A caller that does not want to wait for that has a time limit. */
    @Test
    void join_serverIsTooBusyForLong_isATroubleAndJoinsOnceThereIsRoom() {
        turnAway(60);
        assertThat(told).isEmpty();
        assertThat(listener.troubles.values()).singleElement().asString().contains("too many requests");

        joined(20);

        assertThat(told).containsExactly("clear 20");
        assertThat(listener.troubles).isEmpty();
    }

    @Test
    void join_leftWhileTheServerIsTooBusy_isNoTroubleAnyMore() {
        turnAway(5);
        assertThat(listener.troubles).isNotEmpty();

        var left = place.leave().toCompletableFuture();
        wire.fail(Code.OVERLOADED, "etcdserver: too many requests");
        wire.pass(Duration.ofSeconds(1));

        assertThat(left).isCompleted();
        assertThat(listener.troubles).isEmpty();
    }

    @Test
    void downgrade_serverIsTooBusyForLong_isATroubleUntilItIsMade() {
        joined(20);
        LinePlace writer = (LinePlace) session.join(
                Line.of("rwlocks/orders", Line.Kind.READ_WRITE), Claim.EXCLUSIVE, new byte[0], new NotedStanding(told));
        wire.answer(22, part(), part(kv(writer.key(), 22)));
        var downgraded = writer.downgrade().toCompletableFuture();

        turnAway(60);

        assertThat(downgraded).isNotDone();
        assertThat(listener.troubles)
                .hasSize(1)
                .hasEntrySatisfying(
                        "Cannot downgrade the hold of " + Line.of("rwlocks/orders", Line.Kind.READ_WRITE),
                        why -> assertThat(why).contains("too many requests"));
        wire.answer(30, part());
        assertThat(downgraded).isCompleted();
        assertThat(listener.troubles).isEmpty();
    }

    private void turnAway(int times) {
        for (int i = 0; i < times; i++) {
            wire.fail(Code.OVERLOADED, "etcdserver: too many requests");
            wire.pass(Duration.ofSeconds(1));
        }
    }

    @Test
    void join_manyAhead_watchesFromNowAndConfirmsByOneRead() {
        joined(20, MANY);

        assertThat(told).containsExactly("waits");
        assertThat(wire.watch().range.key()).isEqualTo(AHEAD);
        assertThat(wire.watch().from).isZero();
        assertThat(wire.asked()).isEmpty();

        wire.watch().create();
        assertThat(wire.asked()).hasSize(1);
        listed(21, MANY);
        assertThat(wire.asked()).isEmpty();
        assertThat(wire.watching()).isOne();
    }

    @Test
    void join_fewAhead_isFollowedAndClearOnceAllHaveGone() {
        joined(20, MANY[0], MANY[1], MANY[2]);
        assertThat(wire.watch().range.prefix()).isTrue();
        assertThat(wire.asked()).isEmpty();
        wire.watch().create();
        listed(21, MANY[0], MANY[1], MANY[2]);

        wire.watch().tell(HandWire.gone(MANY[2].key(), 30), HandWire.gone(MANY[0].key(), 31));
        assertThat(told).containsExactly("waits");
        wire.watch().tell(HandWire.gone(MANY[1].key(), 32));

        assertThat(told).containsExactly("waits", "clear 20");
        assertThat(wire.asked()).isEmpty();
        assertThat(wire.watching()).isZero();
    }

    @Test
    void join_oneAhead_isFollowedAndClearOnceThatHasGone() {
        loneWaiter();

        wire.watch().tell(HandWire.gone(AHEAD, 30));

        assertThat(told).containsExactly("waits", "clear 20");
        assertThat(wire.asked()).isEmpty();
        assertThat(wire.watching()).isZero();
    }

    @Test
    void join_oneAheadAndTheOwnEntryGoesWithIt_isGoneOnceAReadHasShownIt() {
        loneWaiter();

        wire.watch().tell(HandWire.gone(AHEAD, 30), HandWire.gone(key(place), 30));
        assertThat(told).containsExactly("waits");
        wire.answer(30, own(), part(), part());

        assertThat(told).containsExactly("waits", "gone");
        assertThat(wire.watching()).isZero();
    }

    @Test
    void join_oneAheadAndTheStreamEnds_watchesThatOneFromThenOn() {
        loneWaiter();

        wire.watch().end(Code.LOST);
        listed(31, kv(AHEAD, 15));
        assertThat(wire.watch().range.key()).isEqualTo(AHEAD);
        wire.watch().create();
        listed(32, kv(AHEAD, 15));
        wire.watch().tell(HandWire.gone(AHEAD, 33));
        assertThat(told).containsExactly("waits");
        listed(33);

        assertThat(told).containsExactly("waits", "clear 20");
    }

    @Test
    void join_oneAheadAndLeft_isFollowedNoMore() {
        joined(20, kv(AHEAD, 15));

        place.leave();

        assertThat(wire.watching()).isZero();
    }

    /** Behind one other, and prepared. */
    private void loneWaiter() {
        joined(20, kv(AHEAD, 15));
        assertThat(wire.watch().range.prefix()).isTrue();
        assertThat(wire.asked()).isEmpty();
        wire.watch().create();
        listed(21, kv(AHEAD, 15));
        assertThat(told).containsExactly("waits");
        assertThat(wire.asked()).isEmpty();
    }

    @Test
    void removed_byATransactionOfOurs_isGoneAndLeavingAsksForNothing() {
        joined(20);

        remove(20);

        assertThat(told).containsExactly("clear 20", "gone");
        assertThat(place.leave().toCompletableFuture()).isCompleted();
        wire.pass(Duration.ZERO);
        assertThat(wire.asked()).isEmpty();
        assertThat(wire.watching()).isZero();
    }

    @Test
    void removed_anEarlierEntryUnderTheKey_isNothingToUs() {
        joined(20);

        remove(19);

        assertThat(told).containsExactly("clear 20");
    }

    @Test
    void removed_whileItIsBeingLeft_endsTheLeavingAndTellsNothing() {
        joined(20);
        var left = place.leave().toCompletableFuture();
        wire.pass(Duration.ZERO);
        assertThat(wire.asked()).hasSize(1);

        ((LinePlace) place).removed(List.of(new EtcdWire.Compare.Created(key(place), 20)));
        assertThat(left).isCompleted();
        wire.refuse(30);

        assertThat(told).containsExactly("clear 20");
    }

    @Test
    void watch_createdAfterThePredecessorHadGone_theReadTells() {
        joined(20, kv(AHEAD, 15));
        wire.watch().create();

        listed(22);

        assertThat(told).containsExactly("waits", "clear 20");
        assertThat(wire.watching()).isZero();
    }

    @Test
    void watch_createdWhileAnOlderReadIsUnderWay_isConfirmedByANewerOne() {
        joined(20, kv(AHEAD, 15));
        wire.watch().create();
        wire.watch().end(Code.LOST);
        wire.pass(Duration.ofSeconds(1)); // what is owed is done, though there was no break
        // One read, from before the end; its answer leads to a new watch.
        listed(21, kv(AHEAD, 15));
        listed(21, kv(AHEAD, 15));

        assertThat(wire.watching()).isOne();
        wire.watch().create();
        listed(22);

        assertThat(told).containsExactly("waits", "clear 20");
    }

    @Test
    void predecessor_gone_isConfirmedByOneRead() {
        waiting();

        wire.watch().tell(HandWire.gone(AHEAD, 30));
        assertThat(told).containsExactly("waits");
        listed(30);

        assertThat(told).containsExactly("waits", "clear 20");
    }

    @Test
    void predecessor_backUnderTheSameKeyBehindUs_isNotWaitedFor() {
        joined(20, kv(AHEAD, 15));
        wire.watch().create();

        // The key is there, but what the read asks for are those created before us.
        assertThat(wire.asked()).singleElement().asString().contains("newest");
        listed(31);

        assertThat(told).containsExactly("waits", "clear 20");
    }

    @Test
    void predecessor_goneWhileAReadIsUnderWay_isReadAgain() {
        notFollowed();
        wire.watch().create();
        wire.watch().tell(HandWire.gone(AHEAD, 30));

        listed(29, kv(AHEAD, 15));
        assertThat(wire.asked()).hasSize(1);
        listed(30);

        assertThat(told).containsExactly("waits", "clear 20");
    }

    @Test
    void predecessor_goneAndOthersAhead_watchesTheNearest() {
        waiting();

        wire.watch().tell(HandWire.gone(AHEAD, 30));
        listed(30, kv(FURTHER, 12), kv(LINE + "7-cc", 10));

        assertThat(wire.watch().range.key()).isEqualTo(FURTHER);
        assertThat(wire.watching()).isOne();
        assertThat(told).containsExactly("waits");
    }

    /** It may be read while it is followed; what has gone by then is told by the read, and by the stream no more. */
    @Test
    void followed_readOnceMore_waitsForThoseOnlyWhomTheReadShows() {
        joinFollowing();
        joined(40, kv(AHEAD, 38), kv(FURTHER, 30));
        HandWire.HandWatch stream = stream();

        ((LinePlace) place).entriesAhead().armed();
        listed(40, 45, kv(FURTHER, 30));
        stream.tell(HandWire.gone(AHEAD, 44));
        assertThat(told).containsExactly("waits");
        stream.tell(HandWire.gone(FURTHER, 46));

        assertThat(told).containsExactly("waits", "clear 40");
        assertThat(wire.asked()).isEmpty();
    }

    /** Of a client that uses one key again and again: what it was told of its last time says nothing of this one. */
    @Test
    void followed_theSameKeyHadGoneBeforeAndThatIsToldLate_isStillAhead() {
        joinFollowing();
        joined(40, kv(AHEAD, 38));

        stream().tell(HandWire.gone(AHEAD, 37));
        assertThat(told).containsExactly("waits");
        stream().tell(HandWire.gone(AHEAD, 41));

        assertThat(told).containsExactly("waits", "clear 40");
        assertThat(wire.asked()).isEmpty();
    }

    @Test
    void entry_missingInARead_isGoneAndNeverClear() {
        waiting();
        wire.watch().tell(HandWire.gone(AHEAD, 30));

        wire.answer(30, own(), part(), part());

        assertThat(told).containsExactly("waits", "gone");
    }

    @Test
    void entry_ofAnotherRevisionUnderTheSameKey_isNotOurs() {
        waiting();
        wire.watch().tell(HandWire.gone(AHEAD, 30));

        wire.answer(30, own(), part(kv(LINE + "4d-x", 25)), part());

        assertThat(told).containsExactly("waits", "gone");
    }

    @Test
    void session_goneWhileWaiting_isGoneAndNeverClear() {
        waiting();
        wire.watch().tell(HandWire.gone(AHEAD, 30));

        wire.answer(30, part(), part(), part());

        assertThat(told).containsExactly("waits", "gone");
        assertThat(wire.revocations).hasSize(1);
    }

    @Test
    void join_withoutAnswer_isSettledByANewEpochBeforeItIsLookedFor() {
        wire.fail(Code.LOST, "late");

        assertThat(wire.asked()).singleElement().asString().startsWith("if " + OWN + " written 10, put " + OWN);
        wire.answer(33, part());
        assertThat(wire.asked()).singleElement().asString().startsWith("look at " + LINE + "4d-");
        wire.answer(34, part());

        // It was not applied, and never will be: another entry, under the new epoch.
        assertThat(wire.asked()).singleElement().asString().startsWith("if " + OWN + " written 33, if " + LINE);
        assertThat(told).isEmpty();
    }

    @Test
    void join_withoutAnswerWhileAnEpochIsRaisedThatIsNoNewOne_isSettledByTheNext() {
        wire.fail(Code.LOST, "late");
        var own = part(new EtcdWire.Kv(OWN, new byte[0], 10, 40, HandWire.LEASE));
        session.verify();
        wire.overtake();
        wire.answer(41, own);
        join();
        wire.overtake();
        wire.overtake();
        wire.fail(Code.LOST, "late");
        assertThat(wire.asked()).first().asString().startsWith("if " + OWN + " written 10, put " + OWN);

        wire.refuse(42, own);
        wire.pass(Duration.ofSeconds(2));

        assertThat(wire.asked())
                .anySatisfy(asked -> assertThat(asked).startsWith("if " + OWN + " written 40, put " + OWN));
    }

    @Test
    void join_withoutAnswerButApplied_standsWithItsEntry() {
        wire.fail(Code.LOST, "late");
        wire.answer(33, part());
        wire.answer(34, part(kv(LINE + "4d-x", 20)));
        listed(35);

        assertThat(told).containsExactly("clear 20");
    }

    @Test
    void join_refusedByAnEpochThatWasRaisedMeanwhile_isSentAgainUnderTheNewOne() {
        wire.refuse(40, part(new EtcdWire.Kv(OWN, new byte[0], 10, 38, HandWire.LEASE)));
        wire.pass(Duration.ofSeconds(1));

        assertThat(wire.asked()).anySatisfy(asked -> assertThat(asked).startsWith("if " + OWN + " written 38, if "));
    }

    @Test
    void join_noSpaceLeft_isLookedForAsItMayHaveBeenTheLastThatFitted() {
        wire.fail(Code.NO_SPACE, "etcdserver: mvcc: database space exceeded");

        assertThat(wire.asked()).singleElement().asString().startsWith("look at " + LINE + "4d-");
        wire.answer(34, part(kv(LINE + "4d-x", 20)));
        listed(35);

        assertThat(told).containsExactly("clear 20");
    }

    @Test
    void join_noSpaceLeftAndNotApplied_isToldAndNotTriedAgain() {
        wire.fail(Code.NO_SPACE, "etcdserver: mvcc: database space exceeded");
        wire.answer(34, part());

        assertThat(told).containsExactly("gone");
        assertThat(wire.asked()).isEmpty();
    }

    @Test
    void leave_beforeTheJoinIsAnswered_removesTheEntryAfterwards() {
        CompletableFuture<Void> left = place.leave().toCompletableFuture();
        assertThat(left).isNotDone();

        joined(20);
        wire.pass(Duration.ZERO);
        assertThat(wire.asked()).singleElement().asString().contains("created 20, delete " + LINE + "4d-");
        wire.answer(21, part());

        assertThat(left).isCompleted();
        assertThat(told).isEmpty();
    }

    @Test
    void leave_refusedAgainAndAgain_saysSoAndGoesOnEverMoreSlowly() {
        joined(20);
        CompletableFuture<Void> left = place.leave().toCompletableFuture();
        wire.pass(Duration.ZERO);
        for (int refused = 1; refused <= 10; refused++) {
            refuseRemoval();
            assertThat(left.isCompletedExceptionally()).isEqualTo(refused >= 3);
            assertThat(removals()).isZero();
            wire.pass(refused < 6 ? Duration.ofSeconds(1L << refused) : Duration.ofSeconds(30));
            assertThat(removals()).isOne();
        }
        assertThatThrownBy(left::join).hasMessageContaining("cannot remove").hasMessageContaining("no entry for you");
    }

    /** Nobody was promised anything: its entry holds up others for nothing. */
    @Test
    void unreadable_waiting_isRemovedAtOnce() {
        waiting();
        ((LinePlace) place).unreadable(new Fault(Code.DENIED, "no entry for you"));
        wire.pass(Duration.ZERO);

        assertThat(told).containsExactly("waits", "gone");
        assertThat(removals()).isOne();
    }

    @Test
    void join_manyRemovalsAreRefused_isRefusedUntilTheyAreAllowed() {
        joined(20);
        for (int i = 0; i < RefusedRemovals.MOST; i++) {
            session.refusedRemovals().add();
        }
        told.clear();
        join();
        assertThat(told).isEmpty(); // nothing is told from within a call
        wire.pass(Duration.ZERO);
        assertThat(told).containsExactly("gone");
        assertThat(wire.asked()).isEmpty();

        session.refusedRemovals().remove();
        join();
        assertThat(wire.asked()).hasSize(1);
    }

    private long removals() {
        return wire.asked().stream()
                .filter(asked -> asked.contains("delete " + LINE))
                .count();
    }

    private void refuseRemoval() {
        while (!wire.asked().get(0).contains("delete " + LINE)) {
            wire.answer(30, HandSession.own());
        }
        wire.fail(Code.DENIED, "no entry for you");
    }

    @Test
    void leave_withoutAnswer_staysOwed() {
        joined(20);
        CompletableFuture<Void> left = place.leave().toCompletableFuture();
        wire.pass(Duration.ZERO);
        wire.fail(Code.LOST, "late");
        assertThat(left).isNotDone();

        wire.pass(Duration.ofSeconds(1));
        assertThat(wire.asked()).anySatisfy(asked -> assertThat(asked).contains("created 20, delete " + LINE));
    }

    @Test
    void join_whileAnEntryOfOursIsBeingRemoved_removesItToo() {
        joined(20);
        place.leave();
        wire.pass(Duration.ZERO);
        join();

        assertThat(wire.asked().get(1)).containsPattern("created 0, delete " + LINE + "4d-\\w+, put " + LINE + "4d-");
    }

    @Test
    void join_inTheSameBreathAsARelease_isTheOnlyRequest() {
        joined(20);
        CompletableFuture<Void> left = place.leave().toCompletableFuture();
        join();
        wire.pass(Duration.ZERO);
        assertThat(wire.asked()).singleElement().asString().contains("delete " + LINE, "put " + LINE);
        assertThat(left).isNotDone();

        wire.answer(21, part(), part(), part(kv(LINE + "4d-y", 21)));

        assertThat(left).isCompleted();
        assertThat(told).containsExactly("clear 20", "clear 21");
        assertThat(wire.asked()).isEmpty();
    }

    @Test
    void join_thatTookARemovalAlongAndHadNoEffect_leavesItToItself() {
        joined(20);
        place.leave();
        join();

        wire.refuse(21, own());
        wire.pass(Duration.ZERO);

        assertThat(wire.asked()).anySatisfy(asked -> assertThat(asked).contains("created 20, delete " + LINE));
    }

    /** What fits alone must not be refused for what was asked along with it. */
    @Test
    void join_thatTookARemovalAlongAndHadTooManyOperations_isSentWithoutIt() {
        joined(20);
        place.leave();
        join();

        wire.fail(Code.TOO_LARGE, "too many operations");

        assertThat(told).containsExactly("clear 20");
        assertThat(wire.asked())
                .anySatisfy(asked -> assertThat(asked).contains("put " + LINE).doesNotContain("delete " + LINE))
                .anySatisfy(asked -> assertThat(asked).contains("created 20, delete " + LINE));
    }

    @Test
    void join_tooManyOperationsOfItsOwn_isToldAndNotTriedAgain() {
        wire.fail(Code.TOO_LARGE, "too many operations");

        assertThat(told).containsExactly("gone");
        assertThat(wire.asked()).isEmpty();
    }

    @Test
    void join_withoutAnswerAndLookingForItIsRefusedAgainAndAgain_isToldAsTrouble() {
        wire.fail(Code.LOST, "late");
        wire.answer(33, part());
        for (int refused = 1; refused <= 3; refused++) {
            assertThat(listener.troubles).isEmpty();
            answerUntilAsked("look at " + LINE);
            wire.fail(Code.DENIED, "no entry for you");
            wire.pass(Duration.ofSeconds(1));
        }
        assertThat(listener.troubles.values()).singleElement().asString().contains("no entry for you");
        answerUntilAsked("look at " + LINE);
        wire.answer(34, part());

        assertThat(listener.troubles).isEmpty();
    }

    @Test
    void join_withoutAnswerAndTheEpochIsRefusedAgainAndAgain_isToldAsTrouble() {
        wire.fail(Code.LOST, "late");
        String raise = "if " + OWN + " written 10, put " + OWN;
        for (int refused = 1; refused <= 3; refused++) {
            assertThat(listener.troubles).isEmpty();
            answerUntilAsked(raise);
            wire.fail(Code.NO_SPACE, "database space exceeded");
            wire.pass(Duration.ofSeconds(1));
        }
        assertThat(listener.troubles.values()).singleElement().asString().contains("database space exceeded");
        answerUntilAsked(raise);
        wire.answer(33, part());

        assertThat(listener.troubles).isEmpty();
        assertThat(told).isEmpty();
    }

    /** Deletions and reads go on: nobody must wait behind an entry that may be removed. */
    @Test
    void join_withoutAnswerButAppliedAndTheEpochIsRefused_standsOnceAReadShowsTheEntry() {
        String key = key(place);
        wire.fail(Code.LOST, "late");
        CompletableFuture<Void> left = place.leave().toCompletableFuture();
        wire.fail(Code.NO_SPACE, "database space exceeded");

        assertThat(wire.asked()).containsExactly("look at " + key);
        wire.answer(34, part(kv(key, 20)));
        wire.pass(Duration.ZERO);
        assertThat(wire.asked()).containsExactly("if " + key + " created 20, delete " + key);
        wire.answer(35, part());
        assertThat(left).isCompleted();

        for (int i = 0; i < 5; i++) {
            wire.pass(Duration.ofSeconds(1));
            assertThat(wire.asked()).noneMatch(asked -> asked.contains("put " + OWN));
        }
        assertThat(listener.troubles).isEmpty();
    }

    @Test
    void join_withoutAnswerAndNotYetAppliedAndTheEpochIsRefused_isStillInDoubt() {
        String key = key(place);
        wire.fail(Code.LOST, "late");
        wire.fail(Code.NO_SPACE, "database space exceeded");
        wire.answer(34, part());
        assertThat(wire.asked()).isEmpty();
        assertThat(told).isEmpty();

        wire.pass(Duration.ofSeconds(1));
        answerUntilAsked("if " + OWN + " written 10, put " + OWN);
        wire.fail(Code.NO_SPACE, "database space exceeded");
        answerUntilAsked("look at " + key);
        wire.answer(35, part(kv(key, 20)));
        answerUntilAsked("look at " + OWN + ", look at " + key);
        listed(36);

        assertThat(told).containsExactly("clear 20");
    }

    private void answerUntilAsked(String request) {
        while (!wire.asked().get(0).startsWith(request)) {
            wire.answer(33, own());
        }
    }

    @Test
    void join_thatTookARemovalAlongAndGotNoAnswer_leavesItToItself() {
        joined(20);
        CompletableFuture<Void> left = place.leave().toCompletableFuture();
        join();

        wire.fail(Code.LOST, "late");
        wire.pass(Duration.ZERO);

        assertThat(left).isNotDone();
        assertThat(wire.asked()).anySatisfy(asked -> assertThat(asked).contains("created 20, delete " + LINE));
    }

    @Test
    void join_afterAnEntryHasGone_takesItsKey() {
        joined(20);
        String key = key(place);
        place.leave();
        wire.pass(Duration.ZERO);
        wire.answer(21, part());

        join();
        joined(22);

        assertThat(key(place)).isEqualTo(key);
        assertThat(told).containsExactly("clear 20", "clear 22");
    }

    @Test
    void join_whileAnEntryIsBeingRemoved_takesAnotherKey() {
        joined(20);
        String key = key(place);
        place.leave();
        wire.pass(Duration.ZERO);

        join();

        assertThat(key(place)).isNotEqualTo(key);
    }

    @Test
    void key_thatAJoinUnderWayWouldRemove_isNotUsedAgainUntilThatIsAnswered() {
        joined(20);
        String key = key(place);
        place.leave();
        wire.pass(Duration.ZERO);
        join(); // removes it, too, and may do so late
        wire.answer(21, part());

        join();
        assertThat(key(place)).isNotEqualTo(key);

        wire.answer(22, part(), part(), part(kv(LINE + "4d-y", 22)));
        join();
        assertThat(key(place)).isEqualTo(key);
    }

    @Test
    void key_thatAJoinWithoutAnswerMayRemove_isNeverUsedAgain() {
        joined(20);
        String key = key(place);
        place.leave();
        wire.pass(Duration.ZERO);
        join();
        wire.answer(21, part());
        wire.fail(Code.LOST, "late");

        join();

        assertThat(key(place)).isNotEqualTo(key);
    }

    @Test
    void audit_predecessorGoneAndBackUnderTheSameKey_isFoundOut() {
        waiting();

        ((LinePlace) place).entriesAhead().audit(Map.of(key(place), 20L, AHEAD, 25L));

        assertThat(wire.asked()).singleElement().asString().contains("newest");
    }

    @Test
    void audit_anotherEntryUnderOurKey_isFoundOut() {
        waiting();

        ((LinePlace) place).entriesAhead().audit(Map.of(key(place), 22L, AHEAD, 15L));

        assertThat(wire.asked()).singleElement().asString().contains("newest");
    }

    @Test
    void audit_allAsKnown_asksNothing() {
        waiting();

        ((LinePlace) place).entriesAhead().audit(Map.of(key(place), 20L, AHEAD, 15L));

        assertThat(wire.asked()).isEmpty();
    }

    /** Not the line, which may be long. */
    @Test
    void audit_waiting_readsTheOwnKeyAndTheOneAheadAndTheLineOnlyIfThatOneIsNotThere() {
        waiting();

        awaitAudit();
        assertThat(wire.asked()).containsExactly("look at " + OWN + ", look at " + key(place) + ", look at " + AHEAD);
        wire.answer(30, own(), part(kv(key(place), 20)), part(kv(AHEAD, 15)));
        assertThat(wire.asked()).isEmpty();

        awaitAudit();
        wire.answer(30, own(), part(kv(key(place), 20)), part());
        assertThat(wire.asked()).singleElement().asString().contains("newest");
        listed(31);
        assertThat(told).containsExactly("waits", "clear 20");
    }

    @Test
    void audit_followedEntryGoneAndNotTold_isCountedAndTheWaiterGoesOn() {
        joinFollowing();
        joined(40, kv(AHEAD, 38), kv(FURTHER, 30));
        HandWire.HandWatch stream = stream();

        ((LinePlace) place).entriesAhead().audit(Map.of(key(place), 40L, FURTHER, 30L));

        assertThat(session.lostEvents().count()).isOne();
        assertThat(session.lostEvents().newest()).isEqualTo(AHEAD);
        // The stream may have lost more than that.
        assertThat(stream.over).isTrue();
        assertThat(wire.asked()).singleElement().asString().endsWith("newest 4");
        listed(40, 41, kv(FURTHER, 30));
        assertThat(wire.watching()).isOne();
        assertThat(wire.watch()).isNotSameAs(stream);
    }

    @Test
    void audit_refused_theWaiterIsToldWhy() {
        waiting();
        awaitAudit();

        wire.fail(Code.DENIED, "permission denied");
        wire.fail(Code.DENIED, "permission denied");

        assertThat(told).containsExactly("waits", "gone");
    }

    private void awaitAudit() {
        for (int second = 0; second < 120 && wire.asked().isEmpty(); second++) {
            wire.pass(Duration.ofSeconds(1));
        }
    }

    private void join() {
        place = session.join(Line.of("locks/orders"), new byte[0], new NotedStanding(told));
    }

    /** A transaction of ours has removed what was created under our key at this revision. */
    private void remove(long created) {
        var peer = new Peer(Line.of("locks/orders"), key(place).substring(LINE.length()), created);
        session.transact(List.of(), List.of(), List.of(peer));
        wire.answer(30);
    }

    private static String key(Place place) {
        return ((LinePlace) place).key();
    }

    /** The line has been used so often that it is followed; another join is under way. */
    private void joinFollowing() {
        for (int i = 0; i < 6; i++) {
            joined(20 + i, kv(AHEAD, 15));
            place.leave();
            wire.pass(Duration.ZERO);
            while (!wire.asked().isEmpty()) {
                wire.answer(20 + i, part());
            }
            wire.watches.stream().filter(watch -> watch.range.prefix()).forEach(HandWire.HandWatch::create);
            told.clear();
            join();
        }
    }

    private HandWire.HandWatch stream() {
        assertThat(wire.watching()).isOne();
        return wire.watches.stream()
                .filter(watch -> watch.range.prefix() && !watch.over)
                .findFirst()
                .orElseThrow();
    }

    // What the server would say.

    private void waiting() {
        notFollowed();
        wire.watch().create();
        listed(21, kv(AHEAD, 15), kv(FURTHER, 12));
    }

    /** Behind two, of which it watches the nearest, as the line could not be followed. */
    private void notFollowed() {
        joined(20, kv(AHEAD, 15), kv(FURTHER, 12));
        wire.watch().end(Code.LOST);
        listed(20, kv(AHEAD, 15), kv(FURTHER, 12));
        assertThat(wire.watch().range.key()).isEqualTo(AHEAD);
    }

    /** The join is answered: created at this revision, behind these, the nearest first. */
    private void joined(long revision, EtcdWire.Kv... ahead) {
        var line = new ArrayList<EtcdWire.Kv>();
        line.add(kv(LINE + "4d-x", revision));
        line.addAll(List.of(ahead));
        wire.answer(revision, part(), new EtcdWire.Part(line, line.size()));
    }

    /** A read is answered: session and entry are there, and these are ahead. */
    private void listed(long revision, EtcdWire.Kv... ahead) {
        listed(20, revision, ahead);
    }

    private void listed(long token, long revision, EtcdWire.Kv... ahead) {
        wire.answer(revision, own(), part(kv(LINE + "4d-x", token)), part(ahead));
    }

    private static EtcdWire.Part own() {
        return part(new EtcdWire.Kv(OWN, new byte[0], 10, 10, HandWire.LEASE));
    }

    private static EtcdWire.Part part(EtcdWire.Kv... kvs) {
        return HandWire.part(kvs);
    }

    private static EtcdWire.Kv kv(String key, long created) {
        return HandWire.kv(key, "", created, created);
    }
}
