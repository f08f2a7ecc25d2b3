package io.baton.election.internal.handover;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.election.internal.handover.HandOverNote.Kind;
import io.baton.election.internal.handover.HandOverNote.Offer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a hand-over's note says from step to step, and that it says the same once it has been read. */
class HandOverNoteTest {

    private static final Instant NOW = Instant.ofEpochMilli(1_700_000_000_123L);
    private static final Offer WHAT = new Offer(9, "stand", "entry=%\n", 4);
    private static final HandOverNote ASK = HandOverNote.ask("17", "b", Duration.ofSeconds(3));
    private static final Optional<Pin.Wish> HOUR = Optional.of(new Pin.Wish(Optional.of(Duration.ofHours(1))));
    private static final Pin BEFORE = new Pin("before", Optional.of(NOW));

    private static HandOverNote after(HandOverNote note) {
        HandOverNote pinned = new HandOverNote(
                Kind.DONE, "1", "a", Duration.ZERO, Optional.empty(), "", Optional.empty(), Optional.of(BEFORE));
        return note.following(Optional.of(pinned));
    }

    private static Optional<HandOverNote> read(String... lines) {
        return HandOverNote.decode((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void decode_whatWasEncoded_isTheSame() {
        HandOverNote pinned = after(HandOverNote.ask("17", "b", Duration.ofSeconds(3), HOUR));
        for (HandOverNote note : new HandOverNote[] {
            ASK,
            pinned,
            pinned.offered(WHAT),
            pinned.offered(WHAT).ready(),
            pinned.offered(WHAT).done(NOW),
            ASK.doneAlready("mine", NOW),
            pinned.doneAlready("mine", NOW),
            pinned.failed("a=b\nc"),
            HandOverNote.ask("17", "b", Duration.ZERO, Optional.of(Pin.Wish.TERM))
                    .doneAlready("mine", NOW)
        }) {
            assertThat(HandOverNote.decode(note.encode())).contains(note);
        }
    }

    @Test
    void decode_somethingElse_isNone() {
        assertThat(HandOverNote.decode(new byte[] {1, 2, 3})).isEmpty();
        assertThat(read("number=1")).isEmpty();
        assertThat(read("state=later", "number=1")).isEmpty();
    }

    @Test
    void decode_whatIsMissing_isNothing() {
        assertThat(read("state=ask"))
                .contains(new HandOverNote(
                        Kind.ASK, "", "", Duration.ZERO, Optional.empty(), "", Optional.empty(), Optional.empty()));
        assertThat(read("state=offer", "entry=e").orElseThrow().offer()).contains(new Offer(0, "", "e", 0));
        assertThat(read("state=ask", "within=-5").orElseThrow().within()).isZero();
        assertThat(read("state=ask", "pin=-5")
                        .orElseThrow()
                        .wish()
                        .orElseThrow()
                        .limit())
                .contains(Duration.ZERO);
        assertThat(read("state=done", "pinned=p").orElseThrow().pin()).contains(new Pin("p", Optional.empty()));
    }

    /** As in a record that another program has written. */
    @Test
    void decode_numbersTooLargeForATimer_areTheLongestThatCanBeAskedFor() {
        String huge = String.valueOf(Long.MAX_VALUE);
        HandOverNote note = read("state=ask", "within=" + huge, "pin=" + huge).orElseThrow();
        assertThat(note.within()).isEqualTo(Duration.ofDays(1));
        assertThat(note.wish().orElseThrow().limit()).contains(Duration.ofDays(365));
    }

    @Test
    void steps_fromOneToTheNext_keepWhatItIsAbout() {
        HandOverNote ready = after(ASK).offered(WHAT).ready();
        assertThat(ready.kind()).isEqualTo(Kind.READY);
        assertThat(ready.number()).isEqualTo("17");
        assertThat(ready.to()).isEqualTo("b");
        assertThat(ready.within()).isEqualTo(Duration.ofSeconds(3));
        assertThat(ready.offer()).contains(WHAT);
        assertThat(ready.pin()).contains(BEFORE);
        assertThat(ready.failed("no").why()).isEqualTo("no");
        assertThat(ready.failed("no").kind()).isEqualTo(Kind.FAILED);
        assertThat(ready.failed("no").pin()).contains(BEFORE);
        assertThat(after(ASK).offered(WHAT).kind()).isEqualTo(Kind.OFFER);
    }

    @Test
    void following_none_hasNoPin() {
        assertThat(ASK.following(Optional.empty())).isEqualTo(ASK);
        assertThat(after(ASK).pin()).contains(BEFORE);
    }

    @Test
    void done_askedForByAPerson_pinsTheEntryThatItWasOfferedTo() {
        HandOverNote asked =
                after(HandOverNote.ask("17", "b", Duration.ofSeconds(3), HOUR)).offered(WHAT);
        assertThat(asked.done(NOW).pin()).contains(new Pin("stand", Optional.of(NOW.plus(Duration.ofHours(1)))));
        assertThat(asked.done(NOW).kind()).isEqualTo(Kind.DONE);
        // Another leader than the one that was pinned.
        assertThat(after(ASK).offered(WHAT).done(NOW).pin()).isEmpty();
    }

    @Test
    void doneAlready_leadsByThisEntry_isPinnedIfAPersonAsksAndElseStaysSo() {
        HandOverNote asked = after(HandOverNote.ask("17", "b", Duration.ofSeconds(3), HOUR));
        assertThat(asked.doneAlready("mine", NOW).pin())
                .contains(new Pin("mine", Optional.of(NOW.plus(Duration.ofHours(1)))));
        assertThat(after(ASK).doneAlready("mine", NOW).pin()).contains(BEFORE);
        assertThat(after(ASK).doneAlready("mine", NOW).kind()).isEqualTo(Kind.DONE);
    }
}
