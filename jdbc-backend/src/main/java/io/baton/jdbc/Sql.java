package io.baton.jdbc;

import io.baton.spi.Line;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;

/**
 * Statements that are the same on all databases, but for the parts that {@link SqlDialect} fills in.
 *
 * <p>{@code c} is the store's own clock: each look adds what the server's wall clock has gained since the last one, but no
 * more than {@link #CAP}. So a wall clock that steps ends no session early, and a server that was frozen ends none on
 * waking.
 */
final class Sql {

    /** The most, in milliseconds, that one look adds to the store's clock. Sessions are kept for so much longer. */
    static final long CAP = 1250;

    /** Tokens and revisions are raised by so much when the latest ones may be lost. */
    static final long JUMP = 1L << 20;

    /** How many changes of a tree are kept. */
    static final long CHANGES = 1_000;

    /** How many overdue sessions one look returns, at most. */
    static final int MOST_OVERDUE = 8;

    /** The state of an error of Baton's own: the server would take too long for a step. */
    static final String TOO_MUCH = "54000";

    static final String POOLER =
            "a pooler hands each transaction to another connection: connect to the server itself, or"
                    + " to a pool in session mode";

    /** What nobody has looked at for so long is over by the wall clock alone. */
    private static final long DAY = 86_400_000;

    private static final long WRITE_CLOCK = 250;

    private static final long LONGEST_IDLE = 2_000;

    /**
     * For so long, in milliseconds, a look at the server's name holds. Less than {@link #CAP}, by which a quiet time
     * outlasts each session: what a former primary has renewed meanwhile is over before the next one grants anything.
     */
    static final long NAMED = 500;

    /** Paths up to this length are their own keys. */
    static final int LONGEST_KEY = 512;

    /**
     * No entry of a line has a smaller token than this. Databases keep deleted rows for a while, in front of the first
     * one that stands, and a search that begins at the beginning would read all of them.
     */
    private static final String FROM = "token >= coalesce((select head from baton_line where path = %1$s), 0)";

    // Modes of claims, as they are stored: 0 exclusive, 1 shared, 2 permits.
    private static final String CONFLICTS = "a.path = e.path and a." + FROM.formatted("e.path")
            + " and a.token < e.token and ((e.mode = 0 and not e.downgraded)"
            + " or ((e.mode = 1 or e.downgraded) and a.mode = 0 and not a.downgraded))";

    /** Permits wait for nobody. */
    private static final String AHEAD =
            "(e.mode <> 2 and exists (select 1 from baton_entry a where " + CONFLICTS + "))";

    private static final String STANDING =
            "select e.name, e.token, not " + AHEAD + ", e.downgraded, e.path from baton_entry e";

    /** The nearest entry that an entry waits for. */
    static final String NEAREST_AHEAD = "select a.name from baton_entry e join baton_entry a on " + CONFLICTS
            + " where e.name = ? order by a.token desc limit 1";

    final String clock;
    final String tick;
    final String quiet;
    final String renew;

    /** Whether there is what {@link #renew} changes. */
    final String renewable;

    final String overdue;
    final String lockOverdue;
    final String notSilent;
    final String keepSession;
    final String insertEntry;
    final String insertLine;
    final String insertDeleted;
    final String insertTree;
    final String raiseAllLines;
    final String raiseAllTrees;
    final String becomeQuiet;
    final String marked;
    final String mark;
    final String clearedPushes;
    final String gonePush;
    final String headPushes;
    final String entriesPushes;
    final String treePushes;

    static final String OWN = STANDING + " where e.sid = ?";
    static final String LOOK = STANDING + " where e.sid = ? and e.name in (%s)";
    static final String LOCK_ENTRY = "select path, token, mode, downgraded from baton_entry where name = ? and sid = ?"
            + " for update skip locked";
    static final String OF_LINE = "path = ? and " + FROM.formatted("?");

    /**
     * An entry that joins has a larger token than all before it. So the least token in this statement's snapshot bounds
     * all entries that stand at its commit. If the snapshot has no entry, the head stays.
     */
    private static final String TOUCH = "update baton_line set seq = seq + 1, head = coalesce((select min(e.token) from"
            + " baton_entry e where e.path = baton_line.path and e.token >= baton_line.head), head) where path = ";

