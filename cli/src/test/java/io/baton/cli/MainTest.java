package io.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class MainTest {

    static Stream<Arguments> mistakes() {
        return Stream.of(
                mistake("say what to do"),
                mistake("unknown command 'frobnicate' (see", "frobnicate"),
                mistake("unknown command 'lok'; did you mean 'lock'?", "lok"),
                mistake("unknown command 'lcok'; did you mean 'lock'? (see", "lcok", "x", "--", "true"),
                mistake("behind '--': baton lock NAME -- CMD ARGS...", "lock", "x", "sleep", "1"),
                mistakeOfLock("'x' is named twice", "x", "y", "x"),
                mistake("must not be empty", "lock", "x", "", "--", "true"),
                mistakeOfLock("several names are several locks", "--shared", "x", "y"),
                mistakeOfLock("several names are several locks", "--at", "/x", "x", "y"),
                mistakeOfLock("--shared or --exclusive", "--shared", "--exclusive", "x"),
                mistakeOfLock(
                        "--of goes with --permits: how many of them to hold, as in --permits 1 --of 5",
                        "--of",
                        "5",
                        "x"),
                mistakeOfLock(
                        "--permits goes with --of: how many there are in all, as in --permits 2 --of 10",
                        "--permits",
                        "2",
                        "x"),
                mistakeOfLock("no more than 5", "--permits", "6", "--of", "5", "x"),
                mistakeOfLock("--permits must be at least 1, not 0", "--permits", "0", "--of", "5", "x"),
                mistake("'--permits'", "lock", "--permits", "two", "--of", "5", "x", "--", "true"),
                mistakeOfLock(
                        "goes without --shared, --exclusive and --at",
                        "--permits",
                        "1",
                        "--of",
                        "5",
                        "--at",
                        "/x",
                        "x"),
                mistakeOfLock("go with the plain lock NAME", "--hold-at-least", "1m", "--shared", "x"),
                mistakeOfLock("--delay-after-loss go with one name", "--delay-after-loss", "1m", "x", "y"),
                mistakeOfLock("write it as 500ms", "--hold-at-least", "soon", "x"),
                mistake("one argument too many: 'y'", "queue", "x", "y"),
                mistake("mutually exclusive", "queue", "--read-write", "--semaphore", "x"),
                mistake(
                        "--semaphore is found by its name",
                        "queue",
                        "--connect",
                        "zk://h:1",
                        "--semaphore",
                        "--at",
                        "/x",
                        "x"),
                mistake("which contender? 'baton queue x' shows the TOKEN", "evict", "x", "--reason", "it hangs"),
                mistake("'baton queue --semaphore x' shows", "evict", "--semaphore", "x", "--reason", "it hangs"),
                mistake("'baton queue --read-write x' shows", "evict", "--read-write", "x", "1e3", "--reason", "why"),
                mistake("with the same --at", "evict", "--connect", "zk://h:1", "--at", "/x", "x", "--reason", "why"),
                mistake("'web1' is no token, which is a number", "evict", "x", "web1", "--reason", "it hangs"),
                mistake("say why with --reason", "evict", "x", "12"),
                mistake("say why with --reason", "evict", "x", "12", "--reason", " "),
                mistake(
                        "--reason may have 500 characters; this one has 501",
                        "evict",
                        "x",
                        "1",
                        "--reason",
                        "y".repeat(501)),
                mistake("one argument too many: '13'", "evict", "x", "12", "13", "--reason", "it hangs"),
                mistake("mutually exclusive", "evict", "--read-write", "--semaphore", "x", "12", "--reason", "why"),
                mistake(
                        "--semaphore is found by its name",
                        "evict",
                        "--connect",
                        "zk://h:1",
                        "--semaphore",
                        "--at",
                        "/x",
                        "x",
                        "12",
                        "--reason",
                        "why"),
                mistake("one process only", "evict", "--connect", "mem:x", "x", "12", "--reason", "it hangs"),
                mistake("NAME", "release-request", "--reason", "maintenance"),
                mistake("must not be empty", "release-request", "", "--reason", "maintenance"),
                mistake("say why with --reason", "release-request", "x"),
                mistake("'--timeout'", "release-request", "x", "--reason", "maintenance", "--timeout", "soon"),
                mistake("--dialect goes with --at", "release-request", "--dialect", "kazoo", "x", "--reason", "why"),
                mistake("one process only", "release-request", "--connect", "mem:x", "x", "--reason", "maintenance"),
                mistake("expected one of [release, refuse]", "lock", "--on-release-request", "yes", "x", "--", "true"),
                mistakeOfLock(
                        "permits cannot be asked for",
                        "--on-release-request",
                        "refuse",
                        "--permits",
                        "1",
                        "--of",
                        "5",
                        "x"),
                mistake("--add and --set are mutually exclusive", "counter", "--add", "1", "--set", "2", "x"),
                mistake("say how much to add", "counter", "--once", "y", "x"),
                mistake("--set and --expected belong together", "counter", "--set", "2", "x"),
                mistake("mutually exclusive", "latch", "--open", "1", "--reset", "x"),
                mistake("asks none", "ask", "--withdraw", "a", "x", "question"),
                mistake("say the question", "ask", "--id", "a", "x"),
                mistake("say what to do: resize", "semaphore"),
                mistake("'resize'?", "semaphore", "resise"),
                mistake("EXPECTED", "semaphore", "resize", "x"),
                mistake("at least 1, not 0", "semaphore", "resize", "x", "5", "0"),
                mistake("EXPECTED", "semaphore", "resize", "x", "five", "6"),
                mistake("one process only", "semaphore", "resize", "--connect", "mem:x", "x", "5", "6"),
                mistake(
                        "'--' is missing in front of the command './serve': baton elect NAME -- CMD",
                        "elect",
                        "x",
                        "./serve"),
                mistake("expected one of [bash, zsh]", "completion", "fish"),
                mistake("one argument too many: 'b'", "elect", "--resume", "a", "b"),
                mistake("did you mean '--timeout'?", "lock", "--tiemout=10s", "x", "--", "true"),
                mistake("NAME", "queue"),
                mistake("'--frobnicate'", "lock", "--frobnicate", "x", "--", "true"),
                mistake("behind '--'", "lock", "orders"),
                mistake("behind '--'", "lock", "orders", "--"),
                mistake("NAME", "lock", "--", "true"),
                mistake("must not be empty", "lock", "", "--", "true"),
                mistake("'--ttl'", "lock", "--ttl", "0s", "orders", "--", "true"),
                mistake("'--ttl'", "lock", "--ttl", "-5s", "orders", "--", "true"),
                mistake("'--grace'", "lock", "--grace", "soon", "orders", "--", "true"),
                mistake("mutually exclusive", "lock", "--try", "--timeout", "1s", "orders", "--", "true"),
                mistake("one process only", "lock", "--connect", "mem:x", "orders", "--", "true"),
                mistake("unknown command 'elct'; did you mean 'elect'?", "elct", "x"),
                mistake("behind '--': baton elect NAME", "elect", "orders"),
                mistake("NAME", "elect", "--", "true"),
                mistake("NAME", "leader"),
                mistake("must not be empty", "leader", ""),
                mistake("must not be empty", "elect", "", "--", "true"),
                mistake("id must not be empty", "elect", "--id", " ", "orders", "--", "true"),
                mistake("id may have 512 bytes", "elect", "--id", "x".repeat(513), "orders", "--", "true"),
                mistake("address may have 512 bytes", "elect", "--advertise", "a\tb", "orders", "--", "true"),
                mistake("'--meta'", "elect", "--meta", "zone", "orders", "--", "true"),
                mistake("key of the metadata", "elect", "--meta", "=x", "orders", "--", "true"),
                mistake("8192 bytes in all", "elect", "--meta", "k=" + "x".repeat(8192), "orders", "--", "true"),
                mistake("did you mean '--advertise'?", "elect", "--advertize", "x", "orders", "--", "true"),
                mistake("runs nothing", "elect", "--hand-over-to", "a", "orders", "--", "true"),
                mistake("runs nothing", "elect", "--hand-over-to", "a", "--at", "/x", "orders"),
                mistake("runs nothing", "elect", "--hand-over-to", "a", "--again", "orders"),
                mistake("must not be empty", "elect", "--hand-over-to", "a", ""),
                mistake("'--priority'", "elect", "--priority", "high", "orders", "--", "true"),
                mistake("priority must be at least 0", "elect", "--priority", "-1", "orders", "--", "true"),
                mistake("must begin with '/'", "leader", "--connect", "zk://h:1/x", "--at", "x", "orders"),
                mistake("must name something", "leader", "--connect", "etcd://h:1/x", "--at", "/", "orders"),
                mistake("must begin with '/'", "elect", "--connect", "zk://h:1/x", "--at", "x", "orders", "--", "true"),
                mistake("one process only", "leader", "--connect", "mem:x", "orders"),
                mistake("one process only", "elect", "--connect", "mem:x", "orders", "--", "true"),
                mistake("say what to do: status, clear or wake", "standby"),
                mistake("'status'?", "standby", "sattus"),
                mistake("NAME", "standby", "clear"),
                mistake("must not be empty", "standby", "status", ""),
                mistake("one process only", "standby", "wake", "--connect", "mem:x", "orders"),
                mistake("say what to do: get, set,", "config"),
                mistake("unknown command 'histroy'; did you mean 'history'", "config", "histroy"),
                mistake("say what to do: status, promote or abort", "config", "canary"),
                mistake("'abort'?", "config", "canary", "abrot"),
                mistake("KEY", "config", "get"),
                mistake("one argument too many: 'y'", "config", "get", "x", "y"),
                mistake("did you mean '--reveal'?", "config", "get", "--revael", "x"),
                mistake("say what to set", "config", "set"),
                mistake("'timeout' has no value", "config", "set", "timeout"),
                mistake("'timeout' has 2 values", "config", "set", "timeout", "5", "s"),
                mistake("argument 2 is no KEY=VALUE", "config", "set", "a=1", "b"),
                mistake("'a' is set twice", "config", "set", "a=1", "a=2"),
                mistake("what 'a' names behind '@'", "config", "set", "a", "@/nowhere/file"),
                mistake("argument 3; did you mean '--expect'?", "config", "set", "a", "b", "--expcet", "3"),
                mistake("argument 1; did you mean '--secret'?", "config", "set", "--secrte", "a", "b"),
                mistake("'--expect'", "config", "set", "a", "b", "--expect", "new"),
                mistake("--expect goes with one key", "config", "set", "a=1", "b=2", "--expect", "3"),
                mistake("mutually exclusive", "config", "set", "a", "b", "--secret", "--not-secret"),
                mistake("'--canary'", "config", "set", "a", "b", "--canary", "101%"),
                mistake("'--canary'", "config", "set", "a", "b", "--canary", "0"),
                mistake("'--label'", "config", "set", "a", "b", "--canary", "5%", "--label", "zone"),
                mistake("go with --canary", "config", "set", "a", "b", "--label", "zone=a"),
                mistake("go with --canary", "config", "set", "a", "b", "--promote-after", "5s"),
                mistake("KEY", "config", "delete"),
                mistake("--limit must be", "config", "history", "--limit", "0"),
                mistake("--count must be", "config", "watch", "--count", "-1"),
                mistake("--exact goes with a key", "config", "watch", "--exact"),
                mistake("FROM", "config", "diff", "x"),
                mistake("CHANGE", "config", "rollback", "yesterday"),
                mistake("CHANGE", "config", "rollback"),
                mistake("[json, yaml, properties]", "config", "export", "--format", "xml"),
                mistake("there is no such file: '/nowhere/x.json'", "config", "import", "/nowhere/x.json"),
                mistake("does not tell the format: say --format json, yaml", "config", "import", "/dev/fd/63"),
                mistake("does not tell the format", "config", "import", "--delete-missing", "/nowhere/x.json.bak"),
                mistake("tree 'a/b' may hold", "config", "list", "--space", "a/b", "--connect", "zk://h:1/x"),
                mistake("one process only", "config", "list", "--connect", "mem:x"),
                mistake("one process only", "ls", "--connect", "mem:x"),
                mistake("one process only", "status", "--connect", "mem:x"),
                mistake("one process only", "doctor", "--connect", "mem:x"),
                mistake("expected one of [locks, rwlocks, semaphores, elections, configurations]", "ls", "lock"),
                mistake("--limit must be at least 1", "ls", "--limit", "0"),
                mistake("--after goes with a kind", "ls", "--after", "x"),
                mistake("must not be empty", "ls", "locks", "--after", ""),
                mistake("one argument too many: 'b'", "ls", "locks", "b"),
                mistake("'--interval'", "ls", "--watch", "--interval", "0s"),
                mistake("unknown command 'sl'", "sl"),
                mistake(
                        "options stand behind the command, as in 'baton ls --connect ...'",
                        "--connect",
                        "zk://h/x",
                        "ls"),
                mistake("unknown option '--conect'", "--conect", "zk://h/x", "ls"),
                mistake("unknown command 'docter'; did you mean 'doctor'?", "docter"),
                mistake("'--ttl'", "doctor", "--ttl", "soon"),
                mistake("--admin-port must be between 1 and 65535", "doctor", "--admin-port", "0"),
                mistake("'--admin-port'", "doctor", "--admin-port", "http"),
                mistake("'--ttl'", "status", "--ttl", "-1s"),
                mistake("no servers", "status", "--connect", "zk:///x"),
                mistake("'h:99999' is not host:port", "doctor", "--connect", "etcd://h:99999/x"),
                mistake("one process only", "demo", "--connect", "mem:x"),
                mistake("'--port'", "server", "--port", "http"),
                mistake("between 0 and 65535", "server", "--port", "65536"),
                mistake("at most 60s", "server", "--tick", "2m"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void run_commandLineWithoutSense_saysWhyInOneLine(String why, String[] args) {
        Captured run = Captured.run(args);
        assertThat(run.status()).isEqualTo(Exit.USAGE);
        assertThat(run.err()).startsWith("baton: ").contains(why);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void run_commandThatDoesNotExist_doesNotWaitForTheLock() {
        Captured run = Captured.run("lock", "--connect", "zk://127.0.0.1:1", "orders", "--", "no-such-command");
        assertThat(run.status()).isEqualTo(Exit.NOT_FOUND);
        assertThat(run.err()).isEqualTo("baton: cannot start 'no-such-command': not found in PATH\n");
    }

    @Test
    void run_commandThatDoesNotExist_doesNotStandForElection() {
        Captured run = Captured.run("elect", "--connect", "zk://127.0.0.1:1", "orders", "--", "no-such-command");
        assertThat(run.status()).isEqualTo(Exit.NOT_FOUND);
        assertThat(run.err()).isEqualTo("baton: cannot start 'no-such-command': not found in PATH\n");
    }

    @Test
    void run_commandThatIsNoProgram_doesNotWaitForTheLock() {
        Captured run = Captured.run("lock", "--connect", "zk://127.0.0.1:1", "orders", "--", "/");
        assertThat(run.status()).isEqualTo(Exit.CANNOT_START);
        assertThat(run.err()).isEqualTo("baton: cannot start '/': it is a directory\n");
    }

    @Test
    void run_help_isThatOfTheCommand() {
        assertThat(Captured.run("help", "config", "set").out())
                .isEqualTo(Captured.run("config", "set", "--help").out())
                .contains("Usage: baton config set");
        assertThat(Captured.run("help").out()).isEqualTo(Captured.run("--help").out());
        assertThat(Captured.run("help", "lcok").err()).contains("did you mean 'lock'?");
    }

    @Test
    void help_textsOfSeveralLines_fitTheirColumns() {
        assertFits(Main.line(io.baton.cli.Arguments.split(List.of())));
    }

    @Test
    void run_withoutACommand_namesAllThatThereAre() {
        assertThat(Captured.run().err()).contains(commands()).contains(" or completion (see");
    }

    @Test
    void guide_tableOfCommands_hasAllThatThereAre() throws IOException {
        String guide = Files.readString(Path.of("..", "docs", "guide", "command.md"));
        List<String> rows = Pattern.compile("^\\| \\[`([a-z-]+)`]", Pattern.MULTILINE)
                .matcher(guide)
                .results()
                .map(row -> row.group(1))
                .toList();
        assertThat(rows).containsExactlyInAnyOrderElementsOf(commands());
    }

    private static Set<String> commands() {
        return Main.line(io.baton.cli.Arguments.split(List.of()))
                .getSubcommands()
                .keySet();
    }

    @Test
    void line_subcommands_haveTheirOwnNames() {
        assertNamed(Main.line(io.baton.cli.Arguments.split(List.of())));
    }

    /** The name under which one is made is that of its help. */
    private static void assertNamed(CommandLine line) {
        line.getSubcommands().forEach((name, each) -> {
            assertThat(each.getCommand()
                            .getClass()
                            .getAnnotation(CommandLine.Command.class)
                            .name())
                    .isEqualTo(name);
            assertNamed(each);
        });
    }

    @Test
    void line_subcommandCalled_isMadeAlone() {
        CommandLine baton = Main.line(io.baton.cli.Arguments.split(List.of("config", "get", "timeout")));
        assertThat(baton.getSubcommands()).containsOnlyKeys("config");
        assertThat(baton.getSubcommands().get("config").getSubcommands()).containsOnlyKeys("get");
    }

    private static void assertFits(CommandLine line) {
        CommandSpec spec = line.getCommandSpec();
        for (String[] text :
                List.of(spec.usageMessage().description(), spec.usageMessage().footer())) {
            if (text.length > 1) {
                assertThat(text)
                        .as(spec.qualifiedName())
                        .allSatisfy(each -> assertThat(each).hasSizeLessThan(Main.HELP_COLUMNS));
            }
        }
        line.getSubcommands().values().forEach(MainTest::assertFits);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "lock ",
                "queue ",
                "elect ",
                "leader ",
                "release-request ",
                "evict ",
                "semaphore ",
                "semaphore resize ",
                "standby ",
                "standby status ",
                "standby clear ",
                "standby wake ",
                "server ",
                "demo ",
                "ls ",
                "status ",
                "doctor ",
                "completion ",
                "config ",
                "config set ",
                "config get ",
                "config delete ",
                "config list ",
                "config watch ",
                "config history ",
                "config diff ",
                "config rollback ",
                "config status ",
                "config export ",
                "config import ",
                "config canary "
            })
    void run_help_goesToStdout(String command) {
        Captured run = Captured.run((command + "--help").split(" ", -1));
        assertThat(run.status()).isZero();
        assertThat(run.out()).contains("Usage: baton " + command);
        assertThat(run.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(110));
        assertThat(run.err()).isEmpty();
    }

    @Test
    void run_version_isOneLine() {
        Captured run = Captured.run("--version");
        assertThat(run.status()).isZero();
        assertThat(run.out()).startsWith("baton ").hasLineCount(1);
    }

    private static Arguments mistake(String why, String... args) {
        return arguments(why, args);
    }

    private static Arguments mistakeOfLock(String why, String... args) {
        var line = new ArrayList<>(List.of("lock", "--connect", "zk://h:1"));
        line.addAll(List.of(args));
        line.addAll(List.of("--", "true"));
        return mistake(why, line.toArray(String[]::new));
    }

    /** A status file is of the end of a command, and those run none. */
    @Test
    void elect_statusFileWithoutACommand_isRefusedInTheFile(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("status");
        for (List<String> what : List.of(List.of("--pause"), List.of("--hand-over-to", "n2"))) {
            Files.deleteIfExists(file);
            List<String> line =
                    new ArrayList<>(List.of("elect", "--connect", "mem:x", "--status-file", "" + file, "d"));
            line.addAll(what);

            int status = Main.run(line);

            assertThat(status).isEqualTo(Exit.USAGE);
            assertThat(file).content().contains("\nstatus=64\n").contains("runs none");
        }
    }
}
