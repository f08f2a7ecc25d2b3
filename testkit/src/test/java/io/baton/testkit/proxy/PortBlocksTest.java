package io.baton.testkit.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.testkit.server.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PortBlocksTest {

    private static final int COUNT = 3;

    @TempDir
    Path directory;

    /** Takes a block, says which, and keeps it until its input ends. */
    static final class AnotherJvm {

        private AnotherJvm() {}

        public static void main(String[] args) throws IOException {
            System.out.println(new PortBlocks(Path.of(args[0]), COUNT).from(1));
            while (System.in.read() >= 0) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void from_ownBlock_isGivenAgain() {
        PortBlocks blocks = new PortBlocks(file(), COUNT);

        assertThat(blocks.from(1)).isEqualTo(1);
        assertThat(blocks.from(1)).isEqualTo(1);
        assertThat(blocks.from(2)).isEqualTo(2);
    }

    @Test
    void from_blockOfAnotherJvm_isPassedOver_untilThatHasEnded() throws Exception {
        Process other = ChildProcess.small(AnotherJvm.class, List.of(), List.of(file().toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(other.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(said.readLine()).isEqualTo("1");
            PortBlocks blocks = new PortBlocks(file(), COUNT);

            assertThat(blocks.from(1)).isEqualTo(2);

            other.destroyForcibly().waitFor();
            assertThat(blocks.from(1)).isEqualTo(1);
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void from_allTaken_saysSo() {
        PortBlocks first = new PortBlocks(file(), COUNT);
        for (int block = 0; block < COUNT; block++) {
            first.from(block);
        }
        PortBlocks second = new PortBlocks(file(), COUNT);

        assertThatThrownBy(() -> second.from(0)).hasMessageContaining("all 3 blocks");
    }

    private Path file() {
        return directory.resolve("ports");
    }
}