    static final String TOUCH_LINE = TOUCH + "?";
    static final String TOUCH_LINE_OF = TOUCH + "(select path from baton_entry where name = ? and sid = ?)";
    static final String RAISE_DELETED = "update baton_line set seq = greatest(seq, ?) where path = ''";
    static final String DELETE_ENTRY = "delete from baton_entry where name = ?";
    static final String DELETE_FREE_ENTRY = "delete from baton_entry where name = (select free.name from (select name"
            + " from baton_entry where name = ? and sid = ? for update skip locked) free)"
            + " and exists (select 1 from baton_session where sid = ? and epoch = ?)";
    static final String STANDS = "select name from baton_entry where name = ? and sid = ?";

    private static final String FIRST = "(select min(token) from baton_entry where path = %1$s and " + FROM + ")";
    private static final String HEAD =
            "coalesce((select 4 * token + case when downgraded then 1 else 0 end from baton_entry"
                    + " where path = %1$s and " + FROM
                    + " order by token limit 1), (select 4 * seq + 2 from baton_line where path = %1$s), 0)";
    private static final String ENTRIES = "coalesce((select 1024 * seq + 1023 - (select count(*) from baton_entry where"
            + " path = %1$s and " + FROM + ") %% 1024 from baton_line where path = %1$s), 0)";

    static final String HEAD_VERSION = "select " + HEAD.formatted("?");
    static final String ENTRIES_VERSION = "select " + ENTRIES.formatted("?");
    static final String TREE_VERSION = "select coalesce((select rev from baton_tree where tree = ?), 0)";

    Sql(SqlDialect dialect) {
        String wall = dialect.wall();
        clock = "(c + least(greatest(" + wall + " - w, 0), " + CAP + "))";
        quiet = "select greatest(quiet_until - " + clock + ", 0) from baton_store where id = 1";
        marked = "exists (select 1 from baton_incarnation i where i.history = s.history and i.server = "
                + dialect.server() + ")";
        // The name costs much where the server may become a replica: all connections are added up for it. Ticks look at
        // it, a few times in a second however many sessions there are, and w is when that was.
        tick = "update baton_store s set c = " + clock + ", w = " + wall + " where id = 1 and (" + wall + " - w >= "
                + WRITE_CLOCK + " or " + wall + " < w)"
                + dialect.accepts()
                        .map(accepts -> " and " + accepts + " and " + marked)
                        .orElse("");
        String renewed = " where sid = ? and epoch = ?"
                + dialect.accepts()
                        .map(accepts -> " and " + accepts + " and exists (select 1 from baton_store s where s.id = 1"
                                + " and (s.w between " + wall + " - " + NAMED + " and " + wall + " or " + marked + "))")
                        .orElse("");
        renew = "update baton_session set beat_c = (select " + clock + " from baton_store where id = 1), beat_w = "
                + wall + renewed;
        renewable = "select 1 from baton_session" + renewed;
        // The time is computed once, and not for each session. Any of them, as some may not be ended for long.
        overdue = "select s.sid from baton_session s, (select " + clock + " as now_c, " + wall
                + " as now_w from baton_store where id = 1 limit 1) t where " + over("t.now_c", "t.now_w")
                + " order by " + dialect.random() + " limit " + MOST_OVERDUE;
        lockOverdue = "select sid from baton_session s where sid = ? and exists (select 1 from baton_store where "
                + over(clock, wall) + ") for update skip locked";
        // By the wall clock, as the store's own stands still while nobody looks. That alone ends nothing.
        notSilent = " and exists (select 1 from baton_session s where s.sid = e.sid and " + wall
                + " <= s.beat_w + s.ttl + " + CAP + ")";
        keepSession = "select 1 from baton_session where sid = ? and epoch = ?" + dialect.keepSession();
        insertEntry = "insert into baton_entry (path, token, name, sid, mode, permits, downgraded, payload)"
                + " select l.path, l.seq, ?, s.sid, ?, ?, false, ? from baton_line l, baton_session s"
                + " where l.path = ? and s.sid = ? and s.epoch = ?" + accepted(dialect);
        insertLine = "insert into baton_line (path, seq) values (?, " + startOfLine(dialect) + ")"
                + dialect.unlessThere("seq");
        insertDeleted = "insert into baton_line (path, seq) values ('', 0)" + dialect.unlessThere("seq");
        insertTree = "insert into baton_tree (tree, rev) values (?, " + now(dialect) + ")" + dialect.unlessThere("rev");
        raiseAllLines = "update baton_line set seq = greatest(seq + " + JUMP + ", " + now(dialect) + ")";
        raiseAllTrees = "update baton_tree set rev = greatest(rev + " + JUMP + ", " + now(dialect) + ")";
        mark = "insert into baton_incarnation (history, server) select history, " + dialect.server()
                + " from baton_store where id = 1";
        // One quiet time does not end another that is longer.
        becomeQuiet = "update baton_store set quiet_until = case when generation = 0 then 0 else greatest(quiet_until, "
                + clock + " + max_ttl + " + CAP + ") end,"
                + " max_ttl = coalesce((select max(ttl) from baton_session), 0), generation = generation + 1,"
                + " history = ? where id = 1";

        String sender = dialect.push("e.sid", dialect.concat("'c '", "e.name", "' '", "e.token"))
                .orElse("");
        // Nothing behind the first exclusive entry is clear, so no more than that has to be looked at.
        clearedPushes =
                "select " + sender + " from baton_entry e where e.path = ? and e.token > ? and e.token <= coalesce("
                        + "(select token from baton_entry where " + OF_LINE
                        + " and mode = 0 and not downgraded order by token limit 1), "
                        + Long.MAX_VALUE + ") and (e.mode = 1 and ? or e.mode = 0 and not " + AHEAD + ")";
        gonePush = "select "
                + dialect.push("e.sid", dialect.concat("'g '", "e.name")).orElse("")
                + " from baton_entry e where e.name = ? and e.sid <> ?";
        headPushes = followers(dialect, HEAD.formatted("?")) + " and coalesce(" + FIRST.formatted("?") + ", "
                + Long.MAX_VALUE + ") >= ";
        entriesPushes = followers(dialect, ENTRIES.formatted("?"));
        treePushes = followers(dialect, "(select rev from baton_tree where tree = ?)");
    }

