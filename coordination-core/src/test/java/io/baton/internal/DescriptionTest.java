package io.baton.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DescriptionTest {

    @Test
    void decode_ownPayload_givesItBack() {
        Description own = Description.ofThisProcess("shop worker=7 ü").since(1_800_000_000_123L);

        assertThat(Description.decode(own.encode())).isEqualTo(own);
        assertThat(own.pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(own.since()).contains(Instant.ofEpochMilli(1_800_000_000_123L));
    }

    @Test
    void decode_foreignPayload_leavesOutWhatItDoesNotUnderstand() {
        Description nothing = new Description("", "", 0, Optional.empty());

        assertThat(Description.decode(new byte[0])).isEqualTo(nothing);
        assertThat(Description.decode(new byte[] {(byte) 0xff, 0, 10, (byte) 0xc3}))
                .isEqualTo(nothing);
        assertThat(Description.decode(bytes("192.168.0.7"))).isEqualTo(nothing);
        assertThat(Description.decode(bytes("pid=many\nsince=soon\n=x\nclient")))
                .isEqualTo(nothing);
    }

    @Test
    void decode_controlCharacters_areNotPassedOn() {
        assertThat(Description.decode(bytes("client=\u001b[2Jevil\rx")).client())
                .isEqualTo("?[2Jevil?x");
    }

    @Test
    void decode_hugeValue_isCut() {
        assertThat(Description.decode(bytes("host=" + "x".repeat(100_000))).host())
                .hasSize(300);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
