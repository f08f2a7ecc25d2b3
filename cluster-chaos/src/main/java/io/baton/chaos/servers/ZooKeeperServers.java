package io.baton.chaos.servers;

import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.zookeeper.ZooKeeperEnsemble;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Three ZooKeeper servers. */
public final class ZooKeeperServers implements Servers {

    private static final Duration TICK = Duration.ofMillis(200);

    /** Five seconds: a follower that is cut off goes on answering for longer than the sessions of this run live. */
    private static final int SYNC_LIMIT = 25;

    private final ZooKeeperEnsemble ensemble;
    private final Map<Integer, WallClock> clocks;

    private ZooKeeperServers(ZooKeeperEnsemble ensemble, Map<Integer, WallClock> clocks) {
        this.ensemble = ensemble;
        this.clocks = clocks;
    }

    /**
     * Starts them.
     *
     * @param faketime what gives them wall clocks of their own; nothing leaves them this machine's
     */
    public static ZooKeeperServers start(Optional<FakeTime> faketime) throws InterruptedException {
        Map<Integer, WallClock> clocks = new HashMap<>();
        faketime.ifPresent(library -> List.of(1, 2, 3).forEach(id -> clocks.put(id, library.clock("server-" + id))));
        ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.builder()
                .tickTime(TICK)
                .syncLimit(SYNC_LIMIT)
                .environment(id -> Optional.ofNullable(clocks.get(id))
                        .map(WallClock::environment)
                        .orElse(Map.of()))
                .start();
        return new ZooKeeperServers(ensemble, clocks);
    }

    @Override
    public String what() {
        return "ZooKeeper";
    }

    @Override
    public List<Integer> members() {
        return ensemble.servers();
    }

    @Override
    public int leader() throws InterruptedException {
        return ensemble.leader();
    }

    @Override
    public InetSocketAddress address(int member) {
        return Loopback.at(ensemble.clientPort(member));
    }

    @Override
    public String uri(List<InetSocketAddress> addresses) {
        return addresses.stream()
                .map(address -> "127.0.0.1:" + address.getPort())
                .collect(Collectors.joining(",", "zk://", "/chaos?tick=" + TICK.toMillis() + "ms"));
    }

    @Override
    public void kill(int member) throws InterruptedException {
        long pid = ensemble.pid(member);
        ensemble.kill(member);
        FakeTime.forget(pid);
    }

    @Override
    public void restart(int member) {
        ensemble.restart(member);
    }

    @Override
    public void freeze(int member) {
        ensemble.freeze(member);
    }

    @Override
    public void wake(int member) throws InterruptedException {
        ensemble.thaw(member);
    }

    @Override
    public void cut(int one, int other) {
        ensemble.cut(one, other);
    }

    @Override
    public void cutOneWay(int from, int to) {
        ensemble.cutOneWay(from, to);
    }

    @Override
    public void heal() throws InterruptedException {
        ensemble.heal();
    }

    @Override
    public boolean hasWallClocks() {
        return !clocks.isEmpty();
    }

    @Override
    public void moveWallClock(int member, Duration off) {
        Optional.ofNullable(clocks.get(member)).ifPresent(clock -> clock.set(off));
    }

    @Override
    public void close() {
        List<Long> pids = members().stream().flatMap(id -> pid(id).stream()).toList();
        ensemble.close();
        pids.forEach(FakeTime::forget);
    }

    private Optional<Long> pid(int member) {
        try {
            return Optional.of(ensemble.pid(member));
        } catch (IllegalStateException doesNotRun) {
            return Optional.empty();
        }
    }
}
