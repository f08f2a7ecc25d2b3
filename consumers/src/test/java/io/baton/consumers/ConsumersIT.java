package io.baton.consumers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.baton.testkit.etcd.LocalEtcd;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Users' projects build, and their tests pass, with Baton from a repository. */
@Tag("etcd")
class ConsumersIT {

    private static final Path TARGET = Path.of("target").toAbsolutePath();
    private static final Path JAVA = Path.of(System.getProperty("java.home"));
    private static final Path JDKS = Path.of("/usr/lib/jvm");
    private static final Pattern RELEASE = Pattern.compile("^JAVA_VERSION=\"(\\d+)", Pattern.MULTILINE);

    private static final Map<String, String> VERSIONS = new HashMap<>();

    private static LocalRepository repository;
    private static LocalZooKeeper zookeeper;
    private static LocalEtcd etcd;

    @BeforeAll
    static void publish() throws IOException {
        var versions = new Properties();
        try (InputStream in = ConsumersIT.class.getResourceAsStream("/versions.properties")) {
            versions.load(in);
        }
        versions.stringPropertyNames().forEach(name -> VERSIONS.put(name, versions.getProperty(name)));
        Path work = Files.createTempDirectory(TARGET, "repository-");
        Path machine = Path.of(System.getProperty("maven.repo.local", System.getProperty("localRepository")));
        repository = LocalRepository.make(work, machine, TARGET.resolve("../..").normalize(), VERSIONS.get("baton.version"));
        zookeeper = LocalZooKeeper.start();
        etcd = LocalEtcd.start();
    }

    @AfterAll
    static void stop() {
        etcd.close();
        zookeeper.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"spring-boot.version", "spring-boot-3.version"})
    void springBoot_withActuatorCuratorAndJetcd_startsAndLocks(String boot) throws Exception {
        UserProject project = project("spring-boot", boot, Map.of("spring-boot.version", VERSIONS.get(boot)));

        assertPasses(project, JAVA, 5);
    }

    @Test
    void junit5_withTheTestkit_findsTheTests() throws Exception {
        UserProject project = project("junit", "5", Map.of("junit.version", VERSIONS.get("junit-5.version")));

        assertPasses(project, JAVA, 2);
    }

    @Test
    @Tag("long")
    void junit6_withTheTestkit_findsTheTests() throws Exception {
        assertPasses(project("junit", "6", Map.of()), JAVA, 2);
    }

    @Test
    @Tag("long")
    void modulePath_everyArtifact_isAModule() throws Exception {
        assertPasses(project("module-path", "", Map.of()), JAVA, 6);
    }

    @Test
    @Tag("long")
    void withoutTheBom_bothStores_workTogether() throws Exception {
        assertPasses(project("without-bom", "", Map.of()), JAVA, 3);
    }

    @Test
    @Tag("long")
    void newestJdk_springBoot_startsAndLocks() throws Exception {
        assertPasses(project("spring-boot", "newest-jdk", Map.of()), newestJdk(), 5);
    }

    private static UserProject project(String name, String variant, Map<String, String> values) throws IOException {
        var all = new HashMap<>(VERSIONS);
        all.putAll(values);
        Path work = Files.createTempDirectory(TARGET, name + "-" + variant + "-");
        return UserProject.copy(Path.of("projects", name).toAbsolutePath(), work, all);
    }

    private static void assertPasses(UserProject project, Path java, int tests) throws Exception {
        int status = project.test(
                Path.of(System.getProperty("maven.home")),
                java,
                repository,
                Map.of(
                        "ZOOKEEPER_STORE", zookeeper.uri(),
                        "ZOOKEEPER_SERVERS", zookeeper.connectString(),
                        "ETCD_STORE", etcd.uri("consumer"),
                        "ETCD_ENDPOINT", etcd.endpoint()));

        assertThat(status).as(project.log()).isZero();
        assertThat(project.tests()).isEqualTo(tests);
    }

    /** The JDK 25, or a newer one, that this machine has beside that of this test. */
    private static Path newestJdk() throws IOException {
        try (Stream<Path> all = Files.exists(JDKS) ? Files.list(JDKS) : Stream.empty()) {
            Optional<Path> newest = all.filter(jdk -> feature(jdk) >= 25).max(Comparator.comparing(ConsumersIT::feature));
            assumeThat(newest).as("a JDK 25 or newer below " + JDKS).isPresent();
            return newest.orElseThrow();
        }
    }

    /** The number of the Java version of a JDK; 0 if it is none. */
    private static int feature(Path jdk) {
        if (!Files.isExecutable(jdk.resolve("bin/javac"))) {
            return 0;
        }
        try {
            return RELEASE.matcher(Files.readString(jdk.resolve("release")))
                    .results()
                    .mapToInt(found -> Integer.parseInt(found.group(1)))
                    .findFirst()
                    .orElse(0);
        } catch (IOException unknown) {
            return 0;
        }
    }
}
