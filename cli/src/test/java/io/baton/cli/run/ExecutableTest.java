package io.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.cli.Exit;
import io.baton.cli.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutableTest {

    @TempDir
    Path directory;

    @Test
    void check_programInPath_passes() {
        assertThatCode(() -> Executable.check("sh")).doesNotThrowAnyException();
    }

    @Test
    void check_unknownName_isNotFound() {
        assertThatThrownBy(() -> Executable.check("no-such-command"))
                .isInstanceOfSatisfying(
                        Failure.class, failure -> assertThat(failure.status()).isEqualTo(Exit.NOT_FOUND));
    }

    @Test
    void check_fileThatIsNotThere_isNotFound() {
        assertThatThrownBy(() -> Executable.check(directory.resolve("x").toString()))
                .isInstanceOfSatisfying(
                        Failure.class, failure -> assertThat(failure.status()).isEqualTo(Exit.NOT_FOUND));
    }

    @Test
    void check_fileWithoutExecutePermission_cannotBeStarted() throws IOException {
        Path file = Files.writeString(directory.resolve("script"), "echo hello");
        assertThatThrownBy(() -> Executable.check(file.toString()))
                .isInstanceOfSatisfying(
                        Failure.class, failure -> assertThat(failure.status()).isEqualTo(Exit.CANNOT_START))
                .hasMessageContaining("not executable");
    }

    @Test
    void check_emptyName_isNotFound() {
        assertThatThrownBy(() -> Executable.check(""))
                .isInstanceOfSatisfying(
                        Failure.class, failure -> assertThat(failure.status()).isEqualTo(Exit.NOT_FOUND));
    }
}
