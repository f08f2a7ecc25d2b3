package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.spi.Claim;
import io.baton.spi.Line;
import io.baton.spi.Place;
import io.baton.zookeeper.wire.ZkWire.Change;
import io.baton.zookeeper.wire.ZkWire.Node;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a place watches behind others, and when the deletion of the one ahead is the grant. */
class PredecessorWatchTest {

    private static final String LINE = "/app/locks/orders";
    private static final String AHEAD = "_c_00000000-0000-0000-0000-0000000000aa-lock-0000000004";
    private static final String FURTHER = "_c_00000000-0000-0000-0000-0000000000bb-lock-0000000003";
    private static final String WRITER = "_c_00000000-0000-0000-0000-0000000000bb-__WRIT__0000000003";
    private static final String LAST_WRITER = "_c_00000000-0000-0000-0000-0000000000aa-__WRIT__0000000004";
    private static final String FIRST = "_c_00000000-0000-0000-0000-0000000000cc-lock-0000000002";

    private final ScriptedWire wire = new ScriptedWire();
    private final List<String> told = new ArrayList<>();
    private ZkSession session;
    private final List<String> toldSecond = new ArrayList<>();
    private Place place;
    private String mine;
    private String second;

    @BeforeEach
    void join() {
        join(wire.session(new DeafListener()));
    }

    private void join(ZkSession opened) {
        join(opened, Line.of("locks/orders"), Claim.EXCLUSIVE);
    }

    private void joinAsReader() {
        join(wire.session(new DeafListener()), Line.of("locks/orders", Line.Kind.READ_WRITE), Claim.SHARED);
    }

    private void join(ZkSession opened, Line line, Claim claim) {
        session = opened;
        wire.connect();
        wire.answer("read /app", Code.OK, node("/app"));
        session.lengths().note(LINE, 1);
        place = session.join(line, claim, new byte[0], new NotedStanding(told));
        String create = wire.open().get(0);
        String path = create.substring("create ".length()) + "0000000005";
        wire.answer(create, Code.OK, node(path));
        mine = path.substring(LINE.length() + 1);
    }

    @Test
    void behindOne_watchesItselfAndThenTheOneAhead() {
        list(AHEAD);

        assertThat(wire.open()).containsExactly("watch " + LINE + "/" + mine, "watch " + LINE + "/" + AHEAD);
        assertThat(told).containsExactly("waits");
    }

    @Test
    void behindOne_theOneAheadGoes_isTheGrantWithoutAnotherAnswer() {
        list(AHEAD);
        watched(mine);
        watched(AHEAD);

        wire.tell(LINE + "/" + AHEAD, Change.DELETED);

        assertThat(told).containsExactly("waits", "clear");
        assertThat(wire.open()).isEmpty();
    }

    /** As a place that lingers, which is given up once this one has joined. */
    @Test
    void behindOne_theOneAheadHadGoneWhenItWasToBeWatched_isTheGrantWithoutAnotherAnswer() {
        list(AHEAD);
        watched(mine);

        wire.answer("watch " + LINE + "/" + AHEAD, Code.NONODE, null);

        assertThat(told).containsExactly("waits", "clear");
        assertThat(wire.open()).isEmpty();
    }

    @Test
    void behindOne_bothHadGoneWhenTheyWereToBeWatched_isGoneAndNeverClear() {
        list(AHEAD);

        wire.answer("watch " + LINE + "/" + mine, Code.NONODE, null);
        wire.answer("watch " + LINE + "/" + AHEAD, Code.NONODE, null);
        wire.answer("children " + LINE, Code.OK, List.of());

        assertThat(told).containsExactly("waits", "gone");
    }

    @Test
    void sharedSession_behindOne_watchesTheOneAheadOnly() {
        var shared = new PredecessorWatchTest();
        shared.join(shared.wire.sharedSession(new DeafListener()));

        shared.list(AHEAD);

        assertThat(shared.wire.open()).containsExactly("watch " + LINE + "/" + AHEAD);
    }

