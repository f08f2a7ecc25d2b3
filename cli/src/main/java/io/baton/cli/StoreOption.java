package io.baton.cli;

import io.baton.spi.Names;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The store to connect to: {@code --connect}, or {@code $BATON_CONNECT}. */
public final class StoreOption {

    /** The form of a ZooKeeper URI. */
    public static final String ZOOKEEPER = "zk://host:port[,host:port...][/path][?tick=2s]";

    /** The form of an etcd URI. */
    public static final String ETCD = "etcd://host:port[,host:port...][/path]";

    /** The form of a database's URI. */
    public static final String JDBC = "jdbc:postgresql://host/database[?...] or jdbc:mariadb://...";

    private static final String VARIABLE = "BATON_CONNECT";
    private static final String EXAMPLES = "zk://host:2181/app, etcd://host:2379/app or jdbc:postgresql://host/app";

    @Option(
            names = "--connect",
            paramLabel = "URI",
            description = {
                "The store: " + ZOOKEEPER + ",",
                "or " + ETCD + ";",
                "zks:// or etcds:// for TLS;",
                "or " + JDBC + ".",
                "Credentials by BATON_ZK_..., BATON_ETCD_... or BATON_JDBC_... (USER,",
                "PASSWORD, PASSWORD_FILE), never in the URI, which others can see:",
                "see docs/guide/stores-and-security.md and docs/guide/databases.md.",
                "Default: $$BATON_CONNECT."
            })
    @Nullable
    String given;

    /** For the command line parser. */
    public StoreOption() {}

    /** The store's URI. */
    public String uri() {
        String uri = given != null ? given : System.getenv(VARIABLE);
        if (uri == null || uri.isBlank()) {
            throw Failure.usage("no store given: use --connect " + EXAMPLES + ", or set " + VARIABLE);
        }
        return shared(uri);
    }

    /** Whether it is ZooKeeper. */
    public boolean zookeeper() {
        return uri().toLowerCase(Locale.ROOT).startsWith("zk");
    }

    /**
     * Checks that a lock or an election can have this path on this store.
     *
     * @throws IllegalArgumentException if it cannot
     */
    public void checkPath(String path) {
        if (zookeeper()) {
            Names.checkRootedPath(path);
        } else {
            Names.checkPath(path);
        }
    }

    /**
     * Returns the URI, if other processes can see what is stored there.
     *
     * @throws Failure if they cannot
     */
    public static String shared(String uri) {
        if (uri.toLowerCase(Locale.ROOT).startsWith("mem:")) {
            throw Failure.usage("'" + uri + "' lives in one process only, so nobody else could see what it does there;"
                    + " use " + EXAMPLES + " ('baton server' starts a ZooKeeper)");
        }
        return uri;
    }
}
