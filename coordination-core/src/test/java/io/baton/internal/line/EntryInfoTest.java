package io.baton.internal.line;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EntryInfoTest {

    @Test
    void decode_ownPayload_givesItBack() {
        EntryInfo own = EntryInfo.ofThisProcess("shop worker=7 ü").since(1_800_000_000_123L);

        assertThat(EntryInfo.decode(own.encode())).isEqualTo(own);
        assertThat(own.pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(own.since()).contains(Instant.ofEpochMilli(1_800_000_000_123L));
    }

    @Test
    void decode_foreignPayload_leavesOutWhatItDoesNotUnderstand() {
        EntryInfo nothing = new EntryInfo("", "", 0, Optional.empty());

        assertThat(EntryInfo.decode(new byte[0])).isEqualTo(nothing);
        assertThat(EntryInfo.decode(new byte[] {(byte) 0xff, 0, 10, (byte) 0xc3}))
                .isEqualTo(nothing);
        assertThat(EntryInfo.decode(bytes("192.168.0.7"))).isEqualTo(nothing);
        assertThat(EntryInfo.decode(bytes("pid=many\nsince=soon\n=x\nclient"))).isEqualTo(nothing);
    }

    @Test
    void decode_controlCharacters_areNotPassedOn() {
        assertThat(EntryInfo.decode(bytes("client=\u001b[2Jevil\rx")).client()).isEqualTo("?[2Jevil?x");
    }

    @Test
    void decode_hugeValue_isCut() {
        assertThat(EntryInfo.decode(bytes("host=" + "x".repeat(100_000))).host())
                .hasSize(300);
    }

    @Test
    void processName_longOrUnknownHost_isBounded() {
        assertThat(EntryInfo.processName("web-1", 4711)).isEqualTo("web-1-4711");
        assertThat(EntryInfo.processName("", 4711)).isEqualTo("process-4711");
        assertThat(EntryInfo.processName("x".repeat(253), Long.MAX_VALUE))
                .isEqualTo("x".repeat(EntryInfo.MAX_HOST_CHARS) + "-" + Long.MAX_VALUE);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
