package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every document says what is so: its links lead somewhere, the types and tests that it names exist, and its lines can be read. */
class DocumentsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final int WIDEST = 120;

    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");
    private static final Pattern TEST = Pattern.compile("([A-Z]\\w*[a-z](?:Test|IT))(?:\\.\\w+)?");
    private static final Pattern TYPE = Pattern.compile("(?<![\\w./*-])([A-Z][a-z]+(?:[A-Z][a-z0-9]+)+)(?![\\w*/-])");
    private static final Pattern DECLARED = Pattern.compile("\\b(?:class|interface|record|enum) (\\w+)");
    private static final Pattern COMMAND =
            Pattern.compile("(?:\\./[a-z]+|(?:benchmarks|cluster-chaos|tools)/[a-z]+)(?= |$)");
    private static final Pattern RUN_TEST = Pattern.compile("(?<=[ '])[A-Z]\\w*[a-z][\\w*.…]*");

    /** A number with its unit, or a unit in the head of a table. */
    private static final Pattern FIGURE =
            Pattern.compile("\\d ?(?:ns|µs|ms|s|min|MB|/s|%|x)(?!\\w)|\\| (?:ms|s|MB), |, (?:ms|s|MB) \\|");

    private static final Pattern FENCE = Pattern.compile("^```.*?^```", Pattern.DOTALL | Pattern.MULTILINE);

    /** Of other projects, which the documents speak of. */
    private static final Set<String> FOREIGN = Set.of(
            "AutoCloseable",
            "BigDecimal",
            "BigInteger",
            "CachedAtomicLong",
            "CancelLeadershipException",
            "ClientBuilder",
            "CompletableFuture",
            "CompletionStage",
            "ConnectionStateListener",
            "ContainerManager",
            "CuratorCache",
            "CuratorCacheImpl",
            "CuratorFramework",
            "DistributedAtomicInteger",
            "DistributedAtomicLong",
            "DistributedAtomicValue",
            "DistributedBarrier",
            "DistributedDoubleBarrier",
            "DistributedQueue",
            "ExpiryQueue",
            "GroupMember",
            "IllegalArgumentException",
            "IllegalMonitorStateException",
            "InterProcessMultiLock",
            "InterProcessMutex",
            "InterProcessReadWriteLock",
            "InterProcessSemaphore",
            "InterProcessSemaphoreMutex",
            "InterProcessSemaphoreV2",
            "InterruptedException",
            "LeaderKey",
            "LeaderLatch",
            "LeaderSelector",
            "LeaderZooKeeperServer",
            "LocalDate",
            "MeterFilter",
            "NodeCache",
            "PathChildrenCache",
            "PersistentNode",
            "PersistentTtlNode",
            "PersistentWatcher",
            "PutOption",
            "NullMarked",
            "ReadOnlySafe",
            "RetryPolicy",
            "RuntimeException",
            "ServiceDiscovery",
            "ServiceLoader",
            "SessionTrackerImpl",
            "SharedCount",
            "SharedValue",
            "SnapshotCatchUpEntries",
            "TestingServer",
            "TreeCache",
            "WatchImpl",
            "ZoneId",
            "ZooKeeperServer");

    private record Document(Path file, String text) {

        static Document read(Path file) {
            try {
                return new Document(file, Files.readString(file));
            } catch (IOException broken) {
                throw new IllegalStateException("cannot read " + file, broken);
            }
        }

        /** What people read, without blocks of code. */
        String prose() {
            return FENCE.matcher(text).replaceAll("");
        }

        List<String> code() {
            return TestNames.groups(CODE, prose());
        }

        /** The commands of this project that it shows, in blocks or within sentences. */
        List<String> commands() {
            Stream<String> blocks =
                    FENCE.matcher(text).results().flatMap(block -> block.group().lines());
            return Stream.concat(blocks, code().stream())
                    .map(line -> line.strip().replaceFirst("^\\$ ", "")) // of a prompt
                    .filter(line -> COMMAND.matcher(line).lookingAt())
                    .toList();
        }

        /** From each heading to the next one, of whatever level. */
        List<Document> sections() {
            var sections = new ArrayList<Document>();
            var section = new StringBuilder();
            boolean block = false;
            for (String line : text.lines().toList()) {
                block ^= line.startsWith("```");
                if (!block && line.startsWith("#")) {
                    sections.add(new Document(file, section.toString()));
                    section.setLength(0);
                }
                section.append(line).append('\n');
            }
            sections.add(new Document(file, section.toString()));
            return sections;
        }

        Set<String> anchors() {
            return prose().lines()
                    .filter(line -> line.startsWith("#"))
                    .map(Document::anchor)
                    .collect(Collectors.toSet());
        }

        /** As it is made of a heading where documents are shown. */
        private static String anchor(String heading) {
            String plain = heading.replaceAll("^#+", "").strip().toLowerCase(Locale.ROOT);
            return plain.replaceAll("[^\\w\\- ]", "").replace(' ', '-');
        }

        String at(String what) {
            return ROOT.relativize(file) + ": " + what;
        }
    }

    @Test
    void documents_everyLink_leadsSomewhere() throws IOException {
        var dead = new ArrayList<String>();
        for (Document document : documents()) {
            for (String link : TestNames.groups(LINK, document.prose())) {
                if (!link.matches("https?:.*") && !leadsSomewhere(document, link)) {
                    dead.add(document.at(link));
                }
            }
        }

        assertThat(dead).isEmpty();
    }

    private static boolean leadsSomewhere(Document from, String link) {
        String[] parts = link.split("#", 2);
        Path to = parts[0].isEmpty()
                ? from.file()
                : from.file().resolveSibling(parts[0]).normalize();
        return Files.exists(to)
                && (parts.length == 1 || Document.read(to).anchors().contains(parts[1]));
    }

    @Test
    void documents_everyTestTheyName_exists() throws IOException {
        TestNames tests = TestNames.below(ROOT);

        assertThat(unknown(TEST, code -> TEST.matcher(code).matches(), tests::have))
                .isEmpty();
    }

    @Test
    void documents_everyCommandTheyShow_isThereAndSoIsEachTestThatItRuns() throws IOException {
        TestNames tests = TestNames.below(ROOT);
        var wrong = new ArrayList<String>();
        for (Document document : documents()) {
            for (String command : document.commands()) {
                String program = command.split(" ", 2)[0];
                boolean there = Files.isRegularFile(ROOT.resolve(program));
                boolean runsTests = program.equals("tools/test");
                List<String> unknown = RUN_TEST.matcher(runsTests ? command.replaceAll(" +# .*", "") : "")
                        .results()
                        .map(MatchResult::group)
                        .filter(name -> !tests.have(name))
                        .toList();
                if (!there || !unknown.isEmpty()) {
                    wrong.add(document.at(command + " " + unknown));
                }
            }
        }

        assertThat(wrong).isEmpty();
    }

    @Test
    void figures_ofEachSection_standBesideTheCommandThatMadeThem() throws IOException {
        List<Document> measured = documents().stream()
                .filter(document -> document.at("").matches("docs/(measurements/.*|internals/verification)\\.md: "))
                .flatMap(document -> document.sections().stream())
                .filter(section -> FIGURE.matcher(section.prose()).find())
                .toList();
        assertThat(measured).hasSizeGreaterThan(10);

        assertThat(measured)
                .filteredOn(section -> section.commands().isEmpty())
                .extracting(
                        section -> section.at(section.text().lines().findFirst().orElse("")))
                .isEmpty();
    }

    @Test
    void documents_everyTypeTheyName_exists() throws IOException {
        Set<String> declared = declared();
        assertThat(declared).hasSizeGreaterThan(500);

        assertThat(unknown(
                        TYPE,
                        code -> !TEST.matcher(code).matches(),
                        type -> declared.contains(type) || FOREIGN.contains(type)))
                .isEmpty();
    }

    /** What matches in pieces of code of a kind, and is not known. */
    private static List<String> unknown(Pattern what, Predicate<String> kind, Predicate<String> known)
            throws IOException {
        return documents().stream()
                .flatMap(document -> document.code().stream()
                        .filter(kind)
                        .flatMap(code -> what.matcher(code).results().map(found -> found.group()))
                        .filter(name -> !known.test(name))
                        .map(document::at))
                .toList();
    }

    @Test
    void documents_everyLineOutsideTables_fitsInto120Columns() throws IOException {
        var wide = new ArrayList<String>();
        for (Document document : documents()) {
            document.text()
                    .lines()
                    .filter(line ->
                            line.length() > WIDEST && !line.stripLeading().startsWith("|"))
                    .map(document::at)
                    .forEach(wide::add);
        }

        assertThat(wide).isEmpty();
    }

    /** A row that was cut off looks like a row of fewer cells. */
    @Test
    void documents_everyRowOfATable_endsAsItBegins() throws IOException {
        var cut = new ArrayList<String>();
        for (Document document : documents()) {
            document.text()
                    .lines()
                    .filter(line ->
                            line.startsWith("|") && !line.stripTrailing().endsWith("|"))
                    .map(document::at)
                    .forEach(cut::add);
        }

        assertThat(cut).isEmpty();
    }

    private static List<Document> documents() throws IOException {
        List<Document> documents = files(".md").map(Document::read).toList();
        assertThat(documents).hasSizeGreaterThan(30);
        return documents;
    }

    private static Set<String> declared() throws IOException {
        var declared = new TreeSet<String>();
        files(".java")
                .map(Document::read)
                .forEach(source -> declared.addAll(TestNames.groups(DECLARED, source.text())));
        return declared;
    }

    /** Files of this project, and none that a build has made. */
    private static Stream<Path> files(String ending) throws IOException {
        var found = new ArrayList<Path>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                // A build of another module makes and deletes files in its own meanwhile.
                return folder.equals(ROOT) || ours(folder) ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(ending)) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found.stream();
    }

    private static boolean ours(Path file) {
        String name = file.getFileName().toString();
        return !name.startsWith(".") && !name.equals("target");
    }
}