    @Test
    void behindTwo_watchesTheLastButOneOnly() {
        list(FURTHER, AHEAD);

        assertThat(wire.open()).containsExactly("watch " + LINE + "/" + FURTHER);
        assertThat(told).containsExactly("waits");
    }

    @Test
    void lastButOneGone_watchesTheOneAheadAndItselfAndListsInOneFlight() {
        list(FURTHER, AHEAD);
        watched(FURTHER);

        wire.tell(LINE + "/" + FURTHER, Change.DELETED);

        assertThat(wire.open())
                .containsExactly("watch " + LINE + "/" + AHEAD, "watch " + LINE + "/" + mine, "children " + LINE);
    }

    @Test
    void prepared_theOneAheadGoes_isTheGrantWithoutAnotherAnswer() {
        prepare();

        wire.tell(LINE + "/" + AHEAD, Change.DELETED);

        assertThat(told).containsExactly("waits", "clear");
        assertThat(wire.open()).isEmpty();
    }

    @Test
    void preparing_bothHaveGone_theListingIsTheGrant() {
        list(FURTHER, AHEAD);
        watched(FURTHER);

        wire.tell(LINE + "/" + FURTHER, Change.DELETED);
        wire.answer("watch " + LINE + "/" + AHEAD, Code.NONODE, null);
        watched(mine);
        list();

        assertThat(told).containsExactly("waits", "clear");
    }

    @Test
    void lastButOne_hadGoneWhenItWasToBeWatched_preparesAtOnce() {
        list(FURTHER, AHEAD);

        wire.answer("watch " + LINE + "/" + FURTHER, Code.NONODE, null);

        assertThat(wire.open()).contains("watch " + LINE + "/" + AHEAD, "children " + LINE);
    }

    @Test
    void preparing_theOneAheadGoesBeforeTheListingIsAnswered_isNoGrant() {
        list(FURTHER, AHEAD);
        watched(FURTHER);
        wire.tell(LINE + "/" + FURTHER, Change.DELETED);
        watched(AHEAD);
        watched(mine);

        wire.tell(LINE + "/" + AHEAD, Change.DELETED);

        assertThat(told).containsExactly("waits");
        list();
        assertThat(told).containsExactly("waits", "clear");
    }

    @Test
    void preparing_othersStillStandAhead_isNoGrant() {
        list(FIRST, FURTHER, AHEAD);
        watched(FURTHER);
        wire.tell(LINE + "/" + FURTHER, Change.DELETED);
        watched(AHEAD);
        watched(mine);
        list(FIRST, AHEAD);

        wire.tell(LINE + "/" + AHEAD, Change.DELETED);

        assertThat(told).containsExactly("waits");
        list(FIRST);
        assertThat(wire.open()).containsExactly("watch " + LINE + "/" + FIRST);
    }

    @Test
    void prepared_ownEntryWasDeletedBeforeTheOneAhead_isGoneAndNeverClear() {
        prepare();

        wire.tell(LINE + "/" + mine, Change.DELETED);
        wire.tell(LINE + "/" + AHEAD, Change.DELETED);
        wire.answer("children " + LINE, Code.OK, List.of());

        assertThat(told).containsExactly("waits", "gone");
    }

    @Test
    void prepared_contactBreaksAndTheOneAheadGoesMeanwhile_isConfirmedByAListing() {
        prepare();

        wire.lose();
        wire.connect();
        wire.answer("read /app", Code.OK, node("/app"));
        wire.tell(LINE + "/" + AHEAD, Change.DELETED);

        assertThat(told).containsExactly("waits");
        assertThat(wire.open()).anyMatch(request -> request.equals("read " + LINE) || request.startsWith("children "));
    }

