package io.baton.election.internal.handover;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.election.internal.handover.HandOverNote.Kind;
import io.baton.election.internal.handover.HandOverRules.ForAsker;
import io.baton.election.internal.handover.HandOverRules.ForLeader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the record means to whom, and that it means the same once it has been read. */
class HandOverRulesTest {

    private static final HandOverNote ASK = HandOverNote.ask("17", "b", Duration.ofSeconds(3));
    private static final HandOverNote OFFER = ASK.offered(new HandOverNote.Offer(9, "stand", "entry=%\n", 4));

    @Test
    void decode_whatWasEncoded_isTheSame() {
        for (HandOverNote note :
                new HandOverNote[] {ASK, OFFER, OFFER.ready(), OFFER.done(Instant.EPOCH), OFFER.failed("a=b\nc")}) {
            assertThat(HandOverNote.decode(note.encode())).contains(note);
        }
        for (Pin.Wish wish : new Pin.Wish[] {Pin.Wish.TERM, new Pin.Wish(Optional.of(Duration.ofHours(1)))}) {
            HandOverNote asked = HandOverNote.ask("17", "b", Duration.ofSeconds(3), Optional.of(wish));
            HandOverNote done = asked.offered(new HandOverNote.Offer(9, "stand", "entry", 4))
                    .done(Instant.ofEpochMilli(1_700_000_000_123L));
            assertThat(HandOverNote.decode(asked.encode())).contains(asked);
            assertThat(HandOverNote.decode(done.encode())).contains(done);
        }
        assertThat(HandOverNote.decode(new byte[] {1, 2, 3})).isEmpty();
        assertThat(HandOverNote.decode("state=later\nnumber=1\n".getBytes(StandardCharsets.UTF_8)))
                .isEmpty();
    }

    @Test
    void leader_askedInItsTerm_begins() {
        assertThat(leader(ASK, false, true, "", false)).isEqualTo(ForLeader.BEGIN);
        assertThat(leader(ASK, false, true, "16", false)).isEqualTo(ForLeader.BEGIN);
    }

    @Test
    void leader_askedForWhatIsBarred_refusesUnlessItIsBusyOrWasAskedBefore() {
        assertThat(HandOverRules.leader(ASK, false, true, Optional.empty(), false, true))
                .isEqualTo(ForLeader.REFUSE);
        assertThat(HandOverRules.leader(ASK, false, true, Optional.of("16"), true, true))
                .isEqualTo(ForLeader.NOTHING);
        assertThat(HandOverRules.leader(ASK, true, true, Optional.empty(), false, true))
                .isEqualTo(ForLeader.CLEAR_AWAY);
        assertThat(HandOverRules.leader(OFFER.ready(), false, true, Optional.of("17"), true, true))
                .isEqualTo(ForLeader.GO_ON);
    }

    @Test
    void following_anyNote_keepsThePinUntilAHandOverIsDone() {
        HandOverNote asked = HandOverNote.ask("17", "b", Duration.ofSeconds(3), Optional.of(Pin.Wish.TERM));
        HandOverNote done =
                asked.offered(new HandOverNote.Offer(9, "b's", "entry", 4)).done(Instant.EPOCH);
        assertThat(done.pin()).contains(new Pin("b's", Optional.empty()));

        HandOverNote next = HandOverNote.ask("18", "c", Duration.ofSeconds(3)).following(Optional.of(done));
        assertThat(next.pin()).isEqualTo(done.pin());
        assertThat(next.failed("no").pin()).isEqualTo(done.pin());
        HandOverNote offered = next.offered(new HandOverNote.Offer(10, "c's", "entry", 5));
        assertThat(offered.ready().pin()).isEqualTo(done.pin());
        assertThat(offered.ready().done(Instant.EPOCH).pin()).isEmpty();
    }

    @Test
    void leader_askedBefore_orWhileItStops_clearsAway() {
        assertThat(leader(ASK, true, true, "", false)).isEqualTo(ForLeader.CLEAR_AWAY);
        assertThat(leader(ASK, false, false, "", false)).isEqualTo(ForLeader.CLEAR_AWAY);
    }

    @Test
    void leader_busyWithItOrStopping_leavesTheRequestAlone() {
        assertThat(leader(ASK, false, true, "16", true)).isEqualTo(ForLeader.NOTHING);
        assertThat(leader(ASK, false, true, "17", true)).isEqualTo(ForLeader.NOTHING);
        assertThat(leader(ASK, false, false, "17", false)).isEqualTo(ForLeader.NOTHING);
    }

