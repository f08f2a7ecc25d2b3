package io.baton.election.internal.line;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.election.Candidate;
import io.baton.election.Leader;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the entry of a candidate says, and who others take it for. */
class CandidateTextTest {

    private static final byte[] CLIENT = bytes("host=h\npid=7\n");

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Entry entry(byte[] payload) {
        return new Entry(new Peer(Line.of("elections/boss"), "entry-1", 1), 42, payload, "session");
    }

    private static Leader decode(byte[] payload) {
        return CandidateText.decode(entry(payload));
    }

    @Test
    void decode_whatWasEncoded_isTheCandidate() {
        Candidate candidate = Candidate.builder("a=1")
                .address("http://a")
                .metadata("zone", "z1")
                .metadata("b", "=")
                .priority(3)
                .build();

        byte[] payload = CandidateText.encode(candidate, "stand", CLIENT);

        assertThat(decode(payload)).isEqualTo(new Leader("a=1", "http://a", Map.of("zone", "z1", "b", "="), 42, 3));
        assertThat(CandidateEntry.of(entry(payload)))
                .isEqualTo(new CandidateEntry(entry(payload).peer(), "a=1", "stand", 3, "host h, pid 7"));
    }

    @Test
    void encode_whatIsNotThere_isNotWritten() {
        assertThat(new String(CandidateText.encode(Candidate.of("a"), "s", CLIENT), StandardCharsets.UTF_8))
                .isEqualTo("host=h\npid=7\nid=a\nstand=s\n");
        assertThat(decode(CandidateText.encode(Candidate.of("a"), "s", CLIENT)))
                .isEqualTo(new Leader("a", "", Map.of(), 42, 0));
    }

    @Test
    void encodeShared_isTheIdAlone() {
        byte[] payload = CandidateText.encodeShared(Candidate.of("a=1"));
        assertThat(payload).isEqualTo(bytes("a=1"));
        assertThat(decode(payload)).isEqualTo(new Leader("a=1", "", Map.of(), 42, 0));
    }

    @Test
    void decode_anotherProgramsEntry_theWholeIsItsId() {
        assertThat(decode(bytes("10.0.0.1:\n80")).id()).isEqualTo("10.0.0.1:?80");
        assertThat(decode(bytes("x".repeat(2_000))).id()).hasSize(1_024);
        assertThat(CandidateEntry.of(entry(bytes("text"))).known()).isFalse();
    }
}
