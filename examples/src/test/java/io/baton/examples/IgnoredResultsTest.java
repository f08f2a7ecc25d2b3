package io.baton.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Error Prone says of a program that ignores what it was given. */
class IgnoredResultsTest {

    private static final Pattern REFUSED = Pattern.compile("Ignoring\\.java:(\\d+): error: \\[CheckReturnValue]");

    /** Each line marked with {@code NO} ignores what it must not ignore; the others may. */
    private static final String PROGRAM = """
            import io.baton.*;
            import io.baton.config.*;
            import io.baton.election.*;
            import java.time.Duration;
            import java.util.List;

            class Ignoring {

                static final Duration SOON = Duration.ofSeconds(1);

                void coordinator(Coordinator baton, Hold hold, Op op) throws Exception {
                    Coordinator.connect("mem:x"); // NO
                    baton.transact(List.of(), List.of(op)); // NO
                    baton.transactAsync(List.of(), List.of(op)); // NO
                    Guard.held(hold); // NO
                    Op.put(op.key(), "text"); // NO
                    CoordinatorOptions.builder().build(); // NO
                    baton.onState(state -> {});
                    hold.onLost(() -> {});
                    hold.releaseAsync();
                }

                void lock(DistributedLock lock) throws Exception {
                    lock.acquire(); // NO
                    lock.tryAcquire(); // NO
                    lock.tryAcquire(SOON); // NO
                    lock.acquireAsync(); // NO
                    lock.asLock().tryLock(); // NO
                    lock.runIfAcquired(SOON, hold -> {});
                }

                void records(Records records, Item item) throws Exception {
                    records.get("a"); // NO
                    records.list(""); // NO
                    records.create("a", "text"); // NO
                    records.create("a", new byte[0]); // NO
                    records.compareAndSet(item, "text"); // NO
                    records.compareAndSet(item, new byte[0]); // NO
                    records.observe("", null); // NO
                    records.put("a", "text");
                }

                void election(LeaderElection election, Candidacy me, LeaderObserver observer) throws Exception {
                    election.observe(); // NO
                    election.handOverAsync("a", SOON); // NO
                    me.handOverAsync("a", SOON); // NO
                    observer.awaitLeader(SOON); // NO
                    election.run(Candidate.of("a"), leadership -> {});
                    me.onChange(state -> {});
                    me.resign();
                }

                void configuration(ConfigStore store, LiveConfig config) throws Exception {
                    store.edit(); // NO
                    store.rollback(1); // NO
                    store.edit().put("a", "b").commitAsync(); // NO
                    config.binding("a", String.class); // NO
                    config.awaitRevision(1, SOON); // NO
                    store.edit().put("a", "b").commit();
                }
            }
            """;

    @TempDir
    Path directory;

    @Test
    void errorProne_ignoredResults_areRefused() throws Exception {
        Path source = Files.writeString(directory.resolve("Ignoring.java"), PROGRAM);

        String said = compile(source);

        SortedSet<Integer> refused = new TreeSet<>();
        Matcher lines = REFUSED.matcher(said);
        while (lines.find()) {
            refused.add(Integer.parseInt(lines.group(1)));
        }
        assertThat(refused).as(said).isEqualTo(marked());
    }

    private static SortedSet<Integer> marked() {
        List<String> lines = PROGRAM.lines().toList();
        SortedSet<Integer> marked = new TreeSet<>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).endsWith("// NO")) {
                marked.add(i + 1);
            }
        }
        return marked;
    }

    /** In a process of its own: Error Prone needs the inside of the compiler, which Maven's JVM is given for the build. */
    private String compile(Path source) throws IOException, InterruptedException {
        String path = System.getProperty("java.class.path");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "javac").toString());
        try (Stream<String> flags = Files.lines(Path.of("..", ".mvn", "jvm.config"))) {
            flags.filter(flag -> flag.startsWith("--add-"))
                    .map(flag -> "-J" + flag)
                    .forEach(command::add);
        }
        command.addAll(List.of("-cp", path, "-processorpath", path, "-d", directory.toString()));
        command.addAll(List.of("-XDcompilePolicy=simple", "--should-stop=ifError=FLOW"));
        command.addAll(List.of("-Xplugin:ErrorProne -XepDisableAllWarnings", source.toString()));
        Process javac = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(javac.getInputStream().readAllBytes(), UTF_8);
        assertThat(javac.waitFor()).as(said).isEqualTo(1);
        return said;
    }
}
