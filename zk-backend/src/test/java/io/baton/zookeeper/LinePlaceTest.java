package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.OutcomeUnknownException;
import io.baton.StoreUnavailableException;
import io.baton.spi.Claim;
import io.baton.spi.Condition;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.Session;
import io.baton.spi.support.AdaptiveLimit;
import io.baton.spi.support.RefusedRemovals;
import io.baton.zookeeper.wire.ZkWire.Change;
import io.baton.zookeeper.wire.ZkWire.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A place in line, reply by reply. */
class LinePlaceTest {

    private static final String LINE = "/app/locks/orders";
    private static final String AHEAD = "_c_00000000-0000-0000-0000-0000000000aa-lock-0000000004";
    private static final String FURTHER = "_c_00000000-0000-0000-0000-0000000000bb-lock-0000000003";

    /** One of ours, in need of a number. */
    private static final String UNNUMBERED = "_c_00000000-0000-8000-8000-0000000000aa-lock-";

    private final ScriptedWire wire = new ScriptedWire();
    private final List<String> told = new ArrayList<>();
    private final DeafListener listener = new DeafListener();
    private ZkSession session;
    private Place place;

    @BeforeEach
    void joinInContact() {
        session = wire.session(listener);
        wire.connect();
        wire.answer("read /app", Code.OK, node("/app"));
        session.lengths().note(LINE, 1);
        place = session.join(Line.of("locks/orders"), new byte[0], new NotedStanding(told));
    }

    @Test
    void join_inContact_sendsCreateAndListingBackToBack() {
        assertThat(wire.open()).containsExactly(create(), "children " + LINE);
    }

    @Test
    void clear_ownEntryNotInTheListing_isNeverTold() {
        String mine = created();
        wire.answer("children " + LINE, Code.OK, List.of());

        assertThat(mine).isNotEmpty();
        assertThat(told).containsExactly("gone");
    }

    @Test
    void vanished_predecessorGoneAndOwnEntryNotWatched_isConfirmedByOneListing() {
        String mine = created();
        wire.answer("children " + LINE, Code.OK, List.of(mine, AHEAD));
        wire.answer("watch " + LINE + "/" + mine, Code.NOAUTH, null);
        wire.answer("watch " + LINE + "/" + AHEAD, Code.OK, node(LINE + "/" + AHEAD));
        int before = wire.sent.size();

        wire.tell(LINE + "/" + AHEAD, Change.DELETED);
        assertThat(told).containsExactly("waits");
        wire.answer("children " + LINE, Code.OK, List.of(mine));

        assertThat(told).containsExactly("waits", "clear");
        assertThat(wire.sent.subList(before, wire.sent.size())).containsExactly("children " + LINE);
    }

    /** As Curator's Revoker does: it writes into the entry of whoever is to give way. */
    @Test
    void written_predecessorByAForeigner_isWatchedAnewAndItsEndStillWakes() {
        waiting();

        wire.tell(LINE + "/" + AHEAD, Change.WRITTEN);
        assertThat(wire.open()).containsExactly("watch " + LINE + "/" + AHEAD);
        wire.answer("watch " + LINE + "/" + AHEAD, Code.OK, node(LINE + "/" + AHEAD));
        assertThat(told).containsExactly("waits");
        wire.tell(LINE + "/" + AHEAD, Change.DELETED);

        assertThat(told).containsExactly("waits", "clear");
    }

    @Test
    void written_predecessorGoneBeforeItIsWatchedAnew_isFoundByTheWatch() {
        waiting();

        wire.tell(LINE + "/" + AHEAD, Change.WRITTEN);
        wire.answer("watch " + LINE + "/" + AHEAD, Code.NONODE, null);

        assertThat(told).containsExactly("waits", "clear");
    }

    /** With one ahead, which is watched as the own entry is. */
    private void waiting() {
        String mine = created();
        wire.answer("children " + LINE, Code.OK, List.of(mine, AHEAD));
        wire.answer("watch " + LINE + "/" + mine, Code.OK, node(LINE + "/" + mine));
        wire.answer("watch " + LINE + "/" + AHEAD, Code.OK, node(LINE + "/" + AHEAD));
    }

    @Test
    void leave_refusedAgainAndAgain_saysSoAndGoesOnEverMoreSlowly() {
        String mine = created();
        wire.answer("children " + LINE, Code.OK, List.of(mine));
        String delete = "delete " + LINE + "/" + mine;
        var left = place.leave().toCompletableFuture();
        for (int refused = 1; refused <= 10; refused++) {
            answerBeatsBefore(delete);
            wire.answer(delete, Code.NOAUTH, null);
            stands(mine);
            assertThat(left.isCompletedExceptionally()).isEqualTo(refused >= 3);
            assertThat(listener.troubles).hasSize(refused >= 3 ? 1 : 0);
            assertThat(wire.open()).doesNotContain(delete);
            wire.pass(refused < 5 ? Duration.ofSeconds(1L << refused) : Duration.ofSeconds(30));
            assertThat(wire.open()).contains(delete);
        }
        assertThatThrownBy(left::join)
                .hasMessageContaining("cannot remove an entry")
                .hasMessageContaining("NoAuth");

        assertThat(listener.troubles)
                .hasEntrySatisfying(
                        "Cannot remove the entry " + LINE + "/" + mine + ", which has been left: others wait behind it",
                        why -> assertThat(why).contains("NOAUTH"));

        answerBeatsBefore(delete);
        wire.answer(delete, Code.OK, null);

        assertThat(listener.troubles).isEmpty();
        wire.pass(Duration.ofSeconds(40));
        assertThat(wire.open()).doesNotContain(delete);
    }

    @Test
    void join_manyRemovalsAreRefused_isRefusedUntilTheyAreAllowed() {
        for (int i = 0; i < RefusedRemovals.MOST; i++) {
            session.refusedRemovals().add();
        }
        created();
        wire.answer("children " + LINE, Code.OK, List.of());
        List<String> refused = joinOther("locks/stock");
        assertThat(refused).isEmpty(); // nothing is told from within a call
        wire.pass(Duration.ZERO);
        assertThat(refused).containsExactly("gone");
        assertThat(wire.open()).isEmpty();

        session.refusedRemovals().remove();
        assertThat(joinOther("locks/stock")).isEmpty();
        assertThat(wire.open()).containsExactly("read /app/locks/stock");
    }

