package io.baton.zookeeper;

import io.baton.tck.Act;
import io.baton.tck.Cuts;
import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.Fault;
import io.baton.testkit.proxy.Moment;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.proxy.Trigger;
import java.util.Optional;
import java.util.Set;

/** Cuts at the messages between a client and a server, the client library's own pings aside. */
final class ZooKeeperCuts implements Cuts {

    private final TcpProxy proxy;

    ZooKeeperCuts(TcpProxy proxy) {
        this.proxy = proxy;
    }

    @Override
    public Cut at(Direction direction, Moment moment, int n) {
        return cut(proxy.faults().at(direction, n, ZooKeeperCuts::counts, moment, fault(moment)));
    }

    private static Cut cut(Trigger trigger) {
        return new Cut() {
            @Override
            public Optional<String> message() {
                return trigger.message();
            }

            @Override
            public Cut then(Direction direction, Moment moment, int n) {
                return cut(trigger.then(direction, n, ZooKeeperCuts::counts, moment, fault(moment)));
            }

            @Override
            public void disarm() {
                trigger.disarm();
            }
        };
    }

    private static boolean counts(String message) {
        return !message.equals("ping");
    }

    /** What has been handed on is to arrive, so the connection then ends in order. */
    private static Fault fault(Moment moment) {
        return moment == Moment.BEFORE ? Fault.cut() : Fault.end();
    }

    @Override
    public Set<String> expected(Act act, Direction direction) {
        return switch (act) {
            case OPEN -> Set.of("connect");
            case JOIN -> Set.of("create2", "createContainer", "getChildren");
            case JOIN_AND_CANCEL -> Set.of("create2", "delete");
            case WAIT -> Set.of("create2", "getChildren", "getData");
            case WAIT_IN_DOUBT -> Set.of("connect", "multi(check)", "getChildren", "getData");
            case CANCEL_IN_DOUBT -> Set.of("connect", "multi(check)", "getChildren", "delete");
            case RELEASE_IN_DOUBT -> Set.of("connect", "delete");
            case HAND_OFF -> direction == Direction.TO_SERVER ? Set.of() : Set.of("event");
            case LEAVE -> Set.of("delete", "removeWatches");
            case RELEASE -> Set.of("delete");
            case HEARTBEAT -> Set.of("multi(check)");
            case WRITE -> Set.of("multi(check, setData)");
            case CREATE -> Set.of("multi(check, create)");
            case COMPARE -> Set.of("multi(check, setData)", "getData");
            case REMOVE -> Set.of("multi(check, setData, delete)");
            case REMOVE_ITSELF -> Set.of("multi(check, delete)");
            case DOWNGRADE -> Set.of("multi(setData)");
            case SHARE -> direction == Direction.TO_SERVER ? Set.of("getData") : Set.of("event", "getData");
            case PERMITS -> Set.of("create2", "getChildren", "addWatch", "getData");
            case ACQUIRE_ALL -> Set.of("create2", "getChildren");
            case CANCEL_ALL, RELEASE_ALL, LEAVE_SHARED -> Set.of("delete");
            case TIME_OUT_ALL -> Set.of("create2"); // its time may be over before the next message
            case TAKE_TURNS ->
                direction == Direction.TO_SERVER ? Set.of("create2", "getChildren") : Set.of("create2", "event");
            case LINGER -> Set.of("create2", "delete");
            case RELEASE_EARLY -> Set.of("create2", "getData", "multi(check, create)");
            case CANCEL_RESTING -> Set.of("create2", "getData"); // it may be cancelled before the next message
            case RELEASE_IN_TIME -> Set.of("multi(setData, delete)");
            case LOSE -> Set.of(); // it may hear of its loss in several ways
            case WAIT_OUT -> Set.of("getData", "multi(check, setData)");
            case ASK_TO_RELEASE -> Set.of("getData", "multi(check, create)");
            case BE_ASKED -> direction == Direction.TO_SERVER ? Set.of("multi(check, setData)") : Set.of("event");
            case EVICT -> Set.of("getData", "multi(create, delete)");
            case FOLLOW ->
                direction == Direction.TO_SERVER
                        ? Set.of("addWatch", "getChildren", "getData")
                        : Set.of("addWatch", "getChildren", "getData", "event");
            case COMMIT -> Set.of("getData", "multi(check, setData, create)");
            case ADD, NUMBER, COUNT_DOWN, RESET_LATCH -> Set.of("getData", "multi(check, setData)");
            case OPEN_LATCH -> Set.of("getData");
            case AWAIT_LATCH -> direction == Direction.TO_SERVER ? Set.of("getData") : Set.of("getData", "event");
            case TAKE_SEAT -> Set.of("create2", "getChildren", "getData");
            case GIVE_SEAT_BACK -> Set.of("delete", "getData");
            case JOIN_GROUP -> Set.of("create2", "delete");
            case AWAIT_BARRIER, ENTER_DOUBLE, LEAVE_DOUBLE -> Set.of("create2");
            case LEAVE_BARRIER -> Set.of("getData"); // its time may be over before it has joined
            case CLOSE_DOUBLE -> Set.of("multi(check, setData, delete)");
            case ASK ->
                direction == Direction.TO_SERVER
                        ? Set.of("getData", "multi(create, setData)")
                        : Set.of("getData", "multi(create, setData)", "event");
            case ANSWER ->
                direction == Direction.TO_SERVER
                        ? Set.of("getData", "multi(check, setData)")
                        : Set.of("getData", "multi(check, setData)", "event");
        };
    }
}
