package io.baton.cli;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which store to talk to: {@code --connect}, or {@code $BATON_CONNECT}. */
public final class StoreOption {

    /** How a store on ZooKeeper is named. */
    public static final String ZOOKEEPER = "zk://host:port[,host:port...][/path][?tick=2s]";

    /** How a store on etcd is named. */
    public static final String ETCD = "etcd://host:port[,host:port...][/path]";

    private static final String VARIABLE = "BATON_CONNECT";
    private static final String EXAMPLES = "zk://host:2181/app or etcd://host:2379/app";

    @Option(
            names = "--connect",
            paramLabel = "URI",
            description = {
                "The store: " + ZOOKEEPER + ",",
                "or " + ETCD + "; zks:// or etcds:// for TLS,",
                "credentials by BATON_ZK_... or BATON_ETCD_..., see docs/guide/stores-and-security.md.",
                "Default: $$BATON_CONNECT."
            })
    @Nullable
    String given;

    /** Made by the command line parser. */
    public StoreOption() {}

    /** The store's URI. */
    public String uri() {
        String uri = given != null ? given : System.getenv(VARIABLE);
        if (uri == null || uri.isBlank()) {
            throw Failure.usage("no store given: use --connect " + EXAMPLES + ", or set " + VARIABLE);
        }
        return shared(uri);
    }

    /** Whether it is a ZooKeeper. */
    public boolean zookeeper() {
        return uri().toLowerCase(Locale.ROOT).startsWith("zk");
    }

    /**
     * The URI, if other processes can see what is stored there.
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