    @Test
    void leave_refusedAgainAndAgain_countsUntilItIsRemoved() {
        String mine = created();
        wire.answer("children " + LINE, Code.OK, List.of(mine));
        for (int i = 1; i < RefusedRemovals.MOST; i++) {
            session.refusedRemovals().add();
        }
        String delete = "delete " + LINE + "/" + mine;
        place.leave();
        for (int refused = 1; refused <= 3; refused++) {
            assertThat(session.refusedRemovals().refusal("any")).isEmpty();
            answerBeatsBefore(delete);
            wire.answer(delete, Code.NOAUTH, null);
            stands(mine);
            wire.pass(Duration.ofSeconds(1L << refused));
        }
        assertThat(session.refusedRemovals().refusal("any")).isPresent();
        answerBeatsBefore(delete);
        wire.answer(delete, Code.OK, null);

        assertThat(session.refusedRemovals().refusal("any")).isEmpty();
    }

    /** The server judges by the line's ACL first, and would say so for ever. */
    @Test
    void leave_refusedAndThenDeletedByHand_isOver() {
        String mine = created();
        wire.answer("children " + LINE, Code.OK, List.of(mine));
        String delete = "delete " + LINE + "/" + mine;
        var left = place.leave().toCompletableFuture();
        for (int refused = 1; refused <= 3; refused++) {
            answerBeatsBefore(delete);
            wire.answer(delete, Code.NOAUTH, null);
            stands(mine);
            wire.pass(Duration.ofSeconds(1L << refused));
        }
        assertThat(listener.troubles).hasSize(1);
        answerBeatsBefore(delete);
        wire.answer(delete, Code.NOAUTH, null);
        answerBeatsBefore("read " + LINE + "/" + mine);
        wire.answer("read " + LINE + "/" + mine, Code.NONODE, null);

        assertThat(listener.troubles).isEmpty();
        assertThat(session.refusedRemovals().refusal("any")).isEmpty();
        assertThat(left).isCompletedExceptionally(); // as was told
        wire.pass(Duration.ofSeconds(40));
        assertThat(wire.open()).doesNotContain(delete);
    }

    @Test
    void leave_serverIsBusyAgainAndAgain_isTold() {
        String mine = created();
        wire.answer("children " + LINE, Code.OK, List.of(mine));
        String delete = "delete " + LINE + "/" + mine;
        place.leave();
        for (int refused = 1; refused <= 3; refused++) {
            assertThat(listener.troubles).isEmpty();
            answerBeatsBefore(delete);
            wire.answer(delete, Code.THROTTLEDOP, null);
            wire.pass(Duration.ofSeconds(1));
        }
        assertThat(listener.troubles.values()).singleElement().asString().contains("THROTTLEDOP");
        answerBeatsBefore(delete);
        wire.answer(delete, Code.OK, null);

        assertThat(listener.troubles).isEmpty();
    }

    @Test
    void replyToTheJoinLost_lookingForItIsRefusedAgainAndAgain_isTold() {
        wire.lose();
        wire.connect();
        for (int refused = 1; refused <= 3; refused++) {
            assertThat(listener.troubles).isEmpty();
            answerBeatsBefore("children " + LINE);
            wire.answer("children " + LINE, Code.NOAUTH, null);
            wire.pass(Duration.ofSeconds(1));
        }
        assertThat(listener.troubles.values()).singleElement().asString().contains("NOAUTH");
        assertThat(told).isEmpty();
        answerBeatsBefore("children " + LINE);
        wire.answer("children " + LINE, Code.OK, List.of(AHEAD));

        assertThat(listener.troubles).isEmpty();
        assertThat(create()).isNotEmpty();
    }

    @Test
    void replyToTheJoinLost_lineStaysTooLong_isTold() {
        wire.maxAnswer = 64_000;
        wire.lose();
        wire.connect();
        for (int refused = 1; refused <= 3; refused++) {
            assertThat(listener.troubles).isEmpty();
            answerBeatsBefore("read " + LINE);
            wire.answer("read " + LINE, Code.OK, new Node(LINE, new byte[0], 9, 9, 9, 0, 1001, 0));
            wire.pass(Duration.ofSeconds(1));
        }
        assertThat(listener.troubles.values()).singleElement().asString().contains("1001 entries", "it goes on trying");
        answerBeatsBefore("read " + LINE);
        wire.answer("read " + LINE, Code.OK, node(LINE));
        answerBeatsBefore("children " + LINE);
        wire.answer("children " + LINE, Code.OK, List.of(AHEAD));

        assertThat(listener.troubles).isEmpty();
        assertThat(told).containsExactly("gone");
    }

    /** Answers the look at an entry whose removal was refused. */
    private void stands(String mine) {
        String look = "read " + LINE + "/" + mine;
        answerBeatsBefore(look);
        wire.answer(look, Code.OK, node(LINE + "/" + mine));
    }

    private void answerBeatsBefore(String request) {
        for (String first = wire.open().get(0);
                !first.equals(request);
                first = wire.open().get(0)) {
            wire.answer(first, Code.OK, first.startsWith("read ") ? node("/app") : null);
        }
    }

    @Test
    void remove_several_deletesTheLastInLineFirst() {
        var line = Line.of("locks/orders");
        List<Peer> removed = List.of(new Peer(line, FURTHER, 3), new Peer(line, "x", 7), new Peer(line, AHEAD, 4));

        session.transact(List.of(new Condition.Stands(new Peer(line, "y", 9))), List.of(), removed);

        assertThat(wire.open())
                .endsWith("multi [" + LINE + "/y, " + LINE + "/x, " + LINE + "/" + AHEAD + ", " + LINE + "/" + FURTHER
                        + "]");
    }

    @Test
    void remove_ownEntry_isGoneAndLeavingAsksForNothing() {
        String mine = created();
        wire.answer("children " + LINE, Code.OK, List.of(mine));

        var removing = remove(mine);
        wire.answer("multi [" + LINE + "/" + mine + "]", Code.OK, null);

        assertThat(removing).isCompletedWithValue(true);
        assertThat(told).containsExactly("clear", "gone");
        assertThat(place.leave().toCompletableFuture()).isCompleted();
        assertThat(wire.open()).isEmpty();
    }

    @Test
    void remove_hasGone_isRefused() {
        String mine = created();
        wire.answer("children " + LINE, Code.OK, List.of(mine));

        var removing = remove(AHEAD);
        wire.answer("multi [" + LINE + "/" + AHEAD + "]", Code.NONODE, 0);

        assertThat(removing).isCompletedWithValue(false);
        assertThat(told).containsExactly("clear");
    }

    @Test
    void remove_connectionLost_isUnknownAndThePlaceGoesOn() {
        String mine = created();
        wire.answer("children " + LINE, Code.OK, List.of(mine));

        var removing = remove(mine);
        wire.answer("multi [" + LINE + "/" + mine + "]", Code.CONNECTIONLOSS, null);

        assertThatThrownBy(removing::join).hasCauseInstanceOf(OutcomeUnknownException.class);
        assertThat(told).containsExactly("clear");
    }

