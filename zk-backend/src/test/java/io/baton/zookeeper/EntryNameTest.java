package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.zookeeper.EntryName.ForeignEntryException;
import java.util.List;
import org.junit.jupiter.api.Test;

class EntryNameTest {

    private static final String ID = "8f3c8a54-0d33-4c0e-9d3e-2f4a3a1b7c11";

    @Test
    void line_ofOursAndUnknown_isInSequenceOrder() throws ForeignEntryException {
        List<EntryName> line =
                EntryName.line(List.of(EntryName.prefix(ID) + "0000000012", "notes", "lock-0000000002", "lease", "x7"));

        assertThat(line).extracting(EntryName::sequence).containsExactly(2, 12);
        assertThat(line)
                .extracting(EntryName::name)
                .containsExactly("lock-0000000002", "_c_" + ID + "-lock-0000000012");
    }

    @Test
    void line_withAnotherKindOfLock_refuses() {
        for (String foreign :
                List.of("0123456789abcdef0123456789abcdef__lock__0000000003", "_c_" + ID + "-latch-0000000003")) {
            assertThatThrownBy(() -> EntryName.line(List.of(foreign)))
                    .isInstanceOf(ForeignEntryException.class)
                    .hasMessageContaining(foreign);
        }
    }

    @Test
    void line_withSequenceUsedUp_refuses() {
        for (String overrun : List.of("-2147483648", "-000000001", "2147483647", "2130706432", "9999999999")) {
            assertThatThrownBy(() -> EntryName.line(List.of(EntryName.prefix(ID) + overrun)))
                    .isInstanceOf(ForeignEntryException.class)
                    .hasMessageContaining("used up");
        }
    }
}
