package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Dialect;
import io.baton.spi.Line;
import io.baton.zookeeper.wire.ZkWire.Change;
import io.baton.zookeeper.wire.ZkWire.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a beat says of several holds: which of them has gone, and that the others have not. */
class HeartbeatRequestsTest {

    private static final String ROOT = "/app";
    private static final Duration BEAT = Duration.ofMillis(500);

    /** A little less than two beats are apart at least. */
    private static final Duration NEARLY_A_QUARTER_OF_A_TICK = Duration.ofMillis(49);

    private final ScriptedWire wire = new ScriptedWire();
    private final DeafListener listener = new DeafListener();
    private final ZkSession session = wire.session(listener);
    private final List<String> told = new ArrayList<>();
    private String first;
    private String second;
    private String exact;

    @BeforeEach
    void holdThree() {
        wire.connect();
        wire.answer("read " + ROOT, Code.OK, node(ROOT));
        first = hold("first", Line.of("locks/first"), "/app/locks/first");
        second = hold("second", Line.of("locks/second"), "/app/locks/second");
        exact = hold("exact", Line.at("/legacy/exact", Dialect.BATON), "/legacy/exact");
        assertThat(told).containsExactly("first clear", "second clear", "exact clear");
        told.clear();
    }

    @Test
    void beat_severalHolds_checksTheRootAndEachEntryInOneCommit() {
        assertThat(beat()).isEqualTo("multi [" + ROOT + ", " + first + ", " + second + ", " + exact + "]");
    }

    @Test
    void beat_firstEntryIsMissing_endsThatHoldOnly() {
        wire.answer(beat(), Code.NONODE, 1);

        assertThat(told).containsExactly("first gone");
    }

    @Test
    void beat_secondEntryIsMissing_endsThatHoldOnly() {
        wire.answer(beat(), Code.NONODE, 2);

        assertThat(told).containsExactly("second gone");
    }

    /** A server looks at the entries in their order, and names the first that is missing. */
    @Test
    void beat_entryIsMissing_thoseBehindItAreCheckedInTheSameBeat() {
        wire.answer(beat(), Code.NONODE, 2);
        answerQuietly("unwatch");
        assertThat(wire.open()).containsExactly("multi [" + ROOT + ", " + exact + "]");

        wire.answer("multi [" + ROOT + ", " + exact + "]", Code.OK, null);
        wire.pass(BEAT.minusMillis(100));
        assertThat(wire.open()).noneMatch(request -> request.startsWith("multi"));
        assertThat(beat()).isEqualTo("multi [" + ROOT + ", " + first + ", " + exact + "]");
    }

    @Test
    void beat_lastEntryIsMissing_theRootAloneIsCommitted() {
        wire.answer(beat(), Code.NONODE, 3);
        answerQuietly("unwatch");

        assertThat(wire.open()).containsExactly("multi [" + ROOT + "]");
    }

    @Test
    void beat_manyEntriesAreMissing_allAreToldInAFewFlightsAndTheOthersAreProven() {
        var missing = new HashSet<String>();
        for (int i = 0; i < 32; i++) {
            hold("there" + i, Line.of("locks/there" + i), "/app/locks/there" + i);
            missing.add(hold("missing" + i, Line.of("locks/missing" + i), "/app/locks/missing" + i));
        }
        wire.answer(beat(), Code.OK, null);
        told.clear();
        var before = session.proof();

        beat();
        int flights = 0;
        while (multi().isPresent()) {
            flights++;
            flight(missing);
        }

        assertThat(told).hasSize(32).allMatch(what -> what.matches("missing\\d+ gone"));
        assertThat(flights).isLessThanOrEqualTo(8);
        assertThat(session.proof().betterThan(before)).isTrue();
    }

    @Test
    void beat_nothingIsMissing_theNextOneComesInItsTime() {
        wire.answer(beat(), Code.OK, null);
        wire.pass(BEAT.minusMillis(100));

        assertThat(told).isEmpty();
        assertThat(wire.open()).noneMatch(request -> request.startsWith("multi"));
        assertThat(beat()).startsWith("multi");
    }

    @Test
    void beat_rootIsMissing_endsWhatStoodBelowItAndMakesItAnew() {
        wire.answer(beat(), Code.NONODE, 0);

        assertThat(told).containsExactly("first gone", "second gone");
        assertThat(wire.open()).contains("create " + ROOT);
    }