    /** Whether the session {@code s} is overdue at this time of the store, or by this wall clock for a day. */
    private static String over(String clock, String wall) {
        return "(" + clock + " >= s.beat_c + s.ttl + " + CAP + " or " + wall + " >= s.beat_w + s.ttl + " + DAY + ")";
    }

    /** What a row that is added may also depend on: a replica could not repeat that of its primary. */
    static String accepted(SqlDialect dialect) {
        return dialect.accepts().map(accepts -> " and " + accepts).orElse("");
    }

    /** The version does not depend on the follower, so the database computes it once. */
    private static String followers(SqlDialect dialect, String version) {
        return "select "
                + dialect.push("f.sid", dialect.concat("'f '", "f.id", "' '", version))
                        .orElse("")
                + " from baton_follower f where f.what = ?";
    }

    /**
     * The number of a new line: larger than those of a former line of the same name. That was begun long ago; and its
     * number is in a row of its own where the wall clock was ahead when the line was made or deleted.
     */
    static String startOfLine(SqlDialect dialect) {
        return "greatest(" + now(dialect)
                + ", coalesce((select f.seq + 1 from (select seq from baton_line where path = '') f), 0))";
    }

    /** The number of a line or tree that is made now, if no wall clock was ever ahead. */
    static String now(SqlDialect dialect) {
        return dialect.wall() + " / 1000 * " + JUMP;
    }

    /** So many question marks, for a list. */
    static String marks(int count) {
        return String.join(", ", Collections.nCopies(count, "?"));
    }

    /** A part of the ttl in milliseconds, but no less than this. */
    static long share(Duration ttl, int part, long least) {
        return Math.max(least, ttl.toMillis() / part);
    }

    /**
     * How many milliseconds a client may be silent in a transaction: however long its ttl is, others with a shorter one
     * wait for the rows that it has locked.
     */
    static long longestIdle(Duration ttl) {
        return Math.min(share(ttl, 4, 1_000), LONGEST_IDLE);
    }

    /** The key of a line: its path, or of a long one its beginning and a hash. */
    static byte[] key(Line line) {
        String path = line.exact() && !line.path().startsWith("/") ? "//" + line.path() : line.path();
        byte[] bytes = utf8(path);
        if (bytes.length <= LONGEST_KEY) {
            return bytes;
        }
        byte[] key = Arrays.copyOf(bytes, LONGEST_KEY + 64);
        byte[] hash = HexFormat.of().formatHex(sha256(bytes)).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(hash, 0, key, LONGEST_KEY, hash.length);
        return key;
    }

    /**
     * The key of what is followed.
     *
     * @param kind {@code t} for a tree, {@code h} for the head of a line, {@code e} for its entries
     */
    static byte[] followed(char kind, byte[] key) {
        byte[] what = new byte[key.length + 1];
        what[0] = (byte) kind;
        System.arraycopy(key, 0, what, 1, key.length);
        return what;
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new AssertionError(everyJavaHasIt);
        }
    }
}
