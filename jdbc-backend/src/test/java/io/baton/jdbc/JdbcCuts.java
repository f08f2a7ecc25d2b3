package io.baton.jdbc;

import io.baton.tck.Act;
import io.baton.tck.Cuts;
import io.baton.testkit.LongRun;
import io.baton.testkit.database.PostgresFraming;
import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.Fault;
import io.baton.testkit.proxy.Moment;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.proxy.Trigger;
import java.util.Optional;
import java.util.Set;

/**
 * Cuts at the messages between a client and a database. A request is all that the driver sends until it waits, and an
 * answer is cut before its first message, by which it is lost, and before its last, in its middle.
 *
 * <p>Messages are named by the steps of a session. Every day those that change something are cut, as are logins and
 * pushes. In the long run all are, as reads and what the driver and {@link SqlDialect} send to prepare a connection. The
 * {@code begin} that PostgreSQL's driver sends in front of a step's own request, and does not wait for, is left out: it
 * alone changes nothing.
 */
final class JdbcCuts implements Cuts {

    private static final String PREPARATION = "preparation";
    private static final String READ = "read";

    private final TcpProxy proxy;
    private final boolean pushes;

    /** Of a database that pushes what it has to tell, or is asked again and again. */
    JdbcCuts(TcpProxy proxy, boolean pushes) {
        this.proxy = proxy;
        this.pushes = pushes;
    }

    @Override
    public Cut at(Direction direction, Moment moment, int n) {
        return cut(proxy.faults().at(direction, n, JdbcCuts::counts, moment, fault(moment)));
    }

    private static Cut cut(Trigger trigger) {
        return new Cut() {
            @Override
            public Optional<String> message() {
                return trigger.message().map(JdbcCuts::step);
            }

            @Override
            public Cut then(Direction direction, Moment moment, int n) {
                return cut(trigger.then(direction, n, JdbcCuts::counts, moment, fault(moment)));
            }

            @Override
            public void disarm() {
                trigger.disarm();
            }
        };
    }

    private static boolean counts(String message) {
        if (message.equals(PostgresFraming.NOISE) || message.startsWith("query(begin)")) {
            return false;
        }
        String step = complete(withoutBegins(message));
        return LongRun.asked() || !(step.equals(PREPARATION) || step.equals(READ));
    }

    private static String step(String message) {
        String whole = withoutBegins(message);
        return complete(whole) + message.substring(whole.length());
    }

    private static String withoutBegins(String message) {
        return message.endsWith(PostgresFraming.BEGINS)
                ? message.substring(0, message.length() - PostgresFraming.BEGINS.length())
                : message;
    }

    private static String complete(String message) {
        if (!message.startsWith("query(")) {
            return message;
        } else if (message.contains("insert baton_verdict")) {
            return "write";
        } else if (message.contains("delete baton_follower, delete baton_verdict")) {
            return "attach";
        } else if (message.contains("delete baton_verdict")) {
            return "transact";
        } else if (message.contains("insert baton_entry")) {
            return "join";
        } else if (message.contains("delete baton_entry")) {
            return "leave";
        } else if (message.contains("baton_follower")) {
            return "follow";
        } else if (message.contains("update baton_entry")) {
            return "downgrade";
        } else if (message.contains("update baton_session")) {
            return "beat";
        } else if (message.contains("select baton_session, select baton_entry")) {
            return "lock entry";
        } else if (message.contains("baton_session")) {
            return "session";
        } else if (message.contains("update baton_line") || message.contains("insert baton_tree")) {
            return "lock";
        } else if (message.contains("listen")) {
            return "listen";
        } else {
            return message.contains("baton_") ? READ : PREPARATION;
        }
    }

    /** What has been handed on is to arrive, so the connection then ends in order. */
    private static Fault fault(Moment moment) {
        return moment == Moment.BEFORE ? Fault.cut() : Fault.end();
    }

    @Override
    public Set<String> expected(Act act, Direction direction) {
        return switch (act) {
            case OPEN, WAIT_IN_DOUBT, RELEASE_IN_DOUBT -> Set.of("login", "session", "attach");
            case CANCEL_IN_DOUBT -> Set.of("login", "session", "attach", "leave");
            case JOIN, WAIT, PERMITS, AWAIT_BARRIER, LEAVE_BARRIER, ENTER_DOUBLE, LEAVE_DOUBLE, TAKE_SEAT ->
                Set.of("join");
            case JOIN_AND_CANCEL, JOIN_GROUP -> Set.of("join", "leave");
            case HAND_OFF, SHARE -> pushed(direction);
            case LEAVE, RELEASE, GIVE_SEAT_BACK -> Set.of("leave");
            case HEARTBEAT -> Set.of("beat");
            case WRITE,
                    CREATE,
                    COMPARE,
                    REMOVE,
                    REMOVE_ITSELF,
                    COMMIT,
                    ADD,
                    NUMBER,
                    OPEN_LATCH,
                    COUNT_DOWN,
                    RESET_LATCH,
                    CLOSE_DOUBLE,
                    ASK,
                    ANSWER -> Set.of("transact", "lock", "write");
            case DOWNGRADE -> Set.of("lock entry", "downgrade");
            case ACQUIRE_ALL, TIME_OUT_ALL -> Set.of("join");
            case CANCEL_ALL, RELEASE_ALL, LEAVE_SHARED -> Set.of("leave");
            case TAKE_TURNS, LINGER -> Set.of("join", "leave");
            case CANCEL_RESTING -> Set.of("join"); // it may be cancelled before the next message
            case RELEASE_EARLY -> Set.of("join", "transact", "lock", "write");
            case RELEASE_IN_TIME, WAIT_OUT, ASK_TO_RELEASE, EVICT -> Set.of("transact", "lock", "write");
            case LOSE -> Set.of();
            case BE_ASKED -> Set.of("transact", "lock", "write");
            case FOLLOW, AWAIT_LATCH ->
                !pushes
                        ? Set.of()
                        : direction == Direction.TO_SERVER ? Set.of("follow") : Set.of("follow", "notification");
        };
    }

    private Set<String> pushed(Direction direction) {
        return pushes && direction == Direction.TO_CLIENT ? Set.of("notification") : Set.of();
    }
}
