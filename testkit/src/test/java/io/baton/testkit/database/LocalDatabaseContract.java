package io.baton.testkit.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.testkit.server.ChildProcess;
import io.baton.testkit.server.Directories;
import io.baton.testkit.server.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What holds of a database server for tests. */
abstract class LocalDatabaseContract<S extends TestServer> {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String directories;

    LocalDatabaseContract(String directories) {
        this.directories = directories;
    }

    abstract S start();

    abstract void kill(S server);

    abstract void restart(S server);

    @Test
    void killRestartAndClose_keepWhatWasCommitted_andLeaveNothingBehind() throws Exception {
        Set<Long> children = children();
        S server = start();
        try {
            String url = server.uri("/a_test_of_this_name-1");
            execute(url, "create table told (word varchar(9))", "insert into told values ('kept')");

            kill(server);
            assertThatThrownBy(() -> execute(url, "select 1")).isInstanceOf(SQLException.class);
            server.serve();

            assertThat(server.uri("/a_test_of_this_name-1")).isEqualTo(url);
            try (Connection connection = DriverManager.getConnection(url);
                    Statement sql = connection.createStatement();
                    ResultSet rows = sql.executeQuery("select word from told")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString(1)).isEqualTo("kept");
            }
            assertThat(directories()).hasSize(1);
        } finally {
            server.close();
        }
        server.close();

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(children()).isEqualTo(children));
        assertThat(directories()).isEmpty();
        assertThatThrownBy(() -> restart(server)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void start_interrupted_leavesNothingBehindAndStaysInterrupted() throws Exception {
        Set<Long> children = children();

        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(this::start).isInstanceOf(IllegalStateException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }

        assertThat(children()).isEqualTo(children);
        assertThat(directories()).isEmpty();
    }

    /** As a test's timeout does, in whose midst the server is closed. */
    @Test
    void close_interrupted_leavesNothingBehindAndStaysInterrupted() throws Exception {
        Set<Long> children = children();
        S server = start();

        Thread.currentThread().interrupt();
        try {
            server.close();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }

        assertThat(directories()).isEmpty();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(children()).isEqualTo(children));
    }

    @Test
    @Tag("long")
    void process_parentIsKilled_endsWithIt() throws Exception {
        Process parent = ChildProcess.small(DatabaseHolder.class, List.of(), List.of(directories))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String[] said = parent.inputReader().readLine().split(" ");
        Path home = Path.of(said[1]);
        try {
            ProcessHandle server = ProcessHandle.of(Long.parseLong(said[0])).orElseThrow();

            parent.destroyForcibly();

            await().atMost(PATIENCE).until(() -> !server.isAlive());
        } finally {
            Directories.delete(home);
        }
    }

    private static void execute(String url, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement sql = connection.createStatement()) {
            for (String each : statements) {
                sql.execute(each);
            }
        }
    }

    private static Set<Long> children() {
        return ProcessHandle.current().descendants().map(ProcessHandle::pid).collect(Collectors.toSet());
    }

    private Set<Path> directories() throws IOException {
        try (var files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().startsWith(Directories.prefix(directories)))
                    .collect(Collectors.toSet());
        }
    }
}