    @Test
    void vanished_anotherStillAhead_watchesThatOne() {
        String mine = created();
        wire.answer("children " + LINE, Code.OK, List.of(mine, AHEAD));
        wire.answer("watch " + LINE + "/" + mine, Code.NOAUTH, null);
        wire.answer("watch " + LINE + "/" + AHEAD, Code.OK, node(LINE + "/" + AHEAD));

        wire.tell(LINE + "/" + AHEAD, Change.DELETED);
        wire.answer("children " + LINE, Code.OK, List.of(FURTHER, mine));

        assertThat(told).containsExactly("waits");
        assertThat(wire.open()).containsExactly("watch " + LINE + "/" + mine, "watch " + LINE + "/" + FURTHER);
    }

    @Test
    void replyToTheJoinLost_entryFoundAfterAQuorumCommit_isTaken() {
        String prefix = create().substring("create ".length());
        wire.lose();
        wire.connect();

        // The commit comes first: what was on its way when the connection broke cannot be applied after it.
        assertThat(wire.open()).containsExactly("read /app", "multi [/app]", "read " + LINE);
        String mine = prefix.substring(LINE.length() + 1) + "0000000005";
        wire.answer("read /app", Code.OK, node("/app"));
        wire.answer("multi [/app]", Code.OK, null);
        wire.answer("read " + LINE, Code.OK, node(LINE));
        wire.answer("children " + LINE, Code.OK, List.of(mine));
        wire.answer("read " + LINE + "/" + mine, Code.OK, node(LINE + "/" + mine));

        assertThat(told).containsExactly("clear");
    }

    @Test
    void replyToTheJoinLost_entryFoundAndClear_makesRoomForTheNextJoin() {
        var narrow = new ScriptedWire();
        narrow.window = () -> AdaptiveLimit.fixed(1);
        ZkSession other = narrow.session(new DeafListener());
        narrow.connect();
        narrow.answer("read /app", Code.OK, node("/app"));
        other.lengths().note(LINE, 1);
        other.lengths().note("/app/locks/stock", 1);
        other.join(Line.of("locks/orders"), new byte[0], new NotedStanding(told));
        other.join(Line.of("locks/stock"), new byte[0], new NotedStanding(new ArrayList<>()));
        String mine = narrow.open().get(0).substring("create ".length() + LINE.length() + 1) + "0000000005";
        narrow.lose();
        narrow.connect();
        narrow.answer("read /app", Code.OK, node("/app"));
        narrow.answer("multi [/app]", Code.OK, null);
        narrow.answer("read " + LINE, Code.OK, node(LINE));
        narrow.answer("children " + LINE, Code.OK, List.of(mine));

        narrow.answer("read " + LINE + "/" + mine, Code.OK, node(LINE + "/" + mine));

        assertThat(told).containsExactly("clear");
        assertThat(narrow.sent).anyMatch(request -> request.startsWith("create /app/locks/stock/"));
    }

    @Test
    void replyToTheJoinLost_listingWithoutACommit_settlesNothing() {
        String prefix = create().substring("create ".length());
        wire.lose();
        wire.connect();
        wire.answer("read /app", Code.OK, node("/app"));
        wire.answer("multi [/app]", Code.CONNECTIONLOSS, null);
        wire.answer("read " + LINE, Code.OK, node(LINE));
        wire.answer("children " + LINE, Code.OK, List.of());

        assertThat(wire.sent)
                .filteredOn(request -> request.startsWith("create " + LINE))
                .containsExactly("create " + prefix);
    }

    @Test
    void replyToTheJoinLost_noEntry_joinsAnewUnderAnotherId() {
        String first = create();
        wire.lose();
        wire.connect();
        wire.answer("read /app", Code.OK, node("/app"));
        wire.answer("multi [/app]", Code.OK, null);
        wire.answer("read " + LINE, Code.OK, node(LINE));
        wire.answer("children " + LINE, Code.OK, List.of(AHEAD));

        assertThat(create()).isNotEqualTo(first);
        assertThat(told).isEmpty();
    }

    @Test
    void replyToTheJoinLost_entryOfAnotherSession_isNotTaken() {
        String first = create();
        String mine = first.substring("create ".length() + LINE.length() + 1) + "0000000005";
        wire.lose();
        wire.connect();
        wire.answer("read /app", Code.OK, node("/app"));
        wire.answer("multi [/app]", Code.OK, null);
        wire.answer("read " + LINE, Code.OK, node(LINE));
        wire.answer("children " + LINE, Code.OK, List.of(mine));
        Node foreign = new Node(LINE + "/" + mine, new byte[0], 9, 9, 9, 0, 0, ScriptedWire.SESSION + 1);
        wire.answer("read " + LINE + "/" + mine, Code.OK, foreign);

        assertThat(create()).isNotEqualTo(first);
        assertThat(told).isEmpty();
    }

    @Test
    void clear_ownEntryDeletedAndAnotherOfOursWatchesIt_isGoneWithoutABeat() {
        String mine = created();
        wire.answer("children " + LINE, Code.OK, List.of(mine));
        assertThat(told).containsExactly("clear");

        wire.tell(LINE + "/" + mine, Change.DELETED);
        assertThat(told).containsExactly("clear");
        wire.answer("read " + LINE + "/" + mine, Code.NONODE, null);

        assertThat(told).containsExactly("clear", "gone");
    }

    @Test
    void stand_numbersUsedUp_isInOrderOfBirth() {
        String mine = created("2147483647");
        String earlier = UNNUMBERED + "2147483647";
        String later = UNNUMBERED.replace("aa-", "bb-") + "-2147483648";
        wire.answer("children " + LINE, Code.OK, List.of(later, mine, earlier));

        answerReads(path -> path.endsWith(earlier) ? 8 : path.endsWith(later) ? 10 : 9);

        assertThat(told).containsExactly("waits");
        assertThat(wire.open()).containsExactly("watch " + LINE + "/" + earlier);
        wire.answer("watch " + LINE + "/" + earlier, Code.NONODE, null);
        wire.answer("children " + LINE, Code.OK, List.of(later, mine));
        assertThat(told).containsExactly("waits", "clear");
        assertThat(wire.open()).isEmpty();
    }

    @Test
    void stand_numbersUsedUpAndOneGoneMeanwhile_isClearOnANewListingOnly() {
        String mine = created("2147483647");
        String earlier = UNNUMBERED + "2147483647";
        wire.answer("children " + LINE, Code.OK, List.of(mine, earlier));

        answerReads(path -> path.endsWith(earlier) ? -1 : 9);

        assertThat(told).isEmpty();
        wire.answer("children " + LINE, Code.OK, List.of(mine));
        assertThat(told).containsExactly("clear");
    }

