package io.baton.recipes.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.RecordKey;
import io.baton.recipes.BarrierRound;
import io.baton.recipes.DoubleBarrier;
import io.baton.recipes.internal.DoubleBarrierRecord.Round;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class DoubleBarrierRecordTest {

    private static final DoubleBarrierRecord FIRST = DoubleBarrierRecord.begin(2);

    private static Item item(byte[] value) {
        return new Item(new RecordKey(DoubleBarrier.TREE, "batch"), value, () -> 1L);
    }

    private static Round inside(DoubleBarrierRecord record) {
        return record.inside().orElseThrow();
    }

    private static DoubleBarrierRecord left(DoubleBarrierRecord record, String one, String other) {
        DoubleBarrierRecord inside = record.entered(List.of(one, other));
        return inside.left(inside(inside));
    }

    @Test
    void encode_allThatIsDecided_isReadAgain() {
        DoubleBarrierRecord record = left(FIRST, "a", "b").notEntered(List.of("c"), "d", "d has gone: time=1");
        record = record.entered(List.of("e", "f"));
        record = record.broken(inside(record), "e", "e has gone").entered(List.of("g", "h"));

        assertThat(DoubleBarrierRecord.decode(item(record.encode()))).isEqualTo(record);
        assertThat(DoubleBarrierRecord.decode(item(FIRST.encode()))).isEqualTo(FIRST);
    }

    @Test
    void round_entryAndEnd_haveVerdictsOfTheirOwn() {
        DoubleBarrierRecord record = FIRST.entered(List.of("a", "b"));
        record = record.broken(inside(record), "a", "a has gone");
        Round round = record.roundOf("b").orElseThrow();

        assertThat(round.entry("b")).isEqualTo(new BarrierRound(1, true, List.of("a", "b"), "b", ""));
        assertThat(round.end("b")).isEqualTo(new BarrierRound(1, false, List.of("a", "b"), "b", "a has gone"));
        assertThat(left(FIRST, "a", "b").roundOf("a").orElseThrow().end("a").passed())
                .isTrue();
        assertThat(record.inside()).isEmpty();
    }

    /** Those inside would never be told, and the next ones would enter beside them. */
    @Test
    void inside_howeverManyRoundsAreNotEnteredMeanwhile_isKept() {
        DoubleBarrierRecord record = FIRST.entered(List.of("a", "b"));
        for (int i = 0; i < 2 * DoubleBarrier.KEPT_ROUNDS; i++) {
            record = record.notEntered(List.of("c" + i), "d" + i, "gone");
        }

        assertThat(inside(record).number()).isEqualTo(1);
        assertThat(record.rounds()).hasSize(DoubleBarrier.KEPT_ROUNDS + 1);
        assertThat(DoubleBarrierRecord.decode(item(record.encode()))).isEqualTo(record);
        DoubleBarrierRecord after = record.left(inside(record)).notEntered(List.of("e"), "f", "gone");
        assertThat(after.rounds()).hasSize(DoubleBarrier.KEPT_ROUNDS);
        assertThat(after.roundOf("a")).isEmpty();
    }

    @Test
    void explains_aPartyOfARoundOrOneThatBrokeIt_orWhatIsNotKept() {
        DoubleBarrierRecord record = left(FIRST, "a", "b").notEntered(List.of("c"), "d", "d has gone");

        assertThat(List.of("a", "b", "c", "d")).allMatch(party -> record.explains(party, 1));
        assertThat(record.explains("e", 1)).isFalse();
        DoubleBarrierRecord later = record;
        for (int i = 0; i < DoubleBarrier.KEPT_ROUNDS; i++) {
            later = left(later, "x" + i, "y" + i);
        }
        assertThat(later.explains("e", 1)).isTrue();
        assertThat(later.explains("e", 3)).isFalse();
    }

    @Test
    void decode_foreignText_saysSo() {
        assertThatThrownBy(() -> DoubleBarrierRecord.decode(item("hello".getBytes(StandardCharsets.UTF_8))))
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("double barrier");
    }
}
