package io.baton.zookeeper.wire;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Keeps requests below the server's packet limit ({@code jute.maxbuffer}, 1,048,575 bytes), beyond which it hangs up.
 */
public final class Packet {

    /** The maximum for all parts of one request. The rest is for its header. */
    public static final int MAX_BYTES = 1_040_000;

    /** Kind, version, ACL and lengths of one part of a multi. */
    private static final int PER_PART = 64;

    private Packet() {}

    /** Returns an upper bound for the bytes of a part of a multi. */
    public static long bytes(String path, int value) {
        return PER_PART + path.getBytes(StandardCharsets.UTF_8).length + (long) value;
    }

    /** Splits these into batches that each fit into one packet of checks. Nothing gives one empty batch. */
    public static <T> List<List<T>> batches(List<T> all, Function<T, String> path) {
        var batches = new ArrayList<List<T>>();
        var batch = new ArrayList<T>();
        long size = 0;
        for (T one : all) {
            long more = bytes(path.apply(one), 0);
            if (size + more > MAX_BYTES / 2) {
                batches.add(List.copyOf(batch));
                batch.clear();
                size = 0;
            }
            batch.add(one);
            size += more;
        }
        batches.add(List.copyOf(batch));
        return batches;
    }
}
