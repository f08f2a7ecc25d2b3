package io.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ArgumentsTest {

    @Test
    void split_lockWithCommand_keepsTheCommandUnread() {
        Arguments split = Arguments.split(List.of("lock", "--try", "orders", "--", "ls", "--", "--try"));
        assertThat(split.own()).containsExactly("lock", "--try", "orders");
        assertThat(split.command()).containsExactly("ls", "--", "--try");
    }

    @Test
    void split_electWithCommand_keepsTheCommandUnread() {
        Arguments split = Arguments.split(List.of("elect", "orders", "--", "ls", "--", "--again"));
        assertThat(split.own()).containsExactly("elect", "orders");
        assertThat(split.command()).containsExactly("ls", "--", "--again");
    }

    @Test
    void split_withoutDashes_hasNoCommand() {
        Arguments split = Arguments.split(List.of("lock", "orders", "ls"));
        assertThat(split.own()).containsExactly("lock", "orders", "ls");
        assertThat(split.command()).isEmpty();
    }

    @Test
    void split_otherCommand_isLeftAlone() {
        assertThat(Arguments.split(List.of("demo", "--", "x")).own()).containsExactly("demo", "--", "x");
    }
}
