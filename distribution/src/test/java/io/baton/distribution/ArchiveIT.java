package io.baton.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.testkit.zookeeper.LocalZooKeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The archive, unpacked in an empty folder of a machine that has a Java runtime and no more than POSIX asks for; and the
 * script of the source tree, where it cannot build.
 */
class ArchiveIT {

    private static final String VERSION = System.getProperty("baton.archive.version");
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    /** The programs that the script and a command of a test use; none of them is a compiler, or Maven. */
    private static final List<String> PROGRAMS = List.of("sh", "readlink", "tr", "sed", "mv", "rm", "sleep", "true");

    @TempDir
    static Path unpacked;

    @TempDir
    Path directory;

    private static Path home;
    private Path path;

    private record Ended(int status, String out, String err) {}

    @BeforeAll
    static void unpack() throws Exception {
        Path folder = Files.createDirectory(unpacked.resolve("with a blank"));
        Process tar = new ProcessBuilder(
                        "tar", "-xzf", System.getProperty("baton.archive.file"), "-C", folder.toString())
                .inheritIO()
                .start();
        assertThat(tar.waitFor()).isZero();
        home = folder.resolve("baton-" + VERSION);
    }

    @BeforeEach
    void linkPrograms() throws IOException {
        path = Files.createDirectory(directory.resolve("path"));
        for (String program : PROGRAMS) {
            Files.createSymbolicLink(path.resolve(program), find(program));
        }
    }