    /** The server may not have set the own watch again, and nobody would hear of that. */
    @Test
    void ownWatch_ofAFormerConnection_doesNotCount() {
        list(FIRST, FURTHER, AHEAD);
        watched(FURTHER);
        wire.tell(LINE + "/" + FURTHER, Change.DELETED);
        watched(AHEAD);
        watched(mine);
        list(FIRST, AHEAD);
        wire.lose();
        wire.connect();
        wire.answer("read /app", Code.OK, node("/app"));
        ((LinePlace) place).entriesAhead().audit(AHEAD::equals);
        wire.answer("unwatch " + LINE + "/" + AHEAD, Code.OK, null);
        list(FIRST);
        watched(FIRST);

        wire.tell(LINE + "/" + FIRST, Change.DELETED);

        assertThat(told).containsExactly("waits");
        assertThat(wire.open()).contains("children " + LINE);
    }

    /** An audit finds that it may no longer be read. */
    @Test
    void lastButOne_mayNoLongerBeRead_theOneAheadIsWatchedInstead() {
        list(FURTHER, AHEAD);
        watched(FURTHER);

        ((LinePlace) place).entriesAhead().unreadable(LINE + "/" + FURTHER);

        assertThat(wire.open()).containsExactly("unwatch " + LINE + "/" + FURTHER, "watch " + LINE + "/" + AHEAD);
        assertThat(told).containsExactly("waits");
    }

    @Test
    void prepared_theOneAheadIsWrittenAndGone_isTheGrantAllTheSame() {
        prepare();

        wire.tell(LINE + "/" + AHEAD, Change.WRITTEN);
        wire.answer("watch " + LINE + "/" + AHEAD, Code.NONODE, null);

        assertThat(told).containsExactly("waits", "clear");
    }

    /** Somebody writes into it, as Curator's Revoker does. Its deletion might not be told before it is watched again. */
    @Test
    void prepared_ownEntryIsWrittenAndNotYetWatchedAgain_isConfirmedByAListing() {
        prepare();

        wire.tell(LINE + "/" + mine, Change.WRITTEN);
        wire.tell(LINE + "/" + AHEAD, Change.DELETED);

        assertThat(told).containsExactly("waits");
        assertThat(wire.open()).containsExactly("watch " + LINE + "/" + mine, "children " + LINE);
    }

    @Test
    void ownWatch_wasNotSet_theOneAheadsDeletionIsConfirmedByAListing() {
        list(FURTHER, AHEAD);
        watched(FURTHER);
        wire.tell(LINE + "/" + FURTHER, Change.DELETED);
        watched(AHEAD);
        wire.answer("watch " + LINE + "/" + mine, Code.NOAUTH, null);
        list(AHEAD);

        wire.tell(LINE + "/" + AHEAD, Change.DELETED);

        assertThat(told).containsExactly("waits");
        assertThat(wire.open()).containsExactly("children " + LINE);
    }

    @Test
    void prepared_ownEntryIsDeleted_isFoundGoneWhileTheOneAheadStands() {
        prepare();

        wire.tell(LINE + "/" + mine, Change.DELETED);
        wire.answer("children " + LINE, Code.OK, List.of(AHEAD));

        assertThat(told).containsExactly("waits", "gone");
    }

    @Test
    void behindTwo_listedAgain_watchesNothingElse() {
        list(FURTHER, AHEAD);
        watched(FURTHER);

        ((LinePlace) place).entriesAhead().moved();
        list(FURTHER, AHEAD);

        assertThat(wire.open()).isEmpty();
    }

    @Test
    void behindTwo_listedAgainWithoutTheWatchedOne_watchesAnother() {
        list(FIRST, FURTHER, AHEAD);
        watched(FURTHER);

        ((LinePlace) place).entriesAhead().moved();
        list(FIRST, AHEAD);

        assertThat(wire.open()).containsExactly("unwatch " + LINE + "/" + FURTHER, "watch " + LINE + "/" + FIRST);
    }

    @Test
    void behindTwo_contactBreaksBeforeTheWatchIsSet_listsAfterIt() {
        list(FURTHER, AHEAD);

        wire.lose();
        wire.connect();
        wire.answer("read /app", Code.OK, node("/app"));

        assertThat(wire.open()).anyMatch(request -> request.equals("read " + LINE) || request.startsWith("children "));
    }

