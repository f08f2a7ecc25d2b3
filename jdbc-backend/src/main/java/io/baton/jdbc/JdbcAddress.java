package io.baton.jdbc;

import io.baton.spi.Guarantees.Survival;
import io.baton.spi.support.SettingsFile;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A database by its URL, which is its driver's but for the parameters of Baton: {@code baton.schema}, {@code
 * baton.acknowledged} and {@code baton.config}. Credentials are read for each connection.
 */
final class JdbcAddress {

    private static final String EXAMPLE = "; it should look like jdbc:postgresql://host/database or"
            + " jdbc:mariadb://host/database, with parameters of its driver, baton.schema=create (or verify),"
            + " baton.acknowledged=primary-disk (or latest-may-be-lost) and baton.config=FILE";

    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(10);

    private static final Pattern HOSTS = Pattern.compile("(jdbc:[^/?]*//)([^/?]+)(.*)");

    private final String url;
    private final StoreSchema schema;
    private final Survival acknowledged;
    private final Supplier<SettingsFile> settings;

    private JdbcAddress(String url, StoreSchema schema, Survival acknowledged, Supplier<SettingsFile> settings) {
        this.url = url;
        this.schema = schema;
        this.acknowledged = acknowledged;
        this.settings = settings;
    }

    /**
     * Reads an address.
     *
     * @throws IllegalArgumentException if it cannot be understood, has a password, or its driver is missing
     */
    static JdbcAddress parse(String uri, Map<String, String> environment) {
        int question = uri.indexOf('?');
        String base = question < 0 ? uri : uri.substring(0, question);
        List<String> drivers = new ArrayList<>();
        StoreSchema schema = StoreSchema.CREATE;
        Survival acknowledged = Survival.PRIMARY_DISK;
        Optional<Path> config = Optional.empty();
        for (String parameter :
                question < 0 ? new String[0] : uri.substring(question + 1).split("&")) {
            String name = parameter.replaceFirst("=.*", "");
            String value = parameter.substring(Math.min(parameter.length(), name.length() + 1));
            if (name.toLowerCase(Locale.ROOT).contains("password")
                    && !name.toLowerCase(Locale.ROOT).contains("file")) {
                throw new IllegalArgumentException("a password does not belong into the store's URI, which others can"
                        + " see: set BATON_JDBC_PASSWORD or BATON_JDBC_PASSWORD_FILE, or name a file by baton.config");
            } else if (name.equals("baton.schema") && (value.equals("create") || value.equals("verify"))) {
                schema = StoreSchema.valueOf(value.toUpperCase(Locale.ROOT));
            } else if (parameter.equals("baton.acknowledged=primary-disk")) {
                acknowledged = Survival.PRIMARY_DISK;
            } else if (parameter.equals("baton.acknowledged=latest-may-be-lost")) {
                acknowledged = Survival.LATEST_MAY_BE_LOST;
            } else if (name.equals("baton.config")) {
                config = Optional.of(Path.of(value));
            } else if (name.startsWith("baton.")) {
                throw new IllegalArgumentException("the store knows no " + parameter + EXAMPLE);
            } else {
                drivers.add(parameter);
            }
        }
        if (!base.matches("jdbc:(postgresql|mariadb|mysql):.+")) {
            throw new IllegalArgumentException("there is no store at " + base + EXAMPLE);
        }
        if (base.contains("@")) {
            throw new IllegalArgumentException("a store's URI cannot have credentials" + EXAMPLE);
        }
        Optional<Path> file = config;
        Supplier<SettingsFile> settings =
                () -> SettingsFile.read(Set.of("user", "password", "password.file"), file, environment, "BATON_JDBC_");
        Object ignored = settings.get().secret("password"); // refuses what is wrong from the beginning
        String url = drivers.isEmpty() ? base : base + "?" + String.join("&", drivers);
        checkDriver(url, base);
        return new JdbcAddress(url, schema, acknowledged, settings);
    }

    private static void checkDriver(String url, String base) {
        try {
            Object ignored = DriverManager.getDriver(url);
        } catch (SQLException missing) {
            String driver = base.startsWith("jdbc:postgresql:")
                    ? "org.postgresql:postgresql"
                    : base.startsWith("jdbc:mariadb:")
                            ? "org.mariadb.jdbc:mariadb-java-client"
                            : "com.mysql:mysql-connector-j";
            throw new IllegalArgumentException(
                    "no driver on the class path understands " + base + ": add " + driver, missing);
        }
    }

    StoreDatabase database() {
        return database(LONGEST_SILENCE);
    }

    /**
     * The database. A server that does not accept a connection within this time, or then says nothing for as long, is
     * given up, unless the address has limits of its own. Drivers would wait for ever.
     */
    StoreDatabase database(Duration patience) {
        String limit = Long.toString(isPostgres() ? Math.max(1, patience.toSeconds()) : patience.toMillis());
        return new StoreDatabase(
                () -> {
                    Properties properties = credentials();
                    setUnlessGiven("connectTimeout", limit, properties);
                    setUnlessGiven("socketTimeout", limit, properties);
                    if (isPostgres()) {
                        setUnlessGiven("targetServerType", "primary", properties);
                    } else {
                        setUnlessGiven("allowMultiQueries", "true", properties);
                    }
                    return DriverManager.getConnection(url, properties);
                },
                schema,
                acknowledged);
    }

    /** As they are now: files may be missing while they are renewed. */
    private Properties credentials() throws UnfitDatabaseException {
        Properties properties = new Properties();
        try {
            SettingsFile now = settings.get();
            now.text("user").ifPresent(name -> properties.setProperty("user", name));
            now.secret("password").ifPresent(secret -> properties.setProperty("password", secret.reveal()));
        } catch (IllegalArgumentException unreadable) {
            throw new UnfitDatabaseException(String.valueOf(unreadable.getMessage()), true);
        }
        return properties;
    }

    private void setUnlessGiven(String parameter, String value, Properties to) {
        if (!url.contains(parameter)) {
            to.setProperty(parameter, value);
        }
    }

    private boolean isPostgres() {
        return url.startsWith("jdbc:postgresql:");
    }

    /** The addresses of the servers, one by one, in whatever role. */
    List<JdbcAddress> servers() {
        String any = isPostgres() ? url.replaceAll("targetServerType=[^&]*&?", "") : url;
        if (isPostgres()) {
            any += (any.contains("?") ? "&" : "?") + "targetServerType=any";
        }
        Matcher parts = HOSTS.matcher(any);
        if (!parts.matches()) {
            return List.of(new JdbcAddress(any, schema, acknowledged, settings));
        }
        return Stream.of(parts.group(2).split(",", -1))
                .map(host -> new JdbcAddress(parts.group(1) + host + parts.group(3), schema, acknowledged, settings))
                .toList();
    }

    StoreSchema schema() {
        return schema;
    }

    Survival acknowledged() {
        return acknowledged;
    }

    /** The servers of the address, for people. */
    String hosts() {
        Matcher parts = HOSTS.matcher(url);
        return parts.matches() ? parts.group(2) : "localhost";
    }

    /** The address without parameters. */
    @Override
    public String toString() {
        return url.replaceFirst("\\?.*", "");
    }
}
