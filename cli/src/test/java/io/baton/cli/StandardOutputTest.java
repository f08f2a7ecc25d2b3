package io.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StandardOutputTest {

    /** Tests have no terminal. */
    @Test
    void print_intoAPipe_isTheSameBytes() {
        byte[] text = {'a', 27, '[', 'm', '\r', '\n', (byte) 0xC3, (byte) 0xBC, (byte) 0xFF, 0, 'b'};
        var printed = new ByteArrayOutputStream();
        PrintStream real = System.out;
        System.setOut(new PrintStream(printed, false, StandardCharsets.US_ASCII));
        try {
            StandardOutput.print(new PrintWriter(System.out, false, StandardCharsets.UTF_8), text);
        } finally {
            System.setOut(real);
        }
        assertThat(printed.toByteArray()).isEqualTo(text);
    }
}
