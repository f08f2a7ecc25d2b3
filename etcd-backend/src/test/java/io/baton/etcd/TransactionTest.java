package io.baton.etcd;

import static io.baton.etcd.HandGround.SESSION_KEY;
import static io.baton.etcd.HandGround.kv;
import static io.baton.etcd.HandGround.part;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.Dialect;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.Revision;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.spi.Condition;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class TransactionTest {

    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final RecordKey A = new RecordKey("tck", "a");
    private static final RecordKey B = new RecordKey("tck", "b");
    private static final String ONE = "/app/locks/l/4d-01";
    private static final String TWO = "/app/locks/l/4e-02";
    private static final String NO_SPACE = "etcdserver: mvcc: database space exceeded";
    private static final String PLAIN =
            "if " + SESSION_KEY + " written 10, put /app/tck/a=x, else look at " + SESSION_KEY;
    private static final String RAISED =
            "if " + SESSION_KEY + " written 20, put /app/tck/a=x, else look at " + SESSION_KEY;

    private final HandGround context = new HandGround();
    private final SessionRequests questions = new SessionRequests(context);

    @Test
    void transact_everyCondition_isComparedBesideTheEpoch() {
        var standing = new Condition.Stands(new Peer(Line.of("locks/l"), "4d-01", 7));
        var answer = transact(
                List.of(standing, new Condition.Unchanged(A, new EtcdRevision(8)), new Condition.Absent(B)),
                Op.put(A, "x"),
                Op.delete(B));

        assertThat(context.asked())
                .containsExactly(
                        "if /app/locks/l/4d-01 created 7, if /app/tck/a written 8, if /app/tck/b created 0, if "
                                + SESSION_KEY + " written 10, put /app/tck/a=x, delete /app/tck/b, else look at "
                                + SESSION_KEY);
        context.answer(11);
        assertThat(answer).isCompletedWithValue(true);
    }

    @Test
    void transact_exactLine_isComparedWhereItIs() {
        var standing = new Condition.Stands(new Peer(Line.at("/legacy/l", Dialect.BATON), "4d-01", 7));
        transact(List.of(standing), Op.put(A, "x"));

        assertThat(context.asked().get(0)).startsWith("if /legacy/l/4d-01 created 7, ");
    }

    @Test
    void transact_oneKeyChangedTwice_isSentOnceAsLastSaid() {
        transact(List.of(), Op.delete(A), Op.put(A, "y"), Op.put(A, "x"));

        assertThat(context.asked()).containsExactly(PLAIN);
    }

    @Test
    void tell_severalRecords_allHaveTheRevisionOfTheTransaction() {
        var answer = questions.transact(
                List.of(),
                List.of(Op.put(A, "y"), Op.put(B, "z"), Op.put(A, "x"), Op.delete(B)),
                List.of(),
                context.timeout());
        context.answer(11);

        assertThat(answer.toCompletableFuture().join().orElseThrow()).satisfiesExactly(item -> {
            assertThat(item.key()).isEqualTo(A);
            assertThat(item.text()).isEqualTo("x");
            assertThat(item.revision()).isEqualTo(new EtcdRevision(11));
        });
    }

    @Test
    void transact_refusedUnderTheSameEpoch_isFalse() {
        var answer = plain();

        context.refuse(11, part(kv(SESSION_KEY, "", 5, 10)));

        assertThat(answer).isCompletedWithValue(false);
    }

    @Test
    void transact_epochRaisedMeanwhile_isSentAgainWithTheNewOne() {
        var answer = plain();
        context.epoch = 20;

        context.refuse(21, part(kv(SESSION_KEY, "", 5, 20)));

        assertThat(answer).isNotDone();
        assertThat(context.asked()).containsExactly(RAISED);
        context.answer(22);
        assertThat(answer).isCompletedWithValue(true);
    }

    @Test
    void transact_epochRaisedUnknownToUs_asksTheSessionAndIsSentAgain() {
        var answer = plain();

        context.refuse(21, part(kv(SESSION_KEY, "", 5, 20)));

        assertThat(context.refusedByEpoch).isEqualTo(1);
        assertThat(answer).isNotDone();
        context.epoch = 20;
        context.pass(Duration.ofMillis(100));
        assertThat(context.asked()).containsExactly(RAISED);
    }

    @Test
    void transact_epochNeverLearnt_endsInTimeUnapplied() {
        var answer = plain();
        for (int i = 0; i < 1_000 && !answer.isDone(); i++) {
            if (!context.asked().isEmpty()) {
                context.refuse(21, part(kv(SESSION_KEY, "", 5, 20)));
            }
            context.pass(Duration.ofMillis(10));
        }

        assertThat(failure(answer)).isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void transact_ownKeyGone_isTheSessionsEnd() {
        var answer = plain();

        context.refuse(21, part());

        assertThat(failure(answer)).isInstanceOf(SessionLostException.class);
        assertThat(context.refusedByEpoch).isEqualTo(1);
    }

    @Test
    void transact_lost_isNeitherSentAgainNorToldBeforeTheEpochIsRaised() {
        var answer = plain();

        context.fail(Code.LOST, "broken");

        assertThat(answer).isNotDone();
        assertThat(context.asked()).isEmpty();
        assertThat(context.settling).hasSize(1);
    }

    @Test
    void transact_lostAndRecordAsBefore_isSentAgain() {
        context.known = 15;
        var answer = plain();
        context.fail(Code.LOST, "broken");

        context.settled(20);
        assertThat(context.asked()).containsExactly("look at /app/tck/a");
        context.answer(20, part(kv("/app/tck/a", "", 5, 15)));

        assertThat(context.asked()).containsExactly(RAISED);
        context.answer(21);
        assertThat(answer).isCompletedWithValue(true);
    }

    @Test
    void transact_lostAndStoreIsWhereItWas_isSentAgain() {
        var answer = plain();
        context.fail(Code.LOST, "broken");

        context.settled(20);
        context.answer(10, part(kv("/app/tck/a", "", 5, 9)));

        assertThat(answer).isNotDone();
        assertThat(context.asked()).containsExactly(RAISED);
    }

    /** It was not applied, as the look has shown, and has not been sent since. */
    @Test
    void over_lostAndAsBeforeAndNotSentAgainYet_saysThatTheSessionIsLost() {
        var answer = plain();
        context.fail(Code.LOST, "broken");
        context.settled(20);
        context.connected = false;
        context.answer(20, part(kv("/app/tck/a", "", 5, 9)));
        assertThat(context.asked()).isEmpty();

        questions.sessionLost(new SessionLostException("over"));

        assertThat(failure(answer)).isInstanceOf(SessionLostException.class);
    }

    @Test
    void transact_lostAndOneOfTwoAsBefore_isSentAgain() {
        var answer = transact(List.of(), Op.put(A, "x"), Op.delete(B));
        context.fail(Code.LOST, "broken");

        context.settled(20);
        context.answer(20, part(kv("/app/tck/a", "x", 19, 19)), part(kv("/app/tck/b", "", 9, 9)));

        assertThat(answer).isNotDone();
        assertThat(context.asked()).hasSize(1);
    }

    @Test
    void transact_lostAndOurValueThereSince_isUnknownAsOthersWriteItToo() {
        var answer = plain();
        context.fail(Code.LOST, "broken");

        context.settled(20);
        context.answer(20, part(kv("/app/tck/a", "x", 11, 11)));

        assertThat(failure(answer))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("will not be applied any more");
        assertThat(context.asked()).isEmpty();
    }

    @Test
    void transact_lostAndNoSuchRecord_isUnknownAsOthersDelete() {
        var answer = transact(List.of(new Condition.Absent(A)), Op.put(A, "x"));
        context.fail(Code.LOST, "broken");

        context.settled(20);
        context.answer(20, part());

        assertThat(failure(answer)).isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void transact_lostAndStoreSetBack_isUnknown() {
        context.known = 30;
        var answer = plain();
        context.fail(Code.LOST, "broken");

        context.settled(20);
        context.answer(20, part(kv("/app/tck/a", "x", 11, 11)));

        assertThat(failure(answer)).isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void transact_lostAndMoreKnownSince_goesByWhatWasKnownAtTheSending() {
        var answer = plain();
        context.known = 30;
        context.fail(Code.LOST, "broken");

        context.settled(40);
        context.answer(40, part(kv("/app/tck/a", "x", 11, 11)));

        assertThat(failure(answer)).isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void transact_noSpace_isUnavailableIfNotAppliedElseUnknown() {
        var without = plain();
        context.fail(Code.NO_SPACE, NO_SPACE);
        assertThat(context.settling).isEmpty();
        context.answer(20, part(kv("/app/tck/a", "", 5, 9)));
        var perhaps = plain();
        context.fail(Code.NO_SPACE, NO_SPACE);
        context.answer(20, part(kv("/app/tck/a", "x", 11, 11)));

        assertThat(failure(without))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("disarm");
        assertThat(failure(perhaps)).isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void transact_newRecordAndNoSpace_isUnavailableIfNothingHasChangedElseUnknownWithTheReason() {
        var without = plain();
        context.fail(Code.NO_SPACE, NO_SPACE);
        context.answer(10, part());
        var perhaps = plain();
        context.fail(Code.NO_SPACE, NO_SPACE);
        context.answer(11, part());

        assertThat(failure(without))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("disarm");
        assertThat(failure(perhaps))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("database space exceeded");
    }

    @Test
    void transact_lostAndLookLostToo_isLookedAtAgain() {
        var answer = plain();
        context.fail(Code.LOST, "broken");
        context.settled(20);
        context.lose();

        context.connect();

        assertThat(context.asked()).containsExactly("look at /app/tck/a");
        assertThat(answer).isNotDone();
    }

    @Test
    void transact_lostAndNeverInContactAgain_isUnknownInTime() {
        var answer = plain();
        context.lose();

        context.pass(context.timeout());

        assertThat(failure(answer)).isInstanceOf(OutcomeUnknownException.class);
        context.settled(20);
        assertThat(context.asked()).isEmpty();
    }

    /** The caller was told that nothing was applied, and another client may have written meanwhile. */
    @Test
    void transact_outOfContactForLongerThanTheCallerWaits_isUnavailableAndNeverSent() {
        context.connected = false;
        var answer = transact(List.of(), SHORT, Op.put(A, "x"));
        context.pass(SHORT);
        assertThat(failure(answer))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("tck/a", "1 s", "nothing was applied");

        context.connect();

        assertThat(context.asked()).isEmpty();
    }

    @Test
    void transact_notAnsweredForAsLongAsTheCallerWaitsAndThenLost_isUnknownAndNotSentAgain() {
        var answer = transact(List.of(), SHORT, Op.put(A, "x"));
        context.pass(SHORT);
        assertThat(failure(answer)).isInstanceOf(OutcomeUnknownException.class);

        context.lose();
        context.connect();
        context.settled(20);

        assertThat(context.asked()).isEmpty();
    }

    /** As before, as the look has shown, but it is not sent again before the caller is told. */
    @Test
    void transact_lostAndAsBeforeAndOutOfContactAgain_isUnavailableInTimeAndNeverSent() {
        var answer = transact(List.of(), SHORT, Op.put(A, "x"));
        context.fail(Code.LOST, "broken");
        context.settled(20);
        context.connected = false;
        context.answer(20, part(kv("/app/tck/a", "", 5, 9)));
        context.pass(SHORT);
        assertThat(failure(answer)).isInstanceOf(StoreUnavailableException.class);

        context.connect();

        assertThat(context.asked()).isEmpty();
    }

    @Test
    void transact_outOfContact_isSentOnceInContact() {
        context.connected = false;
        plain();
        assertThat(context.asked()).isEmpty();

        context.connect();

        assertThat(context.asked()).containsExactly(PLAIN);
    }

    @Test
    void transact_neverInContact_isUnavailableInTime() {
        context.connected = false;
        var answer = plain();

        context.pass(context.timeout());

        assertThat(failure(answer)).isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void transact_refusedByTheServer_saysWhy() {
        assertThat(refusal(Code.TOO_LARGE, "too many operations"))
                .isExactlyInstanceOf(CoordinationException.class)
                .hasMessageContaining("128 operations and 1.5 MiB");
        assertThat(refusal(Code.DENIED, "permission denied"))
                .isExactlyInstanceOf(CoordinationException.class)
                .hasMessageContaining("role");
        assertThat(refusal(Code.OVERLOADED, "too many requests"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("later");
        assertThat(refusal(Code.REFUSED, "etcdserver: corrupt cluster"))
                .isExactlyInstanceOf(CoordinationException.class)
                .hasMessageContaining("corrupt cluster");
    }

    @Test
    void remove_entries_areComparedByRevisionAndDeleted() {
        var answer = remove(Op.put(A, "x"));

        assertThat(context.asked())
                .containsExactly("if " + ONE + " created 7, if " + TWO + " created 8, if " + SESSION_KEY
                        + " written 10, put /app/tck/a=x, delete " + ONE + ", delete " + TWO + ", else look at "
                        + SESSION_KEY);
        context.answer(11);
        assertThat(answer).isCompletedWithValue(true);
    }

    @Test
    void remove_answered_isToldToTheSessionBeforeTheAnswer() {
        var answer = remove();
        List<Integer> toldThen = new ArrayList<>();
        var unused = answer.thenAccept(done -> toldThen.add(context.removed.size()));

        context.answer(11);

        assertThat(toldThen).containsExactly(2);
    }

    @Test
    void remove_refused_isFalseAndNotTold() {
        var answer = remove();

        context.refuse(11, part(kv(SESSION_KEY, "", 5, 10)));

        assertThat(answer).isCompletedWithValue(false);
        assertThat(context.removed).isEmpty();
    }

    @Test
    void remove_lostAndOneStandsWrittenForAnotherLease_isSentAgain() {
        var answer = remove();
        context.fail(Code.LOST, "broken");

        context.settled(20);
        assertThat(context.asked()).containsExactly("look at " + ONE + ", look at " + TWO);
        context.answer(20, part(), part(kv(TWO, "", 8, 19)));

        assertThat(answer).isNotDone();
        assertThat(context.asked()).singleElement().asString().contains(SESSION_KEY + " written 20");
    }

    @Test
    void remove_lostAndAllGone_isUnknownAsTheyLeaveToo() {
        var answer = remove();
        context.fail(Code.LOST, "broken");

        context.settled(20);
        context.answer(20, part(), part());

        assertThat(failure(answer)).isInstanceOf(OutcomeUnknownException.class);
        assertThat(context.removed).isEmpty();
    }

    @Test
    void remove_lostAndOthersUnderTheSameKeys_isUnknown() {
        var answer = remove();
        context.fail(Code.LOST, "broken");

        context.settled(20);
        context.answer(20, part(kv(ONE, "", 18, 18)), part());

        assertThat(failure(answer)).isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void remove_lostAndEntriesGoneButRecordAsBefore_isSentAgain() {
        var answer = remove(Op.put(A, "x"));
        context.fail(Code.LOST, "broken");

        context.settled(20);
        context.answer(20, part(kv("/app/tck/a", "", 5, 9)), part(), part());

        assertThat(answer).isNotDone();
        assertThat(context.asked()).hasSize(1);
    }

    @Test
    void transact_revisionOfAnotherStore_isRefused() {
        Revision other = () -> 7;

        var answer = transact(List.of(new Condition.Unchanged(A, other)), Op.put(A, "x"));

        assertThat(failure(answer)).isInstanceOf(CoordinationException.class);
        assertThat(context.asked()).isEmpty();
    }

    @Test
    void over_whileWriting_isUnknown() {
        var answer = plain();

        questions.sessionLost(new SessionLostException("over"));

        assertThat(failure(answer)).isInstanceOf(OutcomeUnknownException.class);
    }

    private Throwable refusal(Code code, String message) {
        var answer = plain();
        context.fail(code, message);
        return failure(answer);
    }

    private CompletableFuture<Boolean> plain() {
        return transact(List.of(), Op.put(A, "x"));
    }

    private CompletableFuture<Boolean> transact(List<Condition> conditions, Op... ops) {
        return transact(conditions, context.timeout(), ops);
    }

    private CompletableFuture<Boolean> transact(List<Condition> conditions, Duration within, Op... ops) {
        return questions
                .transact(conditions, List.of(ops), List.of(), within)
                .toCompletableFuture()
                .thenApply(Optional::isPresent);
    }

    private CompletableFuture<Boolean> remove(Op... ops) {
        Line line = Line.of("locks/l");
        List<Peer> removed =
                List.of(new Peer(line, "4d-01", 7), new Peer(line, "4e-02", 8), new Peer(line, "4d-01", 7));
        return questions
                .transact(List.of(), List.of(ops), removed, context.timeout())
                .toCompletableFuture()
                .thenApply(Optional::isPresent);
    }

    private static Throwable failure(CompletableFuture<?> answer) {
        assertThat(answer).isCompletedExceptionally();
        return answer.handle(
                        (value, failed) -> failed instanceof CompletionException wrapped ? wrapped.getCause() : failed)
                .join();
    }
}
