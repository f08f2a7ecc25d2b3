package io.baton.cli;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which store to talk to: {@code --connect}, or {@code $BATON_CONNECT}. */
public final class StoreOption {

    private static final String VARIABLE = "BATON_CONNECT";

    @Option(
            names = "--connect",
            paramLabel = "URI",
            description =
                    "The store: zk://host:port[,host:port...][/path][?tick=2s]; zks:// for TLS, credentials by BATON_ZK_... (see the README). Default: $$BATON_CONNECT.")
    @Nullable
    String given;

    /** Made by the command line parser. */
    public StoreOption() {}

    /** The store's URI. */
    public String uri() {
        String uri = given != null ? given : System.getenv(VARIABLE);
        if (uri == null || uri.isBlank()) {
            throw Failure.usage("no store given: use --connect zk://host:2181/app, or set " + VARIABLE);
        }
        return shared(uri);
    }

    /**
     * The URI, if other processes can see what is stored there.
     *
     * @throws Failure if they cannot
     */
    public static String shared(String uri) {
        if (uri.toLowerCase(Locale.ROOT).startsWith("mem:")) {
            throw Failure.usage("'" + uri + "' lives in one process only, so nobody else could see the lock;"
                    + " use zk://host:2181/app ('baton server' starts one)");
        }
        return uri;
    }
}
