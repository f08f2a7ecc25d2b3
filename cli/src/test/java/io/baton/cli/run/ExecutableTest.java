package io.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.baton.cli.Exit;
import io.baton.cli.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    static Stream<Arguments> brokenScripts() {
        return Stream.of(
                arguments("#!/no/such", "its first line asks for '/no/such', which is not there"),
                arguments("#! /no/such -e\necho", "'/no/such', which is not there"),
                arguments("#!/\n", "'/', which is no executable file"),
                arguments("#!/etc/passwd\n", "'/etc/passwd', which is no executable file"),
                arguments("#!/bin/sh\r\necho\r\n", "ends with a carriage return, as on Windows"),
                arguments("#!/usr/bin/env sh\r\necho\r\n", "ends with a carriage return, as on Windows"),
                arguments("#!/usr/bin/env no-such-program\n", "'no-such-program', which is not in PATH"),
                arguments("#!/usr/bin/env /no/such\n", "'/no/such', which is not there"));
    }

    @ParameterizedTest
    @MethodSource("brokenScripts")
    void check_scriptWithoutInterpreter_cannotBeStartedAndSaysWhatToDo(String content, String why) throws IOException {
        Path file = script(content);
        assertThatThrownBy(() -> Executable.check(file.toString()))
                .isInstanceOfSatisfying(
                        Failure.class, failure -> assertThat(failure.status()).isEqualTo(Exit.CANNOT_START))
                .hasMessageStartingWith("cannot start '" + file + "': ")
                .hasMessageContaining(why);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "echo without a first line of that kind",
                "#!\n",
                "#!/bin/sh",
                "#! /bin/sh -e \necho",
                "#!/usr/bin/env sh\necho",
                "#!/usr/bin/env -S sh -e\n",
                "#!/usr/bin/env A=b sh\n"
            })
    void check_scriptThatRuns_passes(String content) throws IOException {
        Path file = script(content);
        assertThatCode(() -> Executable.check(file.toString())).doesNotThrowAnyException();
    }

    @Test
    void check_firstLineThatTheSystemDoesNotRead_passes() throws IOException {
        Path file = script("#!/" + "x".repeat(300));
        assertThatCode(() -> Executable.check(file.toString())).doesNotThrowAnyException();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void check_envWithAProgramAndOptions_saysWhatSplitsThem() throws IOException {
        Path file = script("#!/usr/bin/env sh -e\n");
        assertThatThrownBy(() -> Executable.check(file.toString()))
                .hasMessageContaining("'sh -e', which is not in PATH ('env -S' splits at blanks)");
    }

    private Path script(String content) throws IOException {
        Path file = Files.writeString(directory.resolve("script"), content);
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    @Test
    void check_emptyName_isNotFound() {
        assertThatThrownBy(() -> Executable.check(""))
                .isInstanceOfSatisfying(
                        Failure.class, failure -> assertThat(failure.status()).isEqualTo(Exit.NOT_FOUND));
    }
}
