package io.baton.cli.evict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.QueueEntry;
import io.baton.cli.Failure;
import io.baton.spi.Claim;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EvictCommandTest {

    private static final QueueEntry HOLDER =
            new QueueEntry(true, 12, "baton lock", "web1", 463, Optional.empty(), Claim.permits(1), "a-1");
    private static final QueueEntry WAITER =
            new QueueEntry(false, 12, "baton lock", "web2", 481, Optional.empty(), Claim.permits(1), "b-7");

    private final EvictCommand command = new EvictCommand();

    @Test
    void one_tokenOfTwo_isRefusedWithTheEntryOfEach() {
        command.name = "uploads";

        assertThatThrownBy(() -> command.one(Stream.of(HOLDER, WAITER)))
                .isInstanceOf(Failure.class)
                .hasMessage("which contender? Several of 'uploads' have this token:"
                        + " baton lock@web1 (463) with token 12, a holder (--entry a-1);"
                        + " baton lock@web2 (481) with token 12, a waiter (--entry b-7)");
    }

    @Test
    void one_tokenOfTwoWithAnEntry_isThatOne() {
        command.entry = "b-7";

        assertThat(command.one(Stream.of(HOLDER, WAITER))).contains(WAITER);
        assertThat(command.one(Stream.of(HOLDER))).isEmpty();
    }
}
