package io.baton.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Op;
import io.baton.RecordKey;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ValuesTest {

    private static final String TREE = "shop";

    private final Values values = new Values(new AtomicLong()::incrementAndGet);

    @Test
    void changesSince_partOfATransactionIsForgotten_isUnknown() {
        write(0, 500);
        write(500, 1_100);

        assertThat(values.changesSince(TREE, 0)).isEmpty();
        assertThat(values.changesSince(TREE, 1))
                .hasValueSatisfying(changes -> assertThat(changes.put()).hasSize(600));
    }

    private void write(int from, int to) {
        List<Op> puts = IntStream.range(from, to)
                .mapToObj(number -> Op.put(new RecordKey(TREE, "record-" + number), "x"))
                .toList();
        var unused = values.apply(puts);
    }
}