    @Test
    void theOneAhead_mayNotBeRead_givesUp() {
        list(AHEAD);
        watched(mine);

        wire.answer("watch " + LINE + "/" + AHEAD, Code.NOAUTH, null);

        assertThat(told).containsExactly("waits", "gone");
    }

    /** Only the nearest one must be readable. */
    @Test
    void lastButOne_mayNotBeRead_theOneAheadIsWatchedInstead() {
        list(FURTHER, AHEAD);

        wire.answer("watch " + LINE + "/" + FURTHER, Code.NOAUTH, null);

        assertThat(wire.open()).containsExactly("watch " + LINE + "/" + AHEAD);
        assertThat(told).containsExactly("waits");
    }

    /** Another program may end it, and then the entries of both go in any order. */
    @Test
    void sharedSession_behindTwo_watchesTheOneAhead() {
        var shared = new PredecessorWatchTest();
        shared.join(shared.wire.sharedSession(new DeafListener()));

        shared.list(FURTHER, AHEAD);

        assertThat(shared.wire.open()).containsExactly("watch " + LINE + "/" + AHEAD);
    }

    @Test
    void preparing_theOneAheadLeavesBeforeAnotherOne_theLastOnesDeletionIsTheGrant() {
        list(FIRST, FURTHER, AHEAD);
        watched(FURTHER);
        wire.tell(LINE + "/" + FURTHER, Change.DELETED);
        watched(AHEAD);
        watched(mine);
        list(FIRST, AHEAD);
        wire.tell(LINE + "/" + AHEAD, Change.DELETED);
        list(FIRST);
        watched(FIRST);

        wire.tell(LINE + "/" + FIRST, Change.DELETED);

        assertThat(told).containsExactly("waits", "clear");
        assertThat(wire.open()).isEmpty();
    }

    /** Its join was in doubt when this place listed the line. The end of the session deletes both in any order. */
    @Test
    void prepared_theOneAheadTurnsOutToBeOfTheOwnSession_itsDeletionIsConfirmedByAListing() {
        prepare();
        session.ownEntries().add(LINE + "/" + AHEAD, (LinePlace) place);

        wire.tell(LINE + "/" + AHEAD, Change.DELETED);

        assertThat(told).containsExactly("waits");
        assertThat(wire.open()).containsExactly("children " + LINE);
    }

    @Test
    void behindAnOwnEntry_thatWasFirstAndGoes_onlyTheOwnIsRead() {
        list();
        wire.answer("children " + LINE, Code.OK, List.of(mine, joinSecond()));
        assertThat(wire.open()).isEmpty();

        place.leave();
        wire.answer("delete " + LINE + "/" + mine, Code.OK, null);
        wire.answer("read " + LINE + "/" + second, Code.OK, node(LINE + "/" + second));

        assertThat(told).containsExactly("clear");
        assertThat(toldSecond).containsExactly("waits", "clear");
        assertThat(wire.open()).isEmpty();
    }

    @Test
    void behindAnOwnEntry_thatWasNotFirstAndGoes_lists() {
        list(AHEAD);
        watched(mine);
        watched(AHEAD);
        wire.answer("children " + LINE, Code.OK, List.of(AHEAD, mine, joinSecond()));
        assertThat(wire.open()).isEmpty();

        place.leave();
        wire.answer("unwatch " + LINE + "/" + AHEAD, Code.OK, null);
        wire.answer("delete " + LINE + "/" + mine, Code.OK, null);

        assertThat(wire.open()).contains("children " + LINE);
        assertThat(toldSecond).containsExactly("waits");
    }

