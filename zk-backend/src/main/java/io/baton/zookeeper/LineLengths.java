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
 * How long the lines are that this session has lately looked at.
 *
 * <p>The client library gives up a connection that brings it more than {@code jute.maxbuffer} bytes in one answer, and
 * with it everything else that is under way. So a line is not listed before its length is known to fit: from a listing
 * or a read of the line's node not long ago, or else from a read made now. The number of children comes with any read.
 */
final class LineLengths {

    /** Told the length of a line. */
    interface Look {
        /** Looked at; the length is 0 for any code but {@code OK}. */
        void seen(Code code, int length);
    }

    /** What is known of one line. */
    private static final class Known {
        private int length = UNKNOWN;
        private long since;
        /** How many listings in a row had no answer, as the connection broke. */
        private int breaks;
    }

    private static final int UNKNOWN = -1;
    private static final int REMEMBERED = 10_000;

    /** Names of entries have at most 57 characters, and four bytes each for their length. */
    private static final int BYTES_PER_ENTRY = 64;

    /** Breaks of the connection have other reasons, too; so many in a row make the length suspect. */
    private static final int SUSPECT = 3;

    /** Names of 250 characters fit into a limit that was halved so often. */
    private static final int MOST_HALVINGS = 2;

    private static final long FRESH_NANOS = Duration.ofMinutes(1).toNanos();

    private final ZkSession session;
    // The one that was asked for longest ago comes first.
    private final Map<String, Known> lines = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<String, List<Look>> looking = new HashMap<>();

    LineLengths(ZkSession session) {
        this.session = session;
    }

    /** Tells the length; at once, if it was far from the limit when seen last, otherwise by a read. */
    void withLength(String path, Look then) {
        Known known = lines.get(path);
        if (known != null && fresh(known) && known.length <= limit(known) / 2) {
            then.seen(Code.OK, known.length);
        } else {
            read(path, then);
        }
    }

    /** Whether the line is known to have no more than these. */
    boolean knownUpTo(String path, int few) {
        Known known = lines.get(path);
        return known != null && fresh(known) && known.length <= few;
    }

    /** So many were there in an answer that has just come. */
    void note(String path, int length) {
        Known known = known(path);
        known.length = length;
        known.since = session.loop().nanoTime();
    }

    /** The line's node has been deleted. */
    void forget(String path) {
        lines.remove(path);
    }

    /** A listing was answered, with so many. */
    void listed(String path, int length) {
        note(path, length);
        known(path).breaks = 0;
    }

    /** The connection broke while a listing was under way, perhaps because of it. */
    void broken(String path) {
        Known known = known(path);
        known.length = UNKNOWN;
        known.breaks++;
    }

    /** Why a line of this length is not listed; null if it is. */
    @Nullable
    CoordinationException tooLongToList(String path, int length) {
        return length > limit(lines.get(path)) ? refusal("cannot list", path, length) : null;
    }

    /** Why a line of this length is not joined; null if it is. Those who stand there already may list a little more. */
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

    /** Names of other programs may be longer than ours: where breaks come one after the other, less is believed to fit. */
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
            var steps = new ArrayList<Runnable>();
            all.forEach(look -> steps.add(() -> look.seen(code, length)));
            RunAll.all(steps);
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
