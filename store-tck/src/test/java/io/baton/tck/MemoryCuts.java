package io.baton.tck;

import io.baton.memory.MemoryStore;
import io.baton.memory.Outage;
import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.Moment;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Cuts at the requests to a store in memory, and at what it tells. */
final class MemoryCuts implements Cuts {

    private final MemoryStore store;

    MemoryCuts(MemoryStore store) {
        this.store = store;
    }

    @Override
    public Cut at(Direction direction, Moment moment, int n) {
        return cut(store.outage("tck", when(direction, moment), n));
    }

    private static Cut cut(Outage outage) {
        return new Cut() {
            @Override
            public Optional<String> message() {
                return outage.triggeredAt();
            }

            @Override
            public Cut then(Direction direction, Moment moment, int n) {
                return cut(outage.then(when(direction, moment), n));
            }

            @Override
            public void disarm() {
                outage.cancel();
            }
        };
    }

    private static Outage.When when(Direction direction, Moment moment) {
        return switch (direction) {
            case TO_SERVER -> moment == Moment.BEFORE ? Outage.When.BEFORE_REQUEST : Outage.When.AFTER_REQUEST;
            case TO_CLIENT ->
                moment == Moment.BEFORE ? Outage.When.BEFORE_NOTIFICATION : Outage.When.AFTER_NOTIFICATION;
        };
    }

    /** A request that is lost, and one whose answer is. */
    @Override
    public List<Moment> moments() {
        return List.of(Moment.values());
    }

    @Override
    public boolean eachOfDozens() {
        return true;
    }

    @Override
    public Set<String> expected(Act act, Direction direction) {
        boolean asked = direction == Direction.TO_SERVER;
        return switch (act) {
            case OPEN -> Set.of("attach");
            case JOIN -> Set.of("join");
            case WAIT_IN_DOUBT -> Set.of("attach");
            case CANCEL_IN_DOUBT -> Set.of("attach");
            case JOIN_AND_CANCEL -> Set.of("join", "leave");
            case WAIT -> Set.of("join");
            case HAND_OFF -> asked ? Set.of() : Set.of("clear");
            case LEAVE, RELEASE -> Set.of("leave");
            case RELEASE_IN_DOUBT -> Set.of("attach");
            case HEARTBEAT -> Set.of("beat");
            case WRITE, CREATE, COMPARE, REMOVE, REMOVE_ITSELF, COMMIT -> Set.of("transact");
            case ADD, NUMBER, OPEN_LATCH, COUNT_DOWN, RESET_LATCH -> Set.of("get", "transact");
            case AWAIT_LATCH -> asked ? Set.of("get") : Set.of("get", "changed");
            case TAKE_SEAT -> Set.of("get", "join"); // the hint is written behind it
            case GIVE_SEAT_BACK -> Set.of("get", "transact", "leave");
            case JOIN_GROUP -> Set.of("join", "leave");
            case LEAVE_BARRIER -> Set.of("get"); // its time may be over before it has joined
            case AWAIT_BARRIER -> asked ? Set.of("join", "transact") : Set.of("join");
            case ENTER_DOUBLE, LEAVE_DOUBLE -> asked ? Set.of("join", "transact") : Set.of("join");
            case CLOSE_DOUBLE -> asked ? Set.of("transact") : Set.of();
            case ASK, ANSWER -> asked ? Set.of("get", "transact") : Set.of("get", "transact", "changed");
            case DOWNGRADE -> Set.of("downgrade");
            case SHARE -> asked ? Set.of() : Set.of("clear");
            case PERMITS -> asked ? Set.of("join", "observe", "get") : Set.of("join", "get", "changed");
            case ACQUIRE_ALL -> asked ? Set.of("join") : Set.of("join", "clear");
            case CANCEL_ALL, RELEASE_ALL -> Set.of("leave");
            case TIME_OUT_ALL -> Set.of("join"); // its time may be over before the next message
            case TAKE_TURNS -> asked ? Set.of("join", "observe", "leave") : Set.of("join", "clear", "leave");
            case LEAVE_SHARED -> Set.of("leave");
            case LINGER -> Set.of("join", "leave");
            case RELEASE_EARLY -> Set.of("join", "get", "transact");
            case CANCEL_RESTING -> Set.of("join", "get"); // it may be cancelled before the next message
            case RELEASE_IN_TIME -> Set.of("transact");
            case LOSE -> asked ? Set.of() : Set.of("gone");
            case WAIT_OUT -> asked ? Set.of("get", "transact") : Set.of("clear", "get", "transact");
            case ASK_TO_RELEASE -> Set.of("get", "transact");
            case BE_ASKED -> asked ? Set.of("transact") : Set.of("changed", "transact");
            case EVICT -> Set.of("transact");
            case FOLLOW -> asked ? Set.of() : Set.of("snapshot", "changed");
        };
    }
}