    /** Of two writers the last may go, and the first be downgraded. */
    @Test
    void readerBehindTwoWriters_watchesBothAndListsOnceTheLastIsWritten() {
        var reader = new PredecessorWatchTest();
        reader.joinAsReader();
        reader.list(WRITER, LAST_WRITER);
        assertThat(reader.wire.open())
                .containsExactly("watch " + LINE + "/" + WRITER, "watch " + LINE + "/" + LAST_WRITER);
        reader.watched(WRITER);
        reader.watched(LAST_WRITER);

        reader.wire.tell(LINE + "/" + LAST_WRITER, Change.WRITTEN);

        assertThat(reader.wire.open()).contains("children " + LINE);
    }

    /** As after an audit: the entry ahead stays the same, and its deletion is no grant without the own watch. */
    @Test
    void behindOne_ownEntryMayNotBeReadAndListedAgain_itsDeletionIsConfirmedByAListing() {
        list(AHEAD);
        wire.answer("watch " + LINE + "/" + mine, Code.NOAUTH, null);
        watched(AHEAD);
        ((LinePlace) place).entriesAhead().moved();
        list(AHEAD);

        wire.tell(LINE + "/" + AHEAD, Change.DELETED);

        assertThat(told).containsExactly("waits");
        assertThat(wire.open()).containsExactly("children " + LINE);
    }

    @Test
    void theOneBetween_leaves_nothingIsAsked() {
        list(FURTHER, AHEAD);
        watched(FURTHER);

        wire.tell(LINE + "/" + AHEAD, Change.DELETED);

        assertThat(wire.open()).isEmpty();
    }

    @Test
    void audit_eventOfTheLastButOneNeverCame_findsOut() {
        list(FURTHER, AHEAD);
        watched(FURTHER);

        ((LinePlace) place).entriesAhead().audit(FURTHER::equals);

        assertThat(wire.open()).contains("children " + LINE);
    }

    @Test
    void leave_prepared_dropsTheWatchOnTheOneAheadAndTheOwnGoesWithTheEntry() {
        prepare();

        place.leave();

        assertThat(wire.open()).containsExactly("unwatch " + LINE + "/" + AHEAD, "delete " + LINE + "/" + mine);
        wire.answer("unwatch " + LINE + "/" + AHEAD, Code.OK, null);
        wire.tell(LINE + "/" + mine, Change.DELETED);
        wire.answer("delete " + LINE + "/" + mine, Code.OK, null);
        assertThat(session.watches().size()).isZero();
        assertThat(told).containsExactly("waits");
    }

    @Test
    void leave_eventOfTheOwnDeletionNeverCame_theWatchIsDropped() {
        prepare();
        place.leave();
        wire.answer("unwatch " + LINE + "/" + AHEAD, Code.OK, null);

        wire.answer("delete " + LINE + "/" + mine, Code.OK, null);
        wire.answer("unwatch " + LINE + "/" + mine, Code.OK, null);

        assertThat(session.watches().size()).isZero();
    }

    /** Another place of the session joins behind. Returns its entry's name. */
    private String joinSecond() {
        Place ignored = session.join(Line.of("locks/orders"), new byte[0], new NotedStanding(toldSecond));
        String create = wire.open().get(0);
        String path = create.substring("create ".length()) + "0000000006";
        wire.answer(create, Code.OK, node(path));
        second = path.substring(LINE.length() + 1);
        return second;
    }

    private void prepare() {
        list(FURTHER, AHEAD);
        watched(FURTHER);
        wire.tell(LINE + "/" + FURTHER, Change.DELETED);
        watched(AHEAD);
        watched(mine);
        list(AHEAD);
        assertThat(wire.open()).isEmpty();
    }

    /** The listing shows these and the own entry. */
    private void list(String... others) {
        List<String> names = new ArrayList<>(List.of(others));
        names.add(mine);
        wire.answer("children " + LINE, Code.OK, names);
    }

    private void watched(String name) {
        wire.answer("watch " + LINE + "/" + name, Code.OK, node(LINE + "/" + name));
    }

    private static Node node(String path) {
        return new Node(path, new byte[0], 9, 9, 9, 0, 0, ScriptedWire.SESSION);
    }
}