    /** The creation is a commit, too, so the next one proves something a tick later only. */
    @Test
    void beat_rootIsMissingAndMadeAnew_isRepeatedATickLater() {
        findNoRoot();
        assertThat(wire.open()).containsExactly("create " + ROOT);
        wire.answer("create " + ROOT, Code.OK, node(ROOT));
        wire.pass(Duration.ofMillis(200));

        assertThat(wire.open()).containsExactly("multi [" + ROOT + ", " + exact + "]");
        assertThat(session.trouble()).isEmpty();
    }

    @Test
    void beat_rootIsMissingAndMayNotBeMade_isRepeatedInItsTimeAndToldWhy() {
        findNoRoot();
        wire.answer("create " + ROOT, Code.NOAUTH, null);

        wire.pass(NEARLY_A_QUARTER_OF_A_TICK);
        assertThat(wire.open()).noneMatch(request -> request.startsWith("multi"));
        assertThat(session.trouble())
                .hasValueSatisfying(why -> assertThat(why).contains(ROOT + " is not there", "NOAUTH"));
        wire.answer(beat(), Code.OK, null);
        assertThat(session.trouble()).isEmpty();
    }

    @Test
    void beat_rootIsMissingAndIsNotToBeMade_isRepeatedInItsTimeAndToldWhy() {
        var other = new ScriptedWire();
        ZkSession careful = other.sessionThatMakesNoChroot(new DeafListener());
        other.connect();
        other.answer("read " + ROOT, Code.OK, node(ROOT));
        other.pass(Duration.ofMillis(1));
        careful.requestProof();
        other.pass(Duration.ofMillis(199));
        other.answer("multi [" + ROOT + "]", Code.NONODE, 0);

        other.pass(NEARLY_A_QUARTER_OF_A_TICK);
        assertThat(other.open()).isEmpty();
        assertThat(careful.trouble())
                .hasValueSatisfying(why -> assertThat(why).contains(ROOT + " is not there", "create=no"));
        other.pass(Duration.ofMillis(1));
        other.answer("multi [" + ROOT + "]", Code.OK, null);
        assertThat(careful.trouble()).isEmpty();
    }

    @Test
    void beat_refusedForAnotherReason_endsNothing() {
        wire.answer(beat(), Code.NOAUTH, 1);

        assertThat(told).isEmpty();
    }

    @Test
    void beat_rootMayNotBeRead_saysWhyThereIsNoProof() {
        wire.answer(beat(), Code.NOAUTH, 0);

        assertThat(session.trouble()).hasValueSatisfying(why -> assertThat(why).contains("NOAUTH", ROOT));
        wire.answer(beat(), Code.OK, null);
        assertThat(session.trouble()).isEmpty();
    }

    /** Refused as a whole, no operation is named. */
    @Test
    void beat_serverIsBusy_saysWhyThereIsNoProofUntilTheContactBreaks() {
        wire.answer(beat(), Code.THROTTLEDOP, -1);

        assertThat(session.trouble()).hasValueSatisfying(why -> assertThat(why).contains("THROTTLEDOP"));
        wire.lose();
        assertThat(session.trouble()).isEmpty();
    }

    @Test
    void beat_entryMayNotBeRead_staysAndTheOthersAreProvenWithoutIt() {
        for (int i = 0; i < 100; i++) {
            String beat = beat();
            assertThat(beat).contains(first, exact);
            refuse(Set.of(second));
        }
        assertThat(told).isEmpty();
        assertThat(session.proof().remainingNanos(wire.nanoTime())).isPositive();

        assertThat(beat()).isEqualTo("multi [" + ROOT + ", " + first + ", " + exact + "]");
        assertThat(wire.open()).contains("multi [" + ROOT + ", " + second + "]");
        refuse(Set.of());

        assertThat(beat()).startsWith("multi [" + ROOT + ", " + first).contains(second, exact);
    }

