package io.baton.recipes.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.RecordKey;
import io.baton.Revision;
import io.baton.recipes.Barrier;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class BarrierRecordTest {

    private static final Revision ANY = () -> 1L;

    private static Item item(byte[] value) {
        return new Item(new RecordKey(Barrier.TREE, "load"), value, ANY);
    }

    @Test
    void encode_verdicts_areReadAsTheyWere() {
        BarrierRecord record = BarrierRecord.begin(3)
                .passed(List.of("a", "b", "c"))
                .broken(List.of("d"), "e", "it went = 100%\nof the time");

        assertThat(BarrierRecord.decode(item(record.encode()))).isEqualTo(record);
        assertThat(record.round()).isEqualTo(3);
        assertThat(record.verdictOf("b").orElseThrow().passed()).isTrue();
        assertThat(record.verdictOf("d").orElseThrow().of("d").why()).contains("100%");
        assertThat(record.verdictOf("e")).as("it went before").isEmpty();
    }

    @Test
    void verdicts_ofManyRounds_keepTheLastOnes() {
        BarrierRecord record = BarrierRecord.begin(1);
        for (int i = 1; i <= Barrier.KEPT_ROUNDS + 10; i++) {
            record = BarrierRecord.decode(item(record.passed(List.of("p" + i)).encode()));
        }

        assertThat(record.verdicts()).hasSize(Barrier.KEPT_ROUNDS);
        assertThat(record.verdictOf("p11")).isPresent();
        assertThat(record.verdictOf("p10")).isEmpty();
    }

    @Test
    void explains_partiesThatDoNotStandAnyMore_ifAVerdictSaysWhyOrMaySo() {
        BarrierRecord record = BarrierRecord.begin(2).passed(List.of("a", "b")).broken(List.of("c"), "d", "it went");

        assertThat(record.explains("a", 1)).isTrue();
        assertThat(record.explains("d", 2)).as("it broke the round").isTrue();
        assertThat(record.explains("x", 1)).isFalse();
        for (int i = 0; i < Barrier.KEPT_ROUNDS; i++) {
            record = record.passed(List.of("e" + i, "f" + i));
        }
        assertThat(record.explains("x", 2))
                .as("the verdict of round 2 is not kept")
                .isTrue();
        assertThat(record.explains("x", 3)).isFalse();
    }

    @Test
    void decode_foreignText_isRefused() {
        assertThatThrownBy(() -> BarrierRecord.decode(item("hello".getBytes(StandardCharsets.UTF_8))))
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("of a barrier");
    }
}