    /** JUnit warns of each link that leads out of the folder that it deletes. */
    @AfterEach
    void removeLinks() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path link : files.filter(Files::isSymbolicLink).toList()) {
                Files.delete(link);
            }
        }
    }

    private static Path find(String program) {
        return Stream.of("/usr/bin", "/bin")
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void unpacked_hasWhatTheCommandNeedsAndNothingElse() throws IOException {
        assertThat(names(home)).containsExactlyInAnyOrder("LICENSE", "README.md", "bin", "completions", "lib");
        assertThat(names(home.resolve("bin"))).containsExactly("baton");
        assertThat(names(home.resolve("completions"))).containsExactlyInAnyOrder("baton.bash", "baton.zsh");
        assertThat(names(home.resolve("lib")))
                .contains("baton-cli-" + VERSION + ".jar", "java.sh", "status.sh")
                .noneMatch(name -> name.contains("junit") || name.contains("testkit"))
                .allMatch(name -> name.endsWith(".jar") || name.endsWith(".sh"));
        assertThat(home.resolve("completions/baton.bash")).content().contains("complete -F", "--status-file");
    }

    @Test
    void version_isThatOfTheArchive() throws Exception {
        Ended ended = baton(Map.of(), "--version");

        assertThat(ended).isEqualTo(new Ended(0, "baton " + VERSION + "\n", ""));
    }

    @Test
    void help_listsTheCommands() throws Exception {
        Ended ended = baton(Map.of(), "--help");

        assertThat(ended.status()).isZero();
        assertThat(ended.out()).contains("lock", "elect", "config");
        assertThat(ended.err()).isEmpty();
    }

    @Test
    void lock_onZooKeeper_runsTheCommandAsItsHolder() throws Exception {
        try (LocalZooKeeper zookeeper = LocalZooKeeper.start()) {
            Ended ended = baton(
                    Map.of(),
                    List.of("lock", "--connect", zookeeper.uri(), "orders", "--", "sh", "-c", "echo \"$BATON_NAME\""));

            assertThat(ended).isEqualTo(new Ended(0, "orders\n", ""));
        }
    }

    /** One that is not installed, a part of one that is not, and one without an encoding; with and without {@code locale}. */
    @ParameterizedTest
    @CsvSource({
        "LANG=xx_YY.UTF-8, true",
        "LANG=C.UTF-8 LC_TIME=xx_YY.UTF-8, true",
        "LANG=C.UTF-8 LC_CTYPE=UTF-8, true",
        "LC_ALL=C, true",
        "LC_ALL=C.UTF-8, true",
        "LANG=xx_YY.UTF-8, false"
    })
    void lock_anyLocale_namesAndArgumentsArriveAsTheyAre(String locale, boolean told) throws Exception {
        if (told) {
            Files.createSymbolicLink(path.resolve("locale"), find("locale"));
        }
        Files.createSymbolicLink(path.resolve("env"), find("env"));
        Files.createSymbolicLink(path.resolve("od"), find("od"));
        String bytes = "printf '%s ' \"$BATON_NAME\" \"$1\" | od -An -tx1; env | sed -n '/^LC_ALL=/p'";
        // The test itself may run in a locale in which Java cannot pass the name on.
        String script = "u=$(printf '\\303\\274'); exec \"$0\" lock --connect \"$1\" \"$u\" -- sh -c \"$2\" sh \"$u\"";
        try (LocalZooKeeper zookeeper = LocalZooKeeper.start()) {
            linkJava();
            Ended ended = run(
                    path.resolve("sh"),
                    Stream.of(locale.split(" ", -1))
                            .map(each -> each.split("=", 2))
                            .collect(Collectors.toMap(each -> each[0], each -> each[1])),
                    List.of("-c", script, home.resolve("bin/baton").toString(), zookeeper.uri(), bytes));

            String before = locale.startsWith("LC_ALL=") ? locale + "\n" : "";
            assertThat(ended).isEqualTo(new Ended(0, " c3 bc 20 c3 bc 20\n" + before, ""));
        }
    }

    @Test
    void calledThroughALink_findsItsOwnFolder() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("baton"), home.resolve("bin/baton"));
        linkJava();

        assertThat(run(link, Map.of(), List.of("--version")).status()).isZero();
    }

    @Test
    void noJava_isOneLineThatSaysWhatToDo() throws Exception {
        Ended ended = run(home.resolve("bin/baton"), Map.of(), List.of("--version"));

        assertThat(ended.status()).isEqualTo(72);
        assertThat(ended.err())
                .startsWith("baton: no Java found: install a Java runtime 17 or newer")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--status-file=last status", "--status-file|last status"})
    void noJava_statusFileOfAnEarlierRun_isReplaced(String option) throws Exception {
        Path file = Files.writeString(directory.resolve("last status"), "verdict=command-ended\nstatus=0\n");
        var line = new ArrayList<>(List.of("lock"));
        line.addAll(List.of(option.split("\\|")));
        line.addAll(List.of("orders", "--", "true", "--status-file", "of the command"));

        Ended ended = run(home.resolve("bin/baton"), Map.of(), line);

        assertThat(ended.status()).isEqualTo(72);
        assertThat(file).content().startsWith("verdict=no-java\nstatus=72\ncommand=\ntoken=\nmessage=no Java found: ");
        assertThat(names(directory)).containsExactlyInAnyOrder("path", "out", "err", "last status");
    }

    @Test
    void jvmDoesNotStart_statusFileOfAnEarlierRun_isReplaced() throws Exception {
        Path file = Files.writeString(directory.resolve("status"), "verdict=command-ended\nstatus=0\n");

        Ended ended = baton(
                Map.of("BATON_JAVA_OPTS", "-XX:NoSuchOption"),
                List.of("lock", "--status-file", file.toString(), "orders", "--", "true"));

        assertThat(ended.status()).isEqualTo(1);
        assertThat(file).content().isEqualTo("verdict=started\nstatus=\ncommand=\ntoken=\nmessage=\n");
    }

    @Test
    void oldJava_isOneLineThatSaysWhatToDo() throws Exception {
        Path old = fakeJava("old", "exit 1");
        Files.writeString(old.resolve("release"), "IMPLEMENTOR=\"Somebody\"\nJAVA_VERSION=\"11.0.2\"\n");

        Ended ended = baton(Map.of("JAVA_HOME", old.toString()), "--version");

        assertThat(ended.status()).isEqualTo(72);
        assertThat(ended.err())
                .contains(" is Java 11: install a Java runtime 17 or newer")
                .hasLineCount(1);
    }

    @Test
    void javaWithoutAReleaseFile_isAsked() throws Exception {
        Path plain = fakeJava("plain", "exec '" + JAVA + "' \"$@\"");

        Ended ended = baton(Map.of("JAVA_HOME", plain.toString()), "--version");

        assertThat(ended).isEqualTo(new Ended(0, "baton " + VERSION + "\n", ""));
    }

    @Test
    @Tag("long")
    void cds_folderIsThere_keepsClassesForLaterStarts() throws Exception {
        Path cds = Files.createDirectory(home.resolve("cds"));
        try {
            Ended first = baton(Map.of(), "--version");
            Ended second = baton(Map.of("BATON_JAVA_OPTS", "-Xshare:on"), "--version");

            assertThat(first.status()).isZero();
            assertThat(first.err())
                    .startsWith("baton: preparing a faster start")
                    .hasLineCount(1);
            assertThat(names(cds)).hasSize(1).allMatch(name -> name.endsWith(".jsa"));
            assertThat(second).isEqualTo(new Ended(0, "baton " + VERSION + "\n", ""));
        } finally {
            for (String file : names(cds)) {
                Files.delete(cds.resolve(file));
            }
            Files.delete(cds);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "no java, no-java, no Java found: install a JDK 17",
        "no maven, cannot-build, mvn not found",
        "a build that fails, cannot-build, the build failed; all of its output: "
    })
    void sourceTreeThatCannotBeBuilt_statusFileOfAnEarlierRun_isReplaced(String what, String verdict, String why)
            throws Exception {
        Path sources = Path.of("..");
        Path tree = Files.createDirectory(directory.resolve("tree"));
        Path script = Files.copy(sources.resolve("baton"), tree.resolve("baton"), StandardCopyOption.COPY_ATTRIBUTES);
        String lib = "distribution/src/archive/lib";
        Files.createDirectories(tree.resolve(lib));
        for (String part : names(sources.resolve(lib))) {
            Files.copy(sources.resolve(lib).resolve(part), tree.resolve(lib).resolve(part));
        }
        for (String program : List.of("mkdir", "ln", "date", "tail")) {
            Files.createSymbolicLink(path.resolve(program), find(program));
        }
        if (!what.equals("no java")) {
            linkJava();
        }
        if (what.equals("a build that fails")) {
            Files.createSymbolicLink(path.resolve("mvn"), fakeProgram(directory.resolve("mvn"), "exit 1"));
        }
        Path file = Files.writeString(directory.resolve("status"), "verdict=command-ended\nstatus=0\n");

        Ended ended = run(script, Map.of(), List.of("lock", "--status-file", file.toString(), "orders", "--", "true"));

        assertThat(ended.status()).isEqualTo(72);
        assertThat(ended.err()).contains("baton: " + why);
        assertThat(file).content().startsWith("verdict=" + verdict + "\nstatus=72\ncommand=\ntoken=\nmessage=" + why);
    }

    private Path fakeJava(String name, String does) throws IOException {
        Path java = directory.resolve(name);
        fakeProgram(Files.createDirectories(java.resolve("bin")).resolve("java"), does);
        return java;
    }

    private static Path fakeProgram(Path script, String does) throws IOException {
        Files.writeString(script, "#!/bin/sh\n" + does + "\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }

    private Ended baton(Map<String, String> environment, String... args) throws Exception {
        return baton(environment, List.of(args));
    }

    private Ended baton(Map<String, String> environment, List<String> args) throws Exception {
        linkJava();
        return run(home.resolve("bin/baton"), environment, args);
    }

    private void linkJava() throws IOException {
        if (!Files.exists(path.resolve("java"))) {
            Files.createSymbolicLink(path.resolve("java"), JAVA);
        }
    }

    private Ended run(Path script, Map<String, String> environment, List<String> args) throws Exception {
        var line = new ArrayList<>(List.of(script.toString()));
        line.addAll(args);
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(directory.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", path.toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as(line.toString())
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
