package io.baton.zookeeper;

import io.baton.CoordinationException;
import io.baton.spi.support.RunAll;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * The lengths of lines that this session has recently looked at.
 *
 * <p>The client library closes a connection on an answer of more than {@code jute.maxbuffer} bytes, with all other
 * requests in flight. So a line is listed only if its length is known to fit. The length comes from a recent listing or
 * read of the line's node, or from a new read. Every read returns the number of children.
 */
final class LineLengths {

    /** Receives the length of a line. */
    interface Look {
        /** Receives the result; the length is 0 for any code but {@code OK}. */
        void seen(Code code, int length);
    }

    /** The cached length of one line. */
    private static final class Known {
        private int length = UNKNOWN;
        private long since;
        /** The number of consecutive listings that ended in a connection loss. */
        private int breaks;
    }

    private static final int UNKNOWN = -1;
    private static final int REMEMBERED = 10_000;

    /**
     * An entry's name has at most 58 characters, and its length takes four bytes. Names of permits have 60 to 69: if a
     * listing of these does not fit, the connections that it breaks lower the limit, as below.
     */
    private static final int BYTES_PER_ENTRY = 64;

    /** Connections break for other reasons, too. This many breaks in a row make the length suspect. */
    private static final int SUSPECT = 3;

    /** Names of 250 characters fit into a limit halved this often. */
    private static final int MOST_HALVINGS = 2;

    private static final long FRESH_NANOS = Duration.ofMinutes(1).toNanos();

    private final ZkSession session;
    // The least recently used one comes first.
    private final Map<String, Known> lines = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<String, List<Look>> looking = new HashMap<>();

    LineLengths(ZkSession session) {
        this.session = session;
    }

    /** Passes the length on: at once if a fresh one is far below the limit, otherwise after a read. */
    void withLength(String path, Look then) {
        Known known = lines.get(path);
        if (known != null && fresh(known) && known.length <= limit(known) / 2) {
            then.seen(Code.OK, known.length);
        } else {
            read(path, then);
        }
    }

    /** Whether the line is known to have no more than this many entries. */
    boolean knownUpTo(String path, int few) {
        Known known = lines.get(path);
        return known != null && fresh(known) && known.length <= few;
    }

    /** Records the length from an answer. */
    void note(String path, int length) {
        Known known = known(path);
        known.length = length;
        known.since = session.loop().nanoTime();
    }

    /** The line's node has been deleted. */
    void forget(String path) {
        lines.remove(path);
    }

    /** Records the length from an answered listing. */
    void listed(String path, int length) {
        note(path, length);
        known(path).breaks = 0;
    }

    /** The connection broke during a listing, perhaps because of it. */
    void broken(String path) {
        Known known = known(path);
        known.length = UNKNOWN;
        known.breaks++;
    }

    /** Returns why a line of this length is not listed; null if it can be. */
    @Nullable
    CoordinationException tooLongToList(String path, int length) {
        return length > limit(lines.get(path)) ? refusal("cannot list", path, length) : null;
    }

    /**
     * Returns why a line of this length is not joined; null if it can be. The limit for listing is a little higher, for
     * the places already there.
     */
    @Nullable
    CoordinationException tooLongToJoin(String path, int length) {
        int limit = limit(lines.get(path));
        return length >= limit - limit / 16 ? refusal("cannot join", path, length) : null;
    }

    private CoordinationException refusal(String what, String path, int length) {
        int bytes = session.wire().maxAnswer();
        return new CoordinationException(what + " " + path + ": " + length + " entries stand there, and a listing of "
                + limit(lines.get(path)) + " at most is certain to fit into the " + bytes + " bytes of an answer that"
                + " this client takes; raise jute.maxbuffer on all its clients, or spread the contenders over more"
                + " names");
    }

    private boolean fresh(Known known) {
        return known.length != UNKNOWN && session.loop().nanoTime() - known.since < FRESH_NANOS;
    }

    /** Other programs' names may be longer than Baton's: after repeated breaks the limit is lower. */
    private int limit(@Nullable Known known) {
        int most = session.wire().maxAnswer() / BYTES_PER_ENTRY;
        int breaks = known == null ? 0 : known.breaks;
        return breaks < SUSPECT ? most : most >> Math.min(MOST_HALVINGS, breaks - SUSPECT + 1);
    }

    private void read(String path, Look then) {
        List<Look> same = looking.get(path);
        if (same != null) {
            same.add(then);
            return;
        }
        List<Look> all = new ArrayList<>(List.of(then));
        looking.put(path, all);
        session.wire().read(path, (code, node) -> {
            looking.remove(path);
            int length = node == null ? 0 : node.children();
            if (code == Code.OK || code == Code.NONODE) {
                note(path, length);
            }
            RunAll.each(all, look -> look.seen(code, length));
        });
    }

    private Known known(String path) {
        Known known = lines.get(path);
        if (known == null) {
            known = new Known();
            lines.put(path, known);
            if (lines.size() > REMEMBERED) {
                lines.remove(lines.keySet().iterator().next());
            }
        }
        return known;
    }
}
