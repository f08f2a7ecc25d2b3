package io.baton.consumers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.baton.testkit.LongRun;
import io.baton.testkit.etcd.LocalEtcd;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Users' projects build, and their tests pass, with Baton from a repository. */
@Tag("etcd")
class ConsumersIT {

    private static final Path TARGET = Path.of("target").toAbsolutePath();
    private static final Path JAVA = Path.of(System.getProperty("java.home"));

    /** A JDK 25, or a newer one, that this machine has besides; see {@code ./verify}. */
    private static final String NEWER = System.getenv("BATON_NEWER_JDK");

    /** Each project with how many tests it has: as many must have run. */
    private static final Map<String, Integer> TESTS = Map.of(
            "spring-boot-4", 5,
            "spring-boot-3", 5,
            "junit-5", 2,
            "junit-6", 2,
            "module-path", 6,
            "without-bom", 7,
            "older-jetcd", 7,
            "jetcd-first", 1);

    /** Those that are tried every day; the others differ from them in versions. */
    private static final Set<String> DAILY = Set.of("junit-6", "module-path");

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
        repository =
                LocalRepository.make(work, machine, TARGET.resolve("../..").normalize(), VERSIONS.get("baton.version"));
        zookeeper = LocalZooKeeper.start();
        etcd = LocalEtcd.start();
    }

    @AfterAll
    static void stop() {
        etcd.close();
        zookeeper.close();
    }

    @Test
    void everyProject_itsTests_pass() throws Exception {
        assertPasses(JAVA, NEWER == null ? JAVA : Path.of(NEWER));
    }

    @Test
    @Tag("long")
    void everyProject_onANewerJdk_pass() throws Exception {
        assumeThat(NEWER).as("BATON_NEWER_JDK").isNotNull();

        assertPasses(Path.of(NEWER), JAVA);
    }

    /** Builds the projects on a JDK; another one runs the tests of the newest Spring Boot. */
    private static void assertPasses(Path java, Path javaOfBoot) throws Exception {
        var projects = new UserProjects(Files.createTempDirectory(TARGET, "projects-"), VERSIONS);
        projects.add(
                "spring-boot-4",
                "spring-boot",
                Map.of("jvm", javaOfBoot.resolve("bin/java").toString()));
        projects.add(
                "spring-boot-3",
                "spring-boot",
                Map.of(
                        "spring-boot.version", VERSIONS.get("spring-boot-3.version"),
                        "jvm", java.resolve("bin/java").toString()));
        projects.add("junit-5", "junit", Map.of("junit.version", VERSIONS.get("junit-5.version")));
        projects.add("junit-6", "junit", Map.of());
        projects.add("module-path", "module-path", Map.of());
        projects.add("without-bom", "without-bom", Map.of());
        projects.add("older-jetcd", "older-jetcd", Map.of());
        projects.add("jetcd-first", "jetcd-first", Map.of());

        int status = projects.test(
                tried(),
                Path.of(System.getProperty("maven.home")),
                java,
                repository,
                Map.of(
                        "ZOOKEEPER_STORE", zookeeper.uri(),
                        "ZOOKEEPER_SERVERS", zookeeper.connectString(),
                        "ETCD_STORE", etcd.uri("consumer"),
                        "ETCD_ENDPOINT", etcd.endpoint()));

        assertThat(status).as(projects.log()).isZero();
        Map<String, Integer> expected = new HashMap<>(TESTS);
        expected.keySet().retainAll(tried());
        assertThat(projects.tests()).isEqualTo(expected);
    }

    private static Set<String> tried() {
        return LongRun.asked() ? TESTS.keySet() : DAILY;
    }
}