    /** Each refusal names one entry: those behind it must not wait for all of them to have been named. */
    @Test
    void beat_manyEntriesMayNotBeRead_theOthersAreLookedAtInTheSameBeat() {
        var unreadable = new HashSet<String>();
        for (int i = 0; i < 16; i++) {
            unreadable.add(hold("more" + i, Line.of("locks/more" + i), "/app/locks/more" + i));
        }
        String last = hold("last", Line.of("locks/last"), "/app/locks/last");
        told.clear();

        beat();
        refuse(unreadable, last);

        assertThat(told).containsExactly("last gone");
        assertThat(beat()).contains(first, second, exact).doesNotContain("more", "last");
    }

    @Test
    void beat_onlyEntriesThatMayNotBeRead_theSessionIsProvenAllTheSame() {
        beat();
        refuse(Set.of(first, second, exact));
        var before = session.proof();
        for (int i = 0; i < 4; i++) {
            beat();
            refuse(Set.of(first, second, exact));
        }

        assertThat(session.proof().betterThan(before)).isTrue();
        assertThat(told).isEmpty();
    }

    @Test
    void beat_onlyEntriesThatMayNotBeRead_theRootAloneIsCommitted() {
        beat();
        refuse(Set.of(first, second, exact));

        assertThat(wire.sent).endsWith("multi [" + ROOT + "]");
    }

    @Test
    void beat_someEntriesMayNotBeRead_whatStandsBesideThemIsProofEnough() {
        beat();
        refuse(Set.of(first, second));

        assertThat(wire.sent).contains("multi [" + ROOT + ", " + exact + "]").doesNotContain("multi [" + ROOT + "]");
    }

    @Test
    void beat_entryMayNotBeRead_isToldUntilItMayBeRead() {
        beat();
        refuse(Set.of(second));
        assertThat(listener.troubles)
                .containsExactly(Map.entry(
                        "May not read the entry " + second + ", which is held",
                        "ZooKeeper says NOAUTH; it is looked at apart from the others"));

        beat();
        refuse(Set.of());
        assertThat(listener.troubles).isEmpty();
    }

    @Test
    void beat_entryThatMayNotBeReadGoes_isNotToldAnyMore() {
        beat();
        refuse(Set.of(second));
        beat();
        refuse(Set.of(), second);

        assertThat(listener.troubles).isEmpty();
    }

    @Test
    void beat_rootMayNotBeRead_isNoWordAboutAnyEntry() {
        wire.answer(beat(), Code.NOAUTH, 0);
        wire.pass(Duration.ZERO);

        assertThat(wire.open()).noneMatch(request -> request.startsWith("multi"));
        assertThat(beat()).contains(first, second, exact);
        assertThat(told).isEmpty();
    }

    @Test
    void beat_entryMayNotBeRead_isLookedAtApartInItsTime() {
        beat();
        refuse(Set.of(first));

        wire.pass(BEAT.minusMillis(100));
        assertThat(wire.open()).noneMatch(request -> request.startsWith("multi"));
        assertThat(beat()).isEqualTo("multi [" + ROOT + ", " + second + ", " + exact + "]");
    }

    @Test
    void beat_entryThatMayNotBeReadIsMissing_endsThatHoldOnly() {
        beat();
        refuse(Set.of(second));
        beat();
        refuse(Set.of(), second);

        assertThat(told).containsExactly("second gone");
    }

    @Test
    void beat_withoutAnswerInContact_isRepeated() {
        String beat = beat();
        wire.answer(beat, Code.CONNECTIONLOSS, null);
        assertThat(wire.open()).isEmpty();

        // Not with the next beat, but when what is owed is tried again.
        wire.pass(BEAT.plusMillis(100));
        assertThat(wire.open()).isEmpty();
        wire.pass(Duration.ofSeconds(1).minus(BEAT.plusMillis(100)));
        assertThat(told).isEmpty();
        assertThat(wire.open()).contains(beat);
    }

    /** A commit that comes sooner than a tick after it would prove nothing. */
    @Test
    void touch_answeredWhileAProofIsWanted_isCommittedATickLater() {
        var other = new ScriptedWire();
        ZkSession asking = other.session(new DeafListener());
        other.connect();
        other.pass(Duration.ofMillis(1));
        asking.requestProof();
        other.answer("read " + ROOT, Code.OK, node(ROOT));

        other.pass(Duration.ofMillis(199));
        assertThat(other.open()).isEmpty();
        other.pass(Duration.ofMillis(1));
        assertThat(other.open()).containsExactly("multi [" + ROOT + "]");
    }