    @Test
    void leader_ownOffer_goesOnOrGivesUp() {
        assertThat(leader(OFFER, false, true, "17", true)).isEqualTo(ForLeader.NOTHING);
        assertThat(leader(OFFER.ready(), false, true, "17", true)).isEqualTo(ForLeader.GO_ON);
        assertThat(leader(OFFER.failed("no"), false, true, "17", true)).isEqualTo(ForLeader.GIVE_UP);
    }

    @Test
    void leader_ownHandOverIsOverAndItsRecordIsNot_isClearedAway() {
        for (HandOverNote note : new HandOverNote[] {ASK, OFFER, OFFER.ready()}) {
            assertThat(leader(note, false, true, "17", false)).isEqualTo(ForLeader.CLEAR_AWAY);
        }
        assertThat(leader(OFFER, false, false, "17", false)).isEqualTo(ForLeader.NOTHING);
        assertThat(leader(OFFER.ready(), false, false, "17", false)).isEqualTo(ForLeader.GO_ON);
    }

    @Test
    void leader_anothersOffer_isClearedAway() {
        assertThat(leader(OFFER, true, true, "", false)).isEqualTo(ForLeader.CLEAR_AWAY);
        assertThat(leader(OFFER.ready(), false, true, "16", true)).isEqualTo(ForLeader.CLEAR_AWAY);
        assertThat(leader(OFFER.done(Instant.EPOCH), true, true, "", false)).isEqualTo(ForLeader.NOTHING);
        assertThat(leader(OFFER.failed("no"), true, true, "", false)).isEqualTo(ForLeader.NOTHING);
    }

    @Test
    void offeredTo_thisVeryEntryOnly() {
        assertThat(HandOverRules.offeredTo(OFFER, "stand")).isTrue();
        assertThat(HandOverRules.offeredTo(OFFER, "other")).isFalse();
        assertThat(HandOverRules.offeredTo(OFFER.ready(), "stand")).isFalse();
        assertThat(HandOverRules.offeredTo(ASK, "")).isFalse();
    }

    @Test
    void asker_othersAreUnderWay_waits() {
        for (Kind kind : Kind.values()) {
            HandOverNote note = new HandOverNote(
                    kind, "16", "c", Duration.ZERO, Optional.empty(), "", Optional.empty(), Optional.empty());
            assertThat(HandOverRules.asker(Optional.of(note), "17", false))
                    .isEqualTo(kind == Kind.DONE || kind == Kind.FAILED ? ForAsker.ASK : ForAsker.WAIT);
        }
        assertThat(HandOverRules.asker(Optional.empty(), "17", false)).isEqualTo(ForAsker.ASK);
    }

    @Test
    void asker_ownWasReplaced_doesNotAskAgain() {
        for (Kind kind : Kind.values()) {
            HandOverNote note = new HandOverNote(
                    kind, "16", "c", Duration.ZERO, Optional.empty(), "", Optional.empty(), Optional.empty());
            assertThat(HandOverRules.asker(Optional.of(note), "17", true)).isEqualTo(ForAsker.LOOK);
        }
        assertThat(HandOverRules.asker(Optional.empty(), "17", true)).isEqualTo(ForAsker.LOOK);
    }

    @Test
    void asker_itsOwn_waitsForTheEnd() {
        assertThat(HandOverRules.asker(Optional.of(ASK), "17", true)).isEqualTo(ForAsker.WAIT);
        assertThat(HandOverRules.asker(Optional.of(OFFER.ready()), "17", true)).isEqualTo(ForAsker.WAIT);
        assertThat(HandOverRules.asker(Optional.of(OFFER.done(Instant.EPOCH)), "17", true))
                .isEqualTo(ForAsker.DONE);
        assertThat(HandOverRules.asker(Optional.of(OFFER.failed("no")), "17", true))
                .isEqualTo(ForAsker.FAILED);
    }

    private static ForLeader leader(HandOverNote note, boolean fresh, boolean leads, String own, boolean busy) {
        return HandOverRules.leader(note, fresh, leads, Optional.of(own).filter(text -> !text.isEmpty()), busy, false);
    }
}