    @Test
    void stand_numbersUsedUpAndCuratorInLine_givesUp() {
        String mine = created("2147483647");
        wire.answer(
                "children " + LINE, Code.OK, List.of(mine, "_c_8f3c8a54-0d33-4c0e-9d3e-2f4a3a1b7c11-lock-0000000003"));

        assertThat(told).containsExactly("gone");
        assertThat(wire.open()).containsExactly("delete " + LINE + "/" + mine);
    }

    @Test
    void leave_beforeTheJoinIsAnswered_deletesTheEntryOnceKnown() {
        place.leave();
        assertThat(wire.open()).containsExactly(create(), "children " + LINE);

        String mine = created();

        assertThat(wire.open()).contains("delete " + LINE + "/" + mine);
        assertThat(told).isEmpty();
    }

    @Test
    void leave_replyLost_isRepeatedUntilConfirmed() {
        String mine = created();
        wire.answer("children " + LINE, Code.OK, List.of(mine));
        var left = place.leave().toCompletableFuture();
        wire.lose();
        wire.connect();
        assertThat(left).isNotDone();

        wire.answer("read /app", Code.OK, node("/app"));
        wire.answer("delete " + LINE + "/" + mine, Code.NONODE, null);

        assertThat(left).isCompleted();
    }

    @Test
    void leave_whileWaiting_dropsTheWatch() {
        String mine = created();
        wire.answer("children " + LINE, Code.OK, List.of(mine, AHEAD));
        wire.answer("watch " + LINE + "/" + mine, Code.OK, node(LINE + "/" + mine));
        wire.answer("watch " + LINE + "/" + AHEAD, Code.OK, node(LINE + "/" + AHEAD));

        place.leave();

        assertThat(wire.open()).containsExactly("unwatch " + LINE + "/" + AHEAD, "delete " + LINE + "/" + mine);
        wire.answer("unwatch " + LINE + "/" + AHEAD, Code.OK, null);
        wire.tell(LINE + "/" + mine, Change.DELETED);
        assertThat(session.watches().size()).isZero();
    }

    @Test
    void watch_wantedAgainWhileBeingDropped_isSetAfterTheDrop() {
        String mine = created();
        wire.answer("children " + LINE, Code.OK, List.of(mine, AHEAD));
        wire.answer("watch " + LINE + "/" + mine, Code.OK, node(LINE + "/" + mine));
        wire.answer("watch " + LINE + "/" + AHEAD, Code.OK, node(LINE + "/" + AHEAD));
        place.leave();
        List<String> vanished = new ArrayList<>();
        session.watches().add(LINE + "/" + AHEAD, new Watches.Waiter() {
            @Override
            public void deleted() {
                vanished.add("vanished");
            }

            @Override
            public void unwatched() {
                vanished.add("unwatched");
            }

            @Override
            public void unreadable() {
                vanished.add("unreadable");
            }
        });
        assertThat(wire.open()).doesNotContain("watch " + LINE + "/" + AHEAD);

        wire.answer("unwatch " + LINE + "/" + AHEAD, Code.OK, null);
        assertThat(wire.open()).contains("watch " + LINE + "/" + AHEAD);
        wire.answer("delete " + LINE + "/" + mine, Code.OK, null);
        wire.answer("watch " + LINE + "/" + AHEAD, Code.OK, node(LINE + "/" + AHEAD));
        wire.tell(LINE + "/" + AHEAD, Change.DELETED);

        assertThat(vanished).containsExactly("vanished");
    }

    @Test
    void audit_eventNeverCame_findsOut() {
        String mine = created();
        wire.answer("children " + LINE, Code.OK, List.of(mine, AHEAD));
        wire.answer("watch " + LINE + "/" + mine, Code.OK, node(LINE + "/" + mine));
        wire.answer("watch " + LINE + "/" + AHEAD, Code.OK, node(LINE + "/" + AHEAD));

        for (int second = 0; second < 60 && told.size() < 2; second++) {
            wire.pass(Duration.ofSeconds(1));
            List.copyOf(wire.open()).forEach(request -> answerQuietly(request, mine));
        }

        assertThat(told).containsExactly("waits", "clear");
    }

    @Test
    void audit_lineMovesOnWithoutUs_findsOut() {
        String mine = created();
        wire.answer("children " + LINE, Code.OK, List.of(mine, AHEAD));
        wire.answer("watch " + LINE + "/" + mine, Code.OK, node(LINE + "/" + mine));
        wire.answer("watch " + LINE + "/" + AHEAD, Code.OK, node(LINE + "/" + AHEAD));

        for (int second = 0; second < 120 && told.size() < 2; second++) {
            session.audit().lineMoved(Line.of("locks/orders"));
            wire.pass(Duration.ofSeconds(1));
            List.copyOf(wire.open()).forEach(request -> answerQuietly(request, FURTHER));
        }

        assertThat(told).containsExactly("waits", "gone");
    }

    @Test
    void join_nothingKnownOfTheLine_looksAtItsLengthFirst() {
        joinOther("locks/stock");
        assertThat(wire.open()).endsWith("children " + LINE, "read /app/locks/stock");

        created();
        wire.answer("children " + LINE, Code.OK, List.of());
        wire.answer("read /app/locks/stock", Code.OK, node("/app/locks/stock"));

        assertThat(wire.open().get(0)).startsWith("create /app/locks/stock/_c_");
        assertThat(wire.open().get(1)).isEqualTo("children /app/locks/stock");
    }

    @Test
    void join_lineIsKnownToBeMissing_makesItAndDoesNotTryInVain() {
        joinOther("locks/stock");
        created();
        wire.answer("children " + LINE, Code.OK, List.of());
        wire.answer("read /app/locks/stock", Code.NONODE, null);

        assertThat(wire.open()).containsExactly("create /app/locks/stock");
    }

    @Test
    void join_serverIsTooBusyForTheLength_looksAgainAfterAWhile() {
        List<String> toldOther = joinOther("locks/stock");
        created();
        wire.answer("children " + LINE, Code.OK, List.of());
        wire.answer("read /app/locks/stock", Code.THROTTLEDOP, null);
        assertThat(wire.open()).isEmpty();
        wire.pass(Duration.ofSeconds(1));

        assertThat(wire.open()).contains("read /app/locks/stock");
        assertThat(toldOther).isEmpty();
    }