    @Test
    void deleted_heldEntryAndItIsSo_endsThatHoldBeforeTheNextBeat() {
        wire.tell(second, Change.DELETED);
        wire.answer("read " + second, Code.NONODE, null);

        assertThat(told).containsExactly("second gone");
    }

    @Test
    void deleted_heldEntryButItIsThere_endsNothing() {
        wire.tell(second, Change.DELETED);
        wire.answer("read " + second, Code.OK, node(second));

        assertThat(told).isEmpty();
    }

    @Test
    void deleted_anotherNode_asksForNothing() {
        wire.tell("/app/locks/first/other", Change.DELETED);

        assertThat(wire.open()).noneMatch(request -> request.startsWith("read /app/locks/first/other"));
    }

    @Test
    void holds_entryOfAHold_untilItIsGone() {
        assertThat(session.heartbeatRequests().holds(second)).isTrue();
        wire.answer(beat(), Code.NONODE, 2);

        assertThat(session.heartbeatRequests().holds(second)).isFalse();
        assertThat(session.heartbeatRequests().holds(first)).isTrue();
    }

    /** The request of the next beat. */
    private String beat() {
        for (int i = 0; i < 200; i++) {
            wire.pass(Duration.ofMillis(10));
            while (!wire.open().isEmpty() && !wire.open().get(0).startsWith("multi")) {
                answerQuietly("");
            }
            if (!wire.open().isEmpty()) {
                return wire.open().get(0);
            }
        }
        throw new AssertionError("no beat, but " + wire.sent);
    }

    /** Answers all that a beat asks, by a server that does not let us read these. */
    private void refuse(Set<String> unreadable) {
        refuse(unreadable, "nothing");
    }

    /** The same where one is missing, which comes first. */
    private void refuse(Set<String> unreadable, String missing) {
        for (Optional<String> asked = multi(); asked.isPresent(); asked = multi()) {
            serve(asked.get(), unreadable, Set.of(missing));
        }
    }

    /** Answers what is open, by a server where these are missing. */
    private void flight(Set<String> missing) {
        for (String request : wire.open()) {
            if (request.startsWith("multi")) {
                serve(request, Set.of(), missing);
            } else {
                answerQuietly(request);
            }
        }
    }

    private void serve(String request, Set<String> unreadable, Set<String> missing) {
        List<String> paths = List.of(
                request.substring("multi [".length(), request.length() - 1).split(", "));
        int at = 0;
        while (at < paths.size() && !unreadable.contains(paths.get(at)) && !missing.contains(paths.get(at))) {
            at++;
        }
        if (at == paths.size()) {
            wire.answer(request, Code.OK, null);
        } else {
            wire.answer(request, missing.contains(paths.get(at)) ? Code.NONODE : Code.NOAUTH, at);
        }
    }

    private void findNoRoot() {
        wire.answer(beat(), Code.NONODE, 0);
        answerQuietly("unwatch");
    }

    private Optional<String> multi() {
        return wire.open().stream()
                .filter(request -> request.startsWith("multi"))
                .findFirst();
    }

    /** Answers what is open and begins so, as one who has nothing to tell. */
    private void answerQuietly(String begins) {
        for (String request : wire.open()) {
            if (request.startsWith(begins)) {
                wire.answer(request, Code.OK, request.startsWith("read ") ? node(ROOT) : null);
            }
        }
    }

    private String hold(String name, Line line, String path) {
        session.lengths().note(path, 0);
        session.join(line, new byte[0], new NotedStanding(new ArrayList<>() {
            @Override
            public boolean add(String what) {
                return told.add(name + " " + what);
            }
        }));
        String create = wire.open().stream()
                .filter(request -> request.startsWith("create " + path + "/"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no create, but " + wire.open()));
        String entry = create.substring("create ".length()) + "0000000005";
        while (!wire.open().get(0).equals(create)) {
            answerQuietly(wire.open().get(0));
        }
        wire.answer(create, Code.OK, node(entry));
        wire.answer("children " + path, Code.OK, List.of(entry.substring(path.length() + 1)));
        return entry;
    }

    private static Node node(String path) {
        return new Node(path, new byte[0], 9, 9, 9, 0, 0, ScriptedWire.SESSION);
    }
}
