package io.baton.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What a run measures its rows on.
 *
 * @param field the store, and the other side
 * @param servers how many
 * @param forced whether they force their logs to disk
 * @param processes whether each client has a process of its own
 */
public record Setup(Field field, int servers, boolean forced, boolean processes) {

    /** Baton's side, as raw data names it. */
    static final String BATON = "baton";

    private static final String FORCED = "fsync";
    private static final String PROCESSES = "processes";

    /** The one of this {@link #name}. */
    public static Setup parse(String name) {
        List<String> parts = List.of(name.split("-", -1));
        Field field = Field.ofScheme(parts.get(0));
        int servers = parts.stream()
                .filter(part -> part.matches("\\d+"))
                .mapToInt(Integer::parseInt)
                .findFirst()
                .orElse(1);
        return new Setup(field, servers, parts.contains(FORCED), parts.contains(PROCESSES));
    }

    /** As files are called, such as {@code zk-3-fsync-processes}. */
    public String name() {
        return field.scheme()
                + (servers > 1 ? "-" + servers : "")
                + (forced ? "-" + FORCED : "")
                + (processes ? "-" + PROCESSES : "");
    }

    /** What measures on it. */
    public String command() {
        return "benchmarks/run --store " + field.scheme()
                + (servers > 1 ? " --servers " + servers : "")
                + (forced ? " --" + FORCED : "")
                + (processes ? " --" + PROCESSES : "");
    }

    /** In words, beside the servers. */
    String conditions() {
        return (forced ? "logs" : "nothing") + " forced to disk, "
                + (processes ? "each client in a process of its own" : "all clients in one process");
    }

    /** The other side, as people call it. */
    public String peer() {
        return field.peer();
    }

    /** The other side, as raw data names it. */
    String peerSide() {
        return field.peer().toLowerCase(Locale.ROOT);
    }

    Server start() throws IOException {
        return Server.start(field.scheme(), servers, forced);
    }

    /**
     * The clients of one side, connected.
     *
     * @param warmUp for how long clients in processes of their own take the lock, each alone
     */
    Clients clients(String side, String addresses, Row row, Server server, Duration warmUp) throws Exception {
        return processes
                ? ClientProcesses.start(field, side, addresses, row, server, warmUp)
                : new ClientThreads(field.side(side, addresses, row), row, server);
    }
}
