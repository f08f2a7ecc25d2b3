package io.baton.etcd;

import static io.baton.etcd.HandGround.kv;
import static io.baton.etcd.HandGround.part;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.spi.Claim;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class SessionRequestsTest {

    private static final Line LINE = Line.of("locks/l");

    private final HandGround context = new HandGround();
    private final SessionRequests questions = new SessionRequests(context);

    @Test
    void peers_stand_inTheOrderOfTheirCreation() {
        var answer = questions.peers(LINE);
        assertThat(context.asked()).containsExactly("look at /app/locks/l/*");

        context.answer(
                20,
                part(
                        kv("/app/locks/l/00-c", "", 9, 12),
                        kv("/app/locks/l/4d-b", "", 7, 7),
                        kv("/app/locks/l/4d-a", "", 7, 7)));

        assertThat(now(answer))
                .containsExactly(new Peer(LINE, "4d-a", 7), new Peer(LINE, "4d-b", 7), new Peer(LINE, "00-c", 9));
    }

    /** A long line is read in pages of one revision, the first of which is long enough for most. */
    @Test
    void peers_longLine_areReadInPagesOfOneRevision() {
        var answer = questions.peers(LINE);
        assertThat(context.limit()).isEqualTo(1_000);

        context.answer(20, new EtcdWire.Part(List.of(kv("/app/locks/l/4d-a", "", 9, 9)), 2));
        assertThat(context.asked()).containsExactly("look at /app/locks/l/* after 4d-a at 20");
        context.answer(25, part(kv("/app/locks/l/4d-b", "", 7, 7)));

        assertThat(now(answer)).containsExactly(new Peer(LINE, "4d-b", 7), new Peer(LINE, "4d-a", 9));
    }

    @Test
    void free_line_hasNobody() {
        var empty = questions.isFree(LINE, Claim.EXCLUSIVE);
        assertThat(context.asked()).containsExactly("look at /app/locks/l/*");
        context.answer(20, part());
        var taken = questions.isFree(LINE, Claim.EXCLUSIVE);
        context.answer(20, part(kv("/app/locks/l/4d-a", "", 7, 7)));

        assertThat(now(empty)).isTrue();
        assertThat(now(taken)).isFalse();
    }

    @Test
    void details_entry_isTheOneThatWasListed() {
        Peer peer = new Peer(LINE, "4d-a", 7);
        var there = questions.details(peer);
        context.answer(20, part(kv("/app/locks/l/4d-a", "who", 7, 8)));
        var again = questions.details(peer);
        context.answer(20, part(kv("/app/locks/l/4d-a", "who", 9, 9)));
        var gone = questions.details(peer);
        context.answer(20, part());

        Entry entry = now(there).orElseThrow();
        assertThat(entry.token()).isEqualTo(7);
        assertThat(entry.session()).isEqualTo("0x4d");
        assertThat(entry.payload()).asString().isEqualTo("who");
        assertThat(now(again)).isEmpty();
        assertThat(now(gone)).isEmpty();
    }

    @Test
    void get_record_hasTheRevisionOfItsLastWrite() {
        RecordKey key = new RecordKey("tck", "a/b");
        var answer = questions.get(key);
        assertThat(context.asked()).containsExactly("read /app/tck/a%2Fb");

        context.answer(20, part(kv("/app/tck/a%2Fb", "x", 7, 9)));

        assertThat(now(answer).orElseThrow().text()).isEqualTo("x");
        assertThat(now(answer).orElseThrow().revision()).isEqualTo(new EtcdRevision(9));
    }

    @Test
    void get_contactBroken_isAskedAgain() {
        var answer = questions.get(new RecordKey("tck", "a"));
        context.lose();
        assertThat(context.asked()).isEmpty();

        context.connect();
        context.answer(20, part());

        assertThat(now(answer)).isEqualTo(Optional.empty());
    }

    @Test
    void get_noAnswer_failsInTimeAndIsNotAskedAgain() {
        context.connected = false;
        var answer = questions.get(new RecordKey("tck", "a"));

        context.pass(context.timeout());
        context.connect();

        assertThat(answer.toCompletableFuture())
                .failsWithin(java.time.Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(StoreUnavailableException.class);
        assertThat(context.asked()).isEmpty();
    }

    @Test
    void get_denied_fails() {
        var answer = questions.get(new RecordKey("tck", "a"));

        context.fail(Code.DENIED, "permission denied");

        assertThat(answer.toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void ask_sessionOver_fails() {
        var under = questions.get(new RecordKey("tck", "a"));
        questions.sessionLost(new SessionLostException("over"));
        context.open = false;
        var after = questions.peers(LINE);

        assertThat(under.toCompletableFuture()).isCompletedExceptionally();
        assertThat(after.toCompletableFuture()).isCompletedExceptionally();
        assertThat(context.asked()).hasSize(1);
    }

    private static <T> T now(CompletionStage<T> answer) {
        CompletableFuture<T> future = answer.toCompletableFuture();
        assertThat(future).isCompleted();
        return future.join();
    }
}
