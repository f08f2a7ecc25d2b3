package io.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script, in the shell that it is for. */
class CompletionIT {

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "'q', queue",
        "'lo', lock",
        "'lock --ti', --timeout",
        "'lock --status', --status-file",
        "'queue --js', --json",
        "'el', elect",
        "'rel', release-request",
        "'release-request --reas', --reason",
        "'lock --on-release-request ref', refuse",
        "'elect --adv', --advertise",
        "'leader --fo', --follow",
        "'stan', standby",
        "'stat', status",
        "'doc', doctor",
        "'ls conf', configurations",
        "'ls --af', --after",
        "'doctor --adm', --admin-port",
        "'standby cl', clear",
        "'standby clear --ye', --yes",
        "'con', config",
        "'config hi', history",
        "'config set --ex', --expect",
        "'config canary pr', promote",
        "'config export --format y', yaml",
        "'completion z', zsh"
    })
    void bash_halfAWord_isCompleted(String typed, String whole) throws Exception {
        Path script = directory.resolve("completion");
        Captured printed = Captured.run("completion", "bash");
        assertThat(printed.status()).isZero();
        Files.writeString(script, printed.out());
        String press =
                "source \"$0\" || exit; read -ra COMP_WORDS <<<\"baton $1\"; COMP_CWORD=$((${#COMP_WORDS[@]} - 1));"
                        + " COMP_LINE=\"baton $1\"; COMP_POINT=${#COMP_LINE};"
                        + " \"$(complete -p baton | sed 's/.*-F \\([^ ]*\\).*/\\1/')\"; printf '%s\\n' \"${COMPREPLY[@]}\"";
        Process bash = new ProcessBuilder("bash", "--norc", "-c", press, script.toString(), typed)
                // Options of the completion can be set while bash completes only, and it says so.
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).as(said).isZero();
        assertThat(said.lines().map(String::strip)).containsExactly(whole);
    }

    @Test
    void zsh_script_loadsWhatItNeedsFirst() {
        assertThat(Captured.run("completion", "zsh").out())
                .startsWith("autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n")
                .contains("complete -F");
    }
}
