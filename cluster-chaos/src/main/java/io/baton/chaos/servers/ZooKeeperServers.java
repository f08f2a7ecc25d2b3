package io.baton.chaos.servers;

import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.zookeeper.ZooKeeperEnsemble;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Three ZooKeeper servers. */
public final class ZooKeeperServers implements ServerCluster {

    private static final Duration TICK = Duration.ofMillis(200);

    /** Two seconds: followers that hear nothing elect another leader soon. */
    private static final int SHORT_SYNC_LIMIT = 10;

    /** Ten seconds: a follower that is cut off goes on answering for much longer than sessions live. */
    private static final int LONG_SYNC_LIMIT = 50;

    private final ZooKeeperEnsemble ensemble;
    private final int syncLimit;
    private final Map<Integer, WallClock> clocks;
    private final Optional<ZooKeeperOperator> operator;

    private ZooKeeperServers(
            ZooKeeperEnsemble ensemble,
            int syncLimit,
            Map<Integer, WallClock> clocks,
            Optional<ZooKeeperOperator> operator) {
        this.ensemble = ensemble;
        this.syncLimit = syncLimit;
        this.clocks = clocks;
        this.operator = operator;
    }

    /**
     * Starts them. Clients speak in the clear.
     *
     * @param faketime what gives them wall clocks of their own; nothing leaves them this machine's
     * @param patient whether those who are cut off from each other take long to give each other up: then they answer
     *     their clients for long, and otherwise there are more elections
     */
    public static ZooKeeperServers start(Optional<FakeTime> faketime, boolean patient) throws InterruptedException {
        Map<Integer, WallClock> clocks = clocks(faketime);
        int syncLimit = patient ? LONG_SYNC_LIMIT : SHORT_SYNC_LIMIT;
        return new ZooKeeperServers(builder(clocks, syncLimit).start(), syncLimit, clocks, Optional.empty());
    }

    /**
     * Starts them, with certificates, and with quotas that are enforced.
     *
     * @param folder where the clients' settings go
     */
    public static ZooKeeperServers start(Optional<FakeTime> faketime, boolean patient, Path folder)
            throws InterruptedException {
        CertificateFiles certificates = new CertificateFiles(folder);
        Map<Integer, WallClock> clocks = clocks(faketime);
        int syncLimit = patient ? LONG_SYNC_LIMIT : SHORT_SYNC_LIMIT;
        ZooKeeperEnsemble ensemble = builder(clocks, syncLimit)
                .setting("enforceQuota", "true")
                .secondPort(certificates.servers(), certificates.authority())
                .start();
        ZooKeeperOperator operator = new ZooKeeperOperator(ensemble.connectString(), certificates, folder);
        return new ZooKeeperServers(ensemble, syncLimit, clocks, Optional.of(operator));
    }

    private static Map<Integer, WallClock> clocks(Optional<FakeTime> faketime) {
        Map<Integer, WallClock> clocks = new HashMap<>();
        faketime.ifPresent(library -> List.of(1, 2, 3).forEach(id -> clocks.put(id, library.clock("server-" + id))));
        return clocks;
    }

    private static ZooKeeperEnsemble.Builder builder(Map<Integer, WallClock> clocks, int syncLimit) {
        return ZooKeeperEnsemble.builder()
                .tickTime(TICK)
                .syncLimit(syncLimit)
                .environment(id -> Optional.ofNullable(clocks.get(id))
                        .map(WallClock::environment)
                        .orElse(Map.of()));
    }

    @Override
    public String what() {
        return "3 servers of ZooKeeper with a syncLimit of "
                + TICK.multipliedBy(syncLimit).toSeconds() + " s";
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
        return uri("zk", addresses);
    }

    @Override
    public Entrance entrance(int place) {
        return place % 2 == 1
                ? new Entrance(false, this::address, this::uri)
                : new Entrance(
                        true,
                        member -> Loopback.at(ensemble.securePort(member)),
                        addresses ->
                                uri("zks", addresses) + "&config=" + operator().settings());
    }

    @Override
    public void permit(String lock, Permission permission) {
        operator().permit(lock, permission);
    }

    @Override
    public void useUpSpace(boolean up) {
        operator().useUpSpace(up);
    }

    @Override
    public void renewCertificates(Duration lasts) {
        operator().certificates().renew(lasts);
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

    private static String uri(String scheme, List<InetSocketAddress> addresses) {
        String path = ZooKeeperOperator.ROOT + "?tick=" + TICK.toMillis() + "ms";
        return addresses.stream()
                .map(address -> "127.0.0.1:" + address.getPort())
                .collect(Collectors.joining(",", scheme + "://", path));
    }

    private ZooKeeperOperator operator() {
        return operator.orElseThrow(() -> new UnsupportedOperationException("there are no certificates here"));
    }

    private Optional<Long> pid(int member) {
        try {
            return Optional.of(ensemble.pid(member));
        } catch (IllegalStateException doesNotRun) {
            return Optional.empty();
        }
    }
}
