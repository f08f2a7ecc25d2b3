package io.baton.zookeeper;

import io.baton.testkit.sim.SimPipe;
import java.util.function.LongSupplier;

/**
 * The connection between a leader and one follower: one ordered stream each way. Either end closes it; the other end
 * hears of that behind what was sent before, or never, and gives up by itself when it has heard nothing for long.
 */
final class SimZkLink {

    private final SimZkReign reign;
    private final SimZkServer follower;
    private final SimPipe up;
    private final SimPipe down;
    private boolean leaderOpen = true;
    private boolean followerOpen = true;
    private boolean synced;
    private long heardByLeader;
    private long heardByFollower;
    private long askedZxid;
    private long askedAt;
    private long nextZxid;
    private long nextAt;

    SimZkLink(SimZkReign reign, SimZkServer follower, LongSupplier latency) {
        this.reign = reign;
        this.follower = follower;
        this.up = new SimPipe(reign.ensemble().sim, latency);
        this.down = new SimPipe(reign.ensemble().sim, latency);
        this.heardByLeader = reign.leader().clock();
        this.heardByFollower = follower.clock();
    }

    SimZkReign reign() {
        return reign;
    }

    SimZkServer follower() {
        return follower;
    }

    void toLeader(Runnable said) {
        up.send(() -> {
            if (leaderOpen) {
                heardByLeader = reign.leader().clock();
                said.run();
            }
        });
    }

    void toFollower(Runnable said) {
        down.send(() -> {
            if (followerOpen) {
                heardByFollower = follower.clock();
                said.run();
            }
        });
    }

    /** Nothing arrives at the leader, at the follower, or at both before this virtual time. */
    void block(boolean atLeader, boolean atFollower, long untilNanos) {
        if (atLeader) {
            up.hold(untilNanos);
        }
        if (atFollower) {
            down.hold(untilNanos);
        }
    }

    boolean open() {
        return leaderOpen && followerOpen;
    }

    /** Whether the follower has its leader's history, and messages pass in both directions. */
    boolean flows() {
        return open() && synced && up.flows() && down.flows();
    }

    /** Whether the leader still talks to this follower, and the follower has its history. */
    boolean synced() {
        return synced && leaderOpen;
    }

    void acknowledgedNewLeader() {
        synced = true;
    }

    /** Since when, by its clock, the leader has heard nothing; now if something waits to be heard. */
    long leaderHeard() {
        return up.arriving() ? reign.leader().clock() : heardByLeader;
    }

    /** The same of the follower. */
    long followerHeard() {
        return down.arriving() ? follower.clock() : heardByFollower;
    }

    void closedByFollower(boolean silently) {
        if (followerOpen) {
            followerOpen = false;
            down.cutAfter(0);
            int arrive = reign.ensemble().some(up.underWay());
            if (silently) {
                up.cutAfter(arrive);
            } else {
                up.cutAfter(arrive, () -> reign.lost(this, "the follower has closed"));
            }
        }
    }

    void closedByLeader(boolean silently) {
        if (leaderOpen) {
            leaderOpen = false;
            up.cutAfter(0);
            int arrive = reign.ensemble().some(down.underWay());
            if (silently) {
                down.cutAfter(arrive);
            } else {
                down.cutAfter(arrive, () -> follower.lost(this, "the leader has closed"));
            }
        }
    }

    // How long the leader waits for acknowledgements (LearnerHandler.SyncLimitCheck): of one proposal at a time.

    void proposed(long zxid) {
        if (!synced) {
            return;
        }
        if (askedZxid == 0) {
            askedZxid = zxid;
            askedAt = reign.leader().clock();
        } else {
            nextZxid = zxid;
            nextAt = reign.leader().clock();
        }
    }

    void acknowledged(long zxid) {
        if (zxid == askedZxid) {
            askedZxid = nextZxid;
            askedAt = nextAt;
            nextZxid = 0;
        } else if (zxid == nextZxid) {
            nextZxid = 0;
        }
    }

    /** For how long the leader has waited for an acknowledgement. */
    long waitingForAck() {
        return askedZxid == 0 ? 0 : reign.leader().clock() - askedAt;
    }
}
