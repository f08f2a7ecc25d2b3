package io.baton.election.internal.handover;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.election.Rig;
import io.baton.election.internal.handover.HandOverRecord.Seen;
import io.baton.election.internal.line.ElectionLine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The record in which hand-overs are agreed: nothing is written over unseen. */
class HandOverRecordTest {

    private static final HandOverNote ASK = HandOverNote.ask("17", "b", Duration.ofSeconds(3));

    private final Rig rig = new Rig("exchange");
    private final HandOverRecord handOverRecord = new HandOverRecord(ElectionLine.named(rig.client("a"), "boss"));

    private <T> T now(CompletableFuture<T> answer) {
        rig.loop.run();
        return answer.join();
    }

    private Seen write(HandOverNote note) {
        assertThat(now(handOverRecord.write(now(handOverRecord.read()), note, List.of())))
                .isTrue();
        return now(handOverRecord.read());
    }

    private Optional<HandOverNote> settle(String number) {
        return now(handOverRecord.abort(number, HandOverNote.Kind.NOT_AGREED, "no"));
    }

    @Test
    void write_recordIsAsSeen_isWritten() {
        assertThat(write(ASK).note()).contains(ASK);
        assertThat(write(ASK.failed("no")).note()).contains(ASK.failed("no"));
    }

    @Test
    void write_writtenInBetween_isNot() {
        Seen none = now(handOverRecord.read());
        Seen first = write(ASK);
        assertThat(now(handOverRecord.write(none, ASK.failed("no"), List.of()))).isFalse();
        assertThat(now(handOverRecord.read()).note()).contains(ASK);
        assertThat(none.same(first)).isFalse();
        assertThat(first.same(now(handOverRecord.read()))).isTrue();
        assertThat(first.same(write(ASK))).isFalse();
    }

    @Test
    void settle_notAgreed_hasFailed() {
        write(ASK);
        assertThat(settle("17")).contains(ASK.failed("no"));
        assertThat(now(handOverRecord.read()).note()).contains(ASK.failed("no"));
    }

    @Test
    void settle_anothersOrNone_isLeft() {
        assertThat(settle("17")).isEmpty();
        write(ASK);
        assertThat(settle("16")).isEmpty();
        assertThat(now(handOverRecord.read()).note()).contains(ASK);
    }

    /** Another than "there is none": it may be carried out. */
    @Test
    void settle_recordUnread_fails() {
        write(ASK);
        rig.store.suspend("a");
        var settled = handOverRecord.abort("17", HandOverNote.Kind.NOT_AGREED, "no");
        rig.loop.pass(Duration.ofMinutes(1));
        assertThat(settled).isCompletedExceptionally();
    }

    @Test
    void settle_agreed_goesOn() {
        HandOverNote ready =
                ASK.offered(new HandOverNote.Offer(1, "stand", "entry", 2)).ready();
        write(ready);
        assertThat(settle("17")).contains(ready);
        assertThat(now(handOverRecord.read()).note()).contains(ready);
    }

    @Test
    void settle_writtenInBetween_looksAgain() {
        HandOverNote offered = ASK.offered(new HandOverNote.Offer(1, "stand", "entry", 2));
        int agreed = 0;
        for (int tasks = 0; tasks < 20; tasks++) {
            write(ASK);
            Seen seen = now(handOverRecord.read());
            var settled = handOverRecord.abort("17", HandOverNote.Kind.NOT_AGREED, "no");
            rig.loop.run(tasks);
            CompletableFuture<Boolean> written = handOverRecord.write(seen, offered.ready(), List.of());
            Optional<HandOverNote> end = now(settled);

            assertThat(end).contains(now(written) ? offered.ready() : ASK.failed("no"));
            assertThat(now(handOverRecord.read()).note()).isEqualTo(end);
            agreed += written.join() ? 1 : 0;
        }
        assertThat(agreed).isBetween(1, 19);
    }
}
