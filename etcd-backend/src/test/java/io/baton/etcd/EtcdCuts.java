package io.baton.etcd;

import io.baton.tck.Act;
import io.baton.tck.Cuts;
import io.baton.testkit.etcd.EtcdFraming;
import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.Fault;
import io.baton.testkit.proxy.Moment;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.proxy.Trigger;
import java.util.Optional;
import java.util.Set;

/** Cuts at the messages between a client and a server, what is HTTP/2's own aside. */
final class EtcdCuts implements Cuts {

    private final TcpProxy proxy;

    EtcdCuts(TcpProxy proxy) {
        this.proxy = proxy;
    }

    @Override
    public Cut at(Direction direction, Moment moment, int n) {
        return cut(proxy.faults().at(direction, n, EtcdCuts::counts, moment, fault(moment)));
    }

    private static Cut cut(Trigger trigger) {
        return new Cut() {
            @Override
            public Optional<String> message() {
                return trigger.message();
            }

            @Override
            public Cut then(Direction direction, Moment moment, int n) {
                return cut(trigger.then(direction, n, EtcdCuts::counts, moment, fault(moment)));
            }

            @Override
            public void disarm() {
                trigger.disarm();
            }
        };
    }

    private static boolean counts(String message) {
        return !message.equals(EtcdFraming.NOISE);
    }

    /** What has been handed on is to arrive, so the connection then ends in order. */
    private static Fault fault(Moment moment) {
        return moment == Moment.BEFORE ? Fault.cut() : Fault.end();
    }

    @Override
    public Set<String> expected(Act act, Direction direction) {
        return switch (act) {
            case OPEN -> Set.of("KV/Range", "Lease/LeaseGrant", "txn(put)");
            case JOIN -> Set.of("txn(put, read)");
            case JOIN_AND_CANCEL -> Set.of("txn(put, read)", "txn(delete)");
            case WAIT ->
                direction == Direction.TO_SERVER
                        ? Set.of("txn(put, read)", "watch(create)", "txn(read)")
                        : Set.of("txn(put, read)", "watch(created)", "txn(read)");
            case WAIT_IN_DOUBT -> Set.of("KV/Range", "txn(put)", "txn(read)");
            case CANCEL_IN_DOUBT -> Set.of("KV/Range", "txn(put)", "txn(delete)");
            case RELEASE_IN_DOUBT -> Set.of("KV/Range", "txn(delete)");
            case HAND_OFF -> direction == Direction.TO_SERVER ? Set.of() : Set.of("watch(events)");
            case LEAVE, RELEASE -> Set.of("txn(delete)");
            case HEARTBEAT -> Set.of("Lease/LeaseKeepAlive", "txn(read)");
            case WRITE, CREATE, COMPARE -> Set.of("txn(put)");
            case REMOVE -> Set.of("txn(put, delete)");
            case REMOVE_ITSELF -> Set.of("txn(delete)");
            case DOWNGRADE -> Set.of("txn(put)");
            case SHARE -> direction == Direction.TO_SERVER ? Set.of("txn(read)") : Set.of("watch(events)", "txn(read)");
            case PERMITS ->
                direction == Direction.TO_SERVER
                        ? Set.of("txn(put, read)", "watch(create)", "txn(read)")
                        : Set.of("txn(put, read)", "watch(created)", "txn(read)");
            case ACQUIRE_ALL ->
                direction == Direction.TO_SERVER
                        ? Set.of("txn(put, read)", "watch(create)", "txn(read)")
                        : Set.of("txn(put, read)", "watch(created)", "watch(events)");
            case CANCEL_ALL, RELEASE_ALL, LEAVE_SHARED -> Set.of("txn(delete)");
            case TIME_OUT_ALL -> Set.of("txn(put, read)"); // its time may be over before the next message
            case TAKE_TURNS ->
                direction == Direction.TO_SERVER
                        ? Set.of("txn(put, read)", "watch(create)")
                        : Set.of("txn(put, read)", "watch(events)");
            case LINGER -> Set.of("txn(put, read)", "txn(delete)");
            case RELEASE_EARLY, CANCEL_RESTING -> Set.of("txn(put, read)", "txn(read)");
            case RELEASE_IN_TIME -> Set.of("txn(put, delete)");
            case LOSE -> Set.of(); // it may hear of its loss in several ways
            case WAIT_OUT -> Set.of("txn(read)", "txn(put)");
            case ASK_TO_RELEASE -> Set.of("txn(read)", "txn(put)");
            case BE_ASKED -> direction == Direction.TO_SERVER ? Set.of("txn(put)") : Set.of("watch(events)");
            case EVICT -> Set.of("txn(read)", "txn(put, delete)");
            case FOLLOW ->
                direction == Direction.TO_SERVER
                        ? Set.of("txn(read)", "watch(create)")
                        : Set.of("txn(read)", "watch(created)", "watch(events)");
            case ADD, NUMBER, OPEN_LATCH, COUNT_DOWN, RESET_LATCH, COMMIT -> Set.of("txn(read)", "txn(put)");
            case AWAIT_LATCH ->
                direction == Direction.TO_SERVER ? Set.of("txn(read)") : Set.of("txn(read)", "watch(events)");
            case TAKE_SEAT -> Set.of("txn(put, read)", "txn(read)");
            case GIVE_SEAT_BACK -> Set.of("txn(read)", "txn(put)", "txn(delete)");
            case JOIN_GROUP -> Set.of("txn(put, read)", "txn(delete)");
            case AWAIT_BARRIER -> Set.of("txn(put, read)", "txn(put, delete)");
            case LEAVE_BARRIER -> Set.of("txn(read)");
            case ENTER_DOUBLE, LEAVE_DOUBLE -> Set.of("txn(put, read)");
            case CLOSE_DOUBLE -> Set.of("txn(put, delete)");
            case ASK, ANSWER ->
                direction == Direction.TO_SERVER
                        ? Set.of("txn(read)", "txn(put)")
                        : Set.of("txn(read)", "txn(put)", "watch(events)");
        };
    }
}
