package io.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.StoreUnavailableException;
import io.baton.testkit.database.LocalDatabase;
import io.baton.testkit.database.LocalPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What cannot work is refused, and said why. */
abstract class RefusalsContract {

    static final CoordinatorOptions PATIENT =
            CoordinatorOptions.builder().connectTimeout(Duration.ofSeconds(60)).build();

    /** For what may pass by itself, and so is tried again until then. */
    private static final CoordinatorOptions IMPATIENT =
            CoordinatorOptions.builder().connectTimeout(Duration.ofSeconds(3)).build();

    private static final String CLIENT = "select, insert, update, delete";

    @TempDir
    Path directory;

    abstract LocalDatabase server();

    /** The address of the test's own database, for a user who may do anything. */
    abstract String uri();

    abstract SqlDialect dialect();

    /** What stands between a new user's name and its password. */
    abstract String identifiedBy();

    /** Grants rights on the tables of the test's database. */
    abstract String grant(String rights, String user);

    /** Statements that make a user who may log in, and not use the test's database. */
    abstract List<String> stranger(String user);

    /** Begins or ends that the test's database cannot be written. */
    abstract String readOnly(boolean begins);

    final String database() {
        return uri().replaceFirst(".*/", "").replaceFirst("\\?.*", "");
    }

    final void sql(String... statements) throws SQLException {
        execute(uri(), List.of(statements));
    }

    private static void execute(String uri, List<String> statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(uri);
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    final void createTables() throws SQLException {
        sql(StoreSchema.script(dialect()).strip().split(";\n", -1));
    }

    /** The test's database, for another user, who has no password. */
    final String as(String user) {
        return uri().replaceFirst("user=[a-z]+", "user=" + user);
    }

    /** The test's database, for a user with a password, which a URI cannot have. */
    private String as(String user, String password) throws Exception {
        Path file = directory.resolve("baton.properties");
        Files.writeString(file, "user=" + user + "\npassword=" + password + "\n");
        return uri().replaceFirst("user=[a-z]+", "baton.config=" + file);
    }

    /** At once, and not when the time to connect is over. */
    static void refused(String uri, String... words) {
        refused(uri, PATIENT, words).isNotInstanceOf(StoreUnavailableException.class);
    }

    private static AbstractThrowableAssert<?, ?> refused(String uri, CoordinatorOptions options, String... words) {
        return assertThatThrownBy(() -> Coordinator.connect(uri, options).close())
                .satisfies(refused ->
                        assertThat(refused.toString() + refused.getCause()).contains(words));
    }

    private static void works(String uri) throws InterruptedException {
        try (Coordinator baton = Coordinator.connect(uri, PATIENT)) {
            baton.lock("works").acquire().close();
        }
    }

    @Test
    void connect_tablesMissingAndOnlyVerified_namesTheScript() {
        refused(uri() + "&baton.schema=verify", "tables are missing", dialect().script());
    }

    @Test
    void connect_tablesMadeByTheScript_isVerified() throws Exception {
        createTables();
        works(uri() + "&baton.schema=verify");
    }

    @Test
    void connect_tablesMissingAndNoRightToCreate_namesTheScript() throws Exception {
        sql("create user reader", grant(CLIENT, "reader"));
        refused(as("reader"), "tables are missing", "may not create", dialect().script());
    }

    @Test
    void connect_newerTables_wantsANewerRelease() throws Exception {
        createTables();
        sql("update baton_store set schema_version = 2");
        refused(uri(), "version 2", "newer release");
    }

    /** No release changes tables that are there. */
    @Test
    void connect_olderTables_isRefusedAndLeavesThemAlone() throws Exception {
        createTables();
        sql("update baton_store set schema_version = schema_version - 1");
        refused(uri(), "version 0", "needs 1");
        refused(uri(), "version 0", "needs 1");
    }

    @Test
    void connect_unknownDatabaseOrUser_saysSo() {
        refused(uri().replaceFirst("/t[a-z0-9_]+\\?", "/nowhere?"), "login", "nowhere");
        refused(as("nobody"), "login", "nobody");
    }

    @Test
    void connect_passwordIsWrongOrMissing_saysSo() throws Exception {
        createTables();
        String user = LocalPostgres.GUARDED;
        sql("create user " + user + " " + identifiedBy() + " 'secret'", grant(CLIENT, user));

        refused(as(user, "mistaken"), "login", user);
        refused(as(user), "login", "password");
        works(as(user, "secret"));
    }

    @Test
    void connect_noRightToUseTheDatabase_saysSo() throws Exception {
        execute(uri(), stranger("stranger"));
        refused(as("stranger"), "login", database());
    }

    @Test
    void connect_noRightsOnTheTables_saysWhichAreNeeded() throws Exception {
        createTables();
        sql("create user beholder", grant("select", "beholder"));

        refused(as("beholder"), CLIENT.replace(", delete", " and delete"));
    }

    @Test
    void connect_unprivilegedUserOfItsOwnTables_works() throws Exception {
        createTables();
        sql("create user app", grant(CLIENT, "app"));
        works(as("app"));
    }

    @Test
    void connect_readOnly_saysSoUntilItIsNot() throws Exception {
        createTables();
        execute(server().url(), List.of(readOnly(true)));
        try {
            refused(uri(), IMPATIENT, "read-only").isInstanceOf(StoreUnavailableException.class);
        } finally {
            execute(server().url(), List.of(readOnly(false)));
        }
        works(uri());
    }
}