    @Test
    void join_serverIsTooBusy_joinsAfterAWhile() {
        String create = create();
        wire.answer(create, Code.THROTTLEDOP, null);
        wire.answer("children " + LINE, Code.THROTTLEDOP, null);
        assertThat(wire.open()).isEmpty();
        wire.pass(Duration.ofSeconds(1));

        assertThat(wire.open())
                .anyMatch(request -> request.startsWith("create " + LINE + "/") && !request.equals(create));
        assertThat(told).isEmpty();
    }

    @Test
    void list_serverIsTooBusy_staysAndListsAfterAWhile() {
        created();
        wire.answer("children " + LINE, Code.THROTTLEDOP, null);
        wire.pass(Duration.ofSeconds(1));

        assertThat(wire.open()).contains("children " + LINE);
        assertThat(told).isEmpty();
    }

    @Test
    void join_serverIsTooBusyForLong_isATroubleUntilItJoins() {
        for (int refused = 1; refused <= 40; refused++) {
            assertThat(listener.troubles).hasSize(refused > 3 ? 1 : 0);
            answerBeatsBefore(create());
            wire.answer(create(), Code.THROTTLEDOP, null);
            wire.answer("children " + LINE, Code.THROTTLEDOP, null);
            wire.pass(Duration.ofSeconds(1));
        }
        assertThat(listener.troubles)
                .hasEntrySatisfying(
                        "Cannot join " + Line.of("locks/orders"),
                        why -> assertThat(why).contains("THROTTLEDOP"));
        assertThat(told).isEmpty();
        answerBeatsBefore(create());
        created();

        assertThat(listener.troubles).isEmpty();
    }

    @Test
    void join_serverIsTooBusyToMakeTheLineForLong_isATroubleUntilItJoins() {
        List<CoordinationException> refusals = joinOtherWithoutLine();
        wire.answer("create /app", Code.NODEEXISTS, null);
        wire.answer("create /app/locks", Code.OK, node("/app/locks"));
        wire.answer("create /app/locks/stock", Code.THROTTLEDOP, null);
        for (int refused = 1; refused <= 40; refused++) {
            wire.pass(Duration.ofSeconds(1));
            answerBeatsBefore(createStock());
            wire.answer(createStock(), Code.NONODE, null);
            wire.answer("children /app/locks/stock", Code.NONODE, null);
            wire.answer("create /app/locks/stock", Code.THROTTLEDOP, null);
        }
        assertThat(listener.troubles.values()).singleElement().asString().contains("THROTTLEDOP");
        assertThat(refusals).isEmpty();
        wire.pass(Duration.ofSeconds(1));
        answerBeatsBefore(createStock());
        wire.answer(createStock(), Code.OK, node(createStock().substring("create ".length()) + "0000000001"));

        assertThat(listener.troubles).isEmpty();
    }

    /** The create of the other place's entry. */
    private String createStock() {
        return wire.open().stream()
                .filter(request -> request.startsWith("create /app/locks/stock/"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void join_leftWhileTheServerIsTooBusy_isNoTroubleAnyMore() {
        for (int refused = 1; refused <= 3; refused++) {
            answerBeatsBefore(create());
            wire.answer(create(), Code.THROTTLEDOP, null);
            wire.answer("children " + LINE, Code.THROTTLEDOP, null);
            wire.pass(Duration.ofSeconds(1));
        }
        assertThat(listener.troubles).isNotEmpty();
        var left = place.leave().toCompletableFuture();
        answerBeatsBefore(create());
        wire.answer(create(), Code.THROTTLEDOP, null);
        wire.answer("children " + LINE, Code.THROTTLEDOP, null);
        wire.pass(Duration.ofSeconds(1));

        assertThat(left).isCompleted();
        assertThat(listener.troubles).isEmpty();
    }

    @Test
    void list_serverIsTooBusyForLong_isATroubleUntilItIsListed() {
        String mine = created();
        for (int refused = 1; refused <= 6; refused++) { // the audit lists, too
            answerBeatsBefore("children " + LINE);
            wire.answer("children " + LINE, Code.THROTTLEDOP, null);
            wire.pass(Duration.ofSeconds(1));
        }
        assertThat(listener.troubles)
                .hasEntrySatisfying(
                        "Cannot see who stands ahead in " + Line.of("locks/orders"),
                        why -> assertThat(why).contains("THROTTLEDOP"));
        answerBeatsBefore("children " + LINE);
        wire.answer("children " + LINE, Code.OK, List.of(mine, AHEAD));

        assertThat(told).containsExactly("waits");
        assertThat(listener.troubles).isEmpty();
    }

    @Test
    void downgrade_serverIsTooBusyForLong_isATroubleUntilItIsMade() {
        created();
        wire.answer("children " + LINE, Code.OK, List.of());
        Line line = Line.of("rwlocks/orders", Line.Kind.READ_WRITE);
        session.lengths().note("/app/rwlocks/orders", 1);
        Place writer = session.join(line, Claim.EXCLUSIVE, new byte[0], new NotedStanding(told));
        String path = wire.open().get(0).substring("create ".length()) + "0000000001";
        wire.answer(wire.open().get(0), Code.OK, node(path));
        wire.answer("children /app/rwlocks/orders", Code.OK, List.of(path.substring(path.lastIndexOf('/') + 1)));
        var downgraded = writer.downgrade().toCompletableFuture();
        String write = "multi [" + path + "]";
        for (int refused = 1; refused <= 5; refused++) {
            assertThat(listener.troubles).hasSize(refused > 3 ? 1 : 0);
            answerBeatsBefore(write);
            wire.answer(write, Code.THROTTLEDOP, null);
            wire.pass(Duration.ofSeconds(1));
        }
        assertThat(downgraded).isNotDone();
        assertThat(listener.troubles)
                .hasEntrySatisfying(
                        "Cannot downgrade the hold of " + line,
                        why -> assertThat(why).contains("THROTTLEDOP"));
        answerBeatsBefore(write);
        wire.answer(write, Code.OK, null);

        assertThat(downgraded).isCompleted();
        assertThat(listener.troubles).isEmpty();
    }

    @Test
    void acl_serverIsTooBusyToShowIt_isReadAgainAndAForeignOneIsRefused() {
        String mine = joinWithAcl(Code.THROTTLEDOP, AHEAD);
        assertThat(told).containsExactly("waits");

        wire.pass(Duration.ofSeconds(1));
        answerBeatsBefore("acl " + LINE);
        wire.answer("acl " + LINE, Code.THROTTLEDOP, null);
        wire.pass(Duration.ofSeconds(1));
        answerBeatsBefore("acl " + LINE);
        wire.answer("acl " + LINE, Code.OK, "world:anyone:r");

        assertThat(told).containsExactly("waits", "gone");
        assertThat(wire.open()).contains("delete " + LINE + "/" + mine);
    }

    @Test
    void acl_serverIsTooBusyToShowItAndThePlaceIsClear_isNotReadAgain() {
        joinWithAcl(Code.THROTTLEDOP);
        assertThat(told).containsExactly("clear");

        wire.pass(Duration.ofSeconds(1));

        assertThat(wire.open()).doesNotContain("acl " + LINE);
    }

    @Test
    void acl_answerToTheSecondReadIsLost_isReadAgain() {
        joinWithAcl(Code.THROTTLEDOP, AHEAD);
        wire.pass(Duration.ofSeconds(1));
        assertThat(wire.open()).contains("acl " + LINE);

        wire.lose();
        wire.connect();

        assertThat(wire.open()).contains("acl " + LINE);
    }

    /** The entry is looked for, and the ACL is read with it. */
    @Test
    void acl_answerIsLostWithTheJoin_isNotReadBeforeTheEntryIsFound() {
        wire.checksAcls = true;
        session.join(Line.of("locks/orders"), new byte[0], new NotedStanding(told));
        assertThat(wire.open()).contains("acl " + LINE);

        wire.lose();
        wire.connect();

        assertThat(wire.open()).doesNotContain("acl " + LINE);
    }

    /** Joins anew, with credentials. Returns the entry's name. */
    private String joinWithAcl(Code acl, String... ahead) {
        wire.answer(create(), Code.NOAUTH, null);
        wire.answer("children " + LINE, Code.NOAUTH, null);
        told.clear();
        wire.checksAcls = true;
        session.join(Line.of("locks/orders"), new byte[0], new NotedStanding(told));
        wire.answer("acl " + LINE, acl, null);
        String mine = created();
        var all = new ArrayList<>(List.of(ahead));
        all.add(mine);
        wire.answer("children " + LINE, Code.OK, all);
        for (String each : ahead) {
            answerUpTo("watch " + LINE + "/" + mine);
            wire.answer("watch " + LINE + "/" + mine, Code.OK, node(LINE + "/" + mine));
            wire.answer("watch " + LINE + "/" + each, Code.OK, node(LINE + "/" + each));
        }
        return mine;
    }

    @Test
    void join_lineMayNotBeMadeForAQuota_isRefusedWithTheReason() {
        List<String> toldOther = joinOther("locks/stock");
        created();
        wire.answer("children " + LINE, Code.OK, List.of());
        wire.answer("read /app/locks/stock", Code.NONODE, null);
        wire.answer("create /app/locks/stock", Code.QUOTAEXCEEDED, null);

        assertThat(toldOther).containsExactly("gone");
        assertThat(wire.open()).isEmpty();
    }

    @Test
    void join_nodeAboveTheLineMayNotBeMade_isRefusedWithTheReason() {
        List<CoordinationException> refusals = joinOtherWithoutLine();
        wire.answer("create /app", Code.NOAUTH, null); // it is there
        wire.answer("create /app/locks", Code.QUOTAEXCEEDED, null);
        wire.answer("create /app/locks/stock", Code.NONODE, null);

        assertThat(refusals)
                .singleElement()
                .satisfies(why -> assertThat(why)
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("quota"));
        assertThat(wire.open()).isEmpty();
    }

    @Test
    void join_nodeAboveTheLineIsThereAndRefused_joins() {
        List<CoordinationException> refusals = joinOtherWithoutLine();
        wire.answer("create /app", Code.NOAUTH, null);
        wire.answer("create /app/locks", Code.OK, node("/app/locks"));
        wire.answer("create /app/locks/stock", Code.OK, node("/app/locks/stock"));
        wire.pass(Duration.ofSeconds(1));

        assertThat(wire.open()).anyMatch(request -> request.startsWith("create /app/locks/stock/"));
        assertThat(refusals).isEmpty();
    }

    @Test
    void join_nodeAboveTheLineGoesMeanwhile_isMadeAgain() {
        List<CoordinationException> refusals = joinOtherWithoutLine();
        wire.answer("create /app", Code.NODEEXISTS, null);
        wire.answer("create /app/locks", Code.NODEEXISTS, null);
        wire.answer("create /app/locks/stock", Code.NONODE, null);
        wire.pass(Duration.ofSeconds(1));

        assertThat(wire.open()).anyMatch(request -> request.startsWith("create /app/locks/stock/"));
        assertThat(refusals).isEmpty();
    }

    @Test
    void join_serverIsTooBusyToMakeANodeAboveTheLine_joinsAfterAWhile() {
        List<CoordinationException> refusals = joinOtherWithoutLine();
        wire.answer("create /app", Code.NODEEXISTS, null);
        wire.answer("create /app/locks", Code.THROTTLEDOP, null);
        wire.answer("create /app/locks/stock", Code.NONODE, null);
        wire.pass(Duration.ofSeconds(1));

        assertThat(wire.open()).anyMatch(request -> request.startsWith("create /app/locks/stock/"));
        assertThat(refusals).isEmpty();
    }

    @Test
    void join_lineCannotBeMadeForAnyReason_isRefusedWithTheReason() {
        List<CoordinationException> refusals = joinOtherWithoutLine();
        wire.answer("create /app", Code.NODEEXISTS, null);
        wire.answer("create /app/locks", Code.NODEEXISTS, null);
        wire.answer("create /app/locks/stock", Code.NOCHILDRENFOREPHEMERALS, null);

        assertThat(refusals)
                .singleElement()
                .satisfies(why -> assertThat(why).hasMessageContaining("NoChildrenForEphemerals"));
        assertThat(wire.open()).isEmpty();
    }

    /** Joins a line that is missing, as the node above it is. */
    private List<CoordinationException> joinOtherWithoutLine() {
        var refusals = new ArrayList<CoordinationException>();
        session.join(Line.of("locks/stock"), new byte[0], new Refusals(refusals));
        created();
        wire.answer("children " + LINE, Code.OK, List.of());
        wire.answer("read /app/locks/stock", Code.NONODE, null);
        wire.answer("create /app/locks/stock", Code.NONODE, null);
        return refusals;
    }

    @Test
    void join_lineTooLong_isRefusedAndCreatesNothing() {
        wire.maxAnswer = 64_000;
        List<String> toldOther = joinOther("locks/stock");
        created();
        wire.answer("children " + LINE, Code.OK, List.of());
        wire.answer("read /app/locks/stock", Code.OK, new Node("/app/locks/stock", new byte[0], 9, 9, 9, 0, 940, 0));

        assertThat(toldOther).containsExactly("gone");
        assertThat(wire.open()).isEmpty();
    }

    @Test
    void stand_lineHasBecomeTooLong_givesUpAndRemovesTheEntry() {
        wire.maxAnswer = 64_000;
        String mine = created();
        wire.answer("children " + LINE, Code.CONNECTIONLOSS, null);
        wire.pass(Duration.ofSeconds(1));
        answerUpTo("read " + LINE);
        wire.answer("read " + LINE, Code.OK, new Node(LINE, new byte[0], 9, 9, 9, 0, 1001, 0));

        assertThat(told).containsExactly("gone");
        assertThat(wire.open()).contains("delete " + LINE + "/" + mine);
    }

    /** Rights were taken away, say, while the contact was broken. */
    @Test
    void replyToTheJoinLost_linesMayNotBeListed_othersJoinMeanwhile() {
        int many = 2 * RequestWindow.SIZE;
        for (int i = 0; i < many; i++) {
            session.lengths().note("/app/locks/line-" + i, 1);
            List<String> ignored = joinOther("locks/line-" + i);
        }
        assertThat(joins()).isTrue();
        wire.lose();
        wire.connect();

        for (int second = 0; second < 10 && !joins(); second++) {
            while (!wire.open().isEmpty() && !joins()) {
                String oldest = wire.open().get(0);
                boolean lists = oldest.startsWith("children ");
                wire.answer(oldest, lists ? Code.NOAUTH : Code.OK, oldest.startsWith("read ") ? node("/app") : null);
            }
            wire.pass(Duration.ofSeconds(1));
        }

        assertThat(joins()).isTrue();
    }

    private boolean joins() {
        return wire.open().stream().anyMatch(each -> each.startsWith("create "));
    }

    @Test
    void replyToTheJoinLost_lineTooLong_isGoneAndTheEntryRemovedOnceTheLineIsShorter() {
        wire.maxAnswer = 64_000;
        String mine = create().substring("create ".length() + LINE.length() + 1) + "0000000005";
        wire.lose();
        wire.connect();
        wire.answer("read /app", Code.OK, node("/app"));
        wire.answer("multi [/app]", Code.OK, null);
        wire.answer("read " + LINE, Code.OK, new Node(LINE, new byte[0], 9, 9, 9, 0, 1001, 0));
        assertThat(told).containsExactly("gone");
        var left = place.leave().toCompletableFuture();
        assertThat(left).isNotDone();

        wire.pass(Duration.ofSeconds(1));
        answerUpTo("read " + LINE);
        wire.answer("read " + LINE, Code.OK, node(LINE));
        answerUpTo("children " + LINE);
        wire.answer("children " + LINE, Code.OK, List.of(mine));
        wire.answer("read " + LINE + "/" + mine, Code.OK, node(LINE + "/" + mine));
        wire.answer("delete " + LINE + "/" + mine, Code.OK, null);

        assertThat(left).isCompleted();
        assertThat(told).containsExactly("gone");
    }

    @Test
    void standBehind_ownEntry_isNotWatchedAndAReadConfirmsTheHandOff() {
        String first = created();
        wire.answer("children " + LINE, Code.OK, List.of(first));
        List<String> toldSecond = joinOther("locks/orders");
        String second = created("0000000006");
        wire.answer("children " + LINE, Code.OK, List.of(second, first));
        assertThat(toldSecond).containsExactly("waits");
        assertThat(wire.open()).isEmpty();

        place.leave();
        wire.answer("delete " + LINE + "/" + first, Code.OK, null);

        assertThat(toldSecond).containsExactly("waits");
        assertThat(wire.open()).containsExactly("read " + LINE + "/" + second);
        wire.answer("read " + LINE + "/" + second, Code.OK, node(LINE + "/" + second));
        assertThat(toldSecond).containsExactly("waits", "clear");
        assertThat(wire.open()).isEmpty();
    }

    @Test
    void standBehind_ownEntryThatWasFirstAndOwnHasGoneAsWell_isGone() {
        String first = created();
        wire.answer("children " + LINE, Code.OK, List.of(first));
        List<String> toldSecond = joinOther("locks/orders");
        String second = created("0000000006");
        wire.answer("children " + LINE, Code.OK, List.of(second, first));

        place.leave();
        wire.answer("delete " + LINE + "/" + first, Code.OK, null);
        wire.answer("read " + LINE + "/" + second, Code.NONODE, null);
        wire.answer("children " + LINE, Code.OK, List.of());

        assertThat(toldSecond).containsExactly("waits", "gone");
    }

    @Test
    void standBehind_ownEntryThatWasNotFirst_isFollowedByAListing() {
        String first = created();
        wire.answer("children " + LINE, Code.OK, List.of(AHEAD, first));
        wire.answer("watch " + LINE + "/" + first, Code.OK, node(LINE + "/" + first));
        wire.answer("watch " + LINE + "/" + AHEAD, Code.OK, node(LINE + "/" + AHEAD));
        List<String> toldSecond = joinOther("locks/orders");
        String second = created("0000000006");
        wire.answer("children " + LINE, Code.OK, List.of(second, AHEAD, first));

        place.leave();
        wire.answer("unwatch " + LINE + "/" + AHEAD, Code.OK, null);
        wire.tell(LINE + "/" + first, Change.DELETED);
        wire.answer("delete " + LINE + "/" + first, Code.OK, null);
        wire.answer("children " + LINE, Code.OK, List.of(second, AHEAD));

        assertThat(toldSecond).containsExactly("waits");
        assertThat(wire.open()).containsExactly("watch " + LINE + "/" + second, "watch " + LINE + "/" + AHEAD);
    }

    @Test
    void standBehind_ownEntryInALineWhoseNumbersAreUsedUp_isWatched() {
        String first = created("2147483646");
        wire.answer("children " + LINE, Code.OK, List.of(first));
        answerReads(path -> 9);
        joinOther("locks/orders");
        String path = create().substring("create ".length()) + "2147483647";
        wire.answer(create(), Code.OK, new Node(path, new byte[0], 10, 10, 10, 0, 0, ScriptedWire.SESSION));
        wire.answer("children " + LINE, Code.OK, List.of(path.substring(LINE.length() + 1), first));
        answerReads(any -> 10);

        assertThat(wire.open()).containsExactly("watch " + LINE + "/" + first);
    }

    @Test
    void join_manyAtOnce_aWindowOfThemIsUnderWayAndAQueuedOneLeavesAtOnce() {
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            places.add(session.join(Line.of("locks/orders"), new byte[0], new Unheard()));
        }
        assertThat(creates()).isEqualTo(RequestWindow.SIZE);

        assertThat(places.get(99).leave().toCompletableFuture()).isCompleted();
        String mine = created();
        wire.answer("children " + LINE, Code.OK, List.of(mine));

        assertThat(creates()).isEqualTo(RequestWindow.SIZE);
        assertThat(wire.open().stream().filter(request -> request.startsWith("children")))
                .hasSize(1);
    }

    @Test
    void join_manyAtOnce_fewAreUnderWayBeforeTheFirstAnswer() {
        ScriptedWire usual = new ScriptedWire();
        Session asPrograms = usual.storeSession(new DeafListener());
        usual.connect();
        usual.answer("read /app", Code.OK, node("/app"));
        for (int i = 0; i < 100; i++) {
            asPrograms.join(Line.of("locks/" + i), new byte[0], new Unheard());
        }

        assertThat(usual.open()).hasSizeBetween(2, 20);
    }

    @Test
    void join_answersComeQuicklyAndThenSlowly_moreAreUnderWayAndThenFewer() {
        ScriptedWire adaptive = new ScriptedWire();
        adaptive.window = () -> AdaptiveLimit.between(2, RequestWindow.SIZE, Duration.ofSeconds(4));
        ZkSession crowded = adaptive.session(new DeafListener());
        adaptive.connect();
        adaptive.answer("read /app", Code.OK, node("/app"));
        for (int i = 0; i < 200; i++) {
            crowded.lengths().note("/app/locks/" + i, 1);
            crowded.join(Line.of("locks/" + i), new byte[0], new Unheard());
        }
        int few = creates(adaptive);

        refuseAll(adaptive, Duration.ofMillis(1));
        refuseAll(adaptive, Duration.ofMillis(1));
        int many = creates(adaptive);
        refuseAll(adaptive, Duration.ofMillis(500));
        refuseAll(adaptive, Duration.ofMillis(500));
        refuseAll(adaptive, Duration.ofMillis(500));

        assertThat(few).isBetween(1, 10);
        assertThat(many).isGreaterThanOrEqualTo(2 * few);
        assertThat(creates(adaptive)).isBetween(1, many / 2);
    }

    private static int creates(ScriptedWire wire) {
        return (int) wire.open().stream()
                .filter(request -> request.startsWith("create"))
                .count();
    }

    private static void refuseAll(ScriptedWire wire, Duration after) {
        wire.pass(after);
        for (String request : wire.open()) {
            if (request.startsWith("children")) {
                wire.answer(request, Code.OK, List.of());
            } else {
                wire.answer(request, Code.NOAUTH, null);
            }
        }
    }

    @Test
    void join_manyOfAnotherLineAreQueued_waitsForOneOfThem() {
        for (int i = 0; i < 100; i++) {
            session.join(Line.of("locks/orders"), new byte[0], new Unheard());
        }
        session.join(Line.of("locks/bills"), new byte[0], new Unheard());

        wire.answer(create(), Code.NOAUTH, null);
        wire.answer("children " + LINE, Code.OK, List.of());
        wire.answer(create(), Code.NOAUTH, null);

        assertThat(wire.open()).anyMatch(request -> request.contains("/app/locks/bills"));
    }

    @Test
    void leave_manyAtOnce_aWindowOfDeletesIsUnderWay() {
        List<Place> places = new ArrayList<>();
        List<String> names = new ArrayList<>();
        names.add(created());
        wire.answer("children " + LINE, Code.OK, names);
        for (int i = 0; i < 100; i++) {
            places.add(session.join(Line.of("locks/orders"), new byte[0], new Unheard()));
            if (wire.open().get(0).startsWith("follow")) {
                wire.answer("follow " + LINE, Code.NOAUTH, null);
            }
            names.add(created(String.format("%010d", 100 + i)));
            wire.answer("children " + LINE, Code.OK, names);
        }
        places.forEach(Place::leave);
        place.leave();

        assertThat(wire.open()).hasSize(RequestWindow.SIZE).allMatch(request -> request.startsWith("delete"));
        wire.answer(wire.open().get(0), Code.OK, null);
        // A hold is given back before those who merely waited are.
        assertThat(wire.open()).endsWith("delete " + LINE + "/" + names.get(0));
    }

    private long creates() {
        return wire.open().stream()
                .filter(request -> request.startsWith("create"))
                .count();
    }

    private List<String> joinOther(String line) {
        List<String> toldOther = new ArrayList<>();
        session.join(Line.of(line), new byte[0], new NotedStanding(toldOther));
        return toldOther;
    }

    /** Answers the signs of life that are open before this request. */
    private void answerUpTo(String request) {
        while (!wire.open().get(0).equals(request)) {
            String sign = wire.open().get(0);
            wire.answer(sign, Code.OK, sign.startsWith("read") ? node("/app") : null);
        }
    }

    /** The line has this one entry. */
    private void answerQuietly(String request, String entry) {
        if (request.startsWith("children")) {
            wire.answer(request, Code.OK, List.of(entry));
        } else if (request.startsWith("multi") || request.startsWith("unwatch")) {
            wire.answer(request, Code.OK, null);
        } else {
            wire.answer(request, Code.OK, node("/app"));
        }
    }

    /** The create that is open. */
    private String create() {
        return wire.open().stream()
                .filter(request -> request.startsWith("create " + LINE + "/"))
                .findFirst()
                .orElseThrow();
    }

    /** Answers all reads that are open: this transaction made the node; if negative, it is not there. */
    private void answerReads(ToLongFunction<String> czxid) {
        for (String request : wire.open()) {
            String path = request.substring("read ".length());
            long made = czxid.applyAsLong(path);
            if (made < 0) {
                wire.answer(request, Code.NONODE, null);
            } else {
                wire.answer(request, Code.OK, new Node(path, new byte[0], made, made, made, 0, 0, 1));
            }
        }
    }

    private CompletableFuture<Boolean> remove(String name) {
        var peer = new Peer(Line.of("locks/orders"), name, 4);
        return session.transact(List.of(), List.of(), List.of(peer)).toCompletableFuture();
    }

    /** Answers the create; the name of the entry. */
    private String created() {
        return created("0000000005");
    }

    private String created(String number) {
        String path = create().substring("create ".length()) + number;
        wire.answer(create(), Code.OK, node(path));
        return path.substring(LINE.length() + 1);
    }

    private static Node node(String path) {
        return new Node(path, new byte[0], 9, 9, 9, 0, 0, ScriptedWire.SESSION);
    }

    /** Notes why a place is lost. */
    private record Refusals(List<CoordinationException> reasons) implements PlaceListener {
        @Override
        public void waiting() {}

        @Override
        public void clear(Entry mine) {}

        @Override
        public void lost(CoordinationException why) {
            reasons.add(why);
        }
    }

    /** For tests that do not ask where a place stands. */
    static final class Unheard implements PlaceListener {
        @Override
        public void waiting() {}

        @Override
        public void clear(Entry mine) {}

        @Override
        public void lost(CoordinationException why) {}
    }
}
