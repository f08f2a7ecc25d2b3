package io.baton.chaos.servers;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.QueueEntry;
import io.baton.testkit.database.LocalDatabase;
import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.TcpProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;

/**
 * A primary, and a standby that follows it asynchronously. There are two places for servers, each with an address of its
 * own; a third address leads to the primary, wherever that is.
 */
abstract class ReplicatedServers<S extends LocalDatabase> implements DatabaseServers {

    static final List<Integer> PLACES = List.of(1, 2);
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String PLACE = "/chaos";

    private final Map<Integer, TcpProxy> doors = new HashMap<>();
    private final Map<Integer, S> servers = new HashMap<>();
    private final ReentrantLock operation = new ReentrantLock();
    private final Duration ttl;
    private final String database;
    private final Path folder;
    private final TcpProxy front;
    private TcpProxy replication;
    private int primary = 1;

    /**
     * Starts without a standby.
     *
     * @param ttl of the clients' sessions; the quiet time after a crash is as long as the longest
     * @param folder where their logs go
     */
    ReplicatedServers(S first, Duration ttl, Path folder) {
        this.ttl = ttl;
        this.folder = folder;
        servers.put(primary, first);
        front = TcpProxy.to(first.address());
        replication = TcpProxy.to(first.address());
        PLACES.forEach(place -> doors.put(place, TcpProxy.to(first.address())));
        database = first.uri(PLACE).replaceFirst(".*:" + first.port(), "");
    }

    /** Starts a server in this place that follows the one at this address. */
    abstract S follower(int place, InetSocketAddress leader);

    /** Waits until the standby has all that the primary has now. Returns a moment before that. */
    abstract long awaitReplicated() throws InterruptedException;

    /** Where a JDBC URL begins, before the hosts. */
    abstract String protocol();

    /** A server in this place has started. */
    void started(int place) {}

    /** The server in this place is about to start again. */
    void starting(int place) {}

    final void addStandby(int place) {
        replication.close();
        replication = TcpProxy.to(server().address());
        S standby = built(place);
        servers.put(place, standby);
        started(place);
        door(place).retarget(standby.address());
    }

    private S built(int place) {
        try {
            return follower(place, replication.address());
        } catch (RuntimeException broken) {
            keepLog(server());
            throw new IllegalStateException("no standby could be built; what the primary says is in " + folder, broken);
        }
    }

    @Override
    public final List<Integer> members() {
        return PLACES;
    }

    @Override
    public final int primary() {
        return primary;
    }

    @Override
    public final InetSocketAddress address(int member) {
        return front.address();
    }

    final InetSocketAddress ownAddress(int place) {
        return door(place).address();
    }

    /** By the first address alone: all lead to the primary. */
    @Override
    public final String uri(List<InetSocketAddress> addresses) {
        return url(addresses.subList(0, 1));
    }

    @Override
    public Entrance entrance(int place) {
        return new Entrance(false, this::address, this::uri);
    }

    final String url(List<InetSocketAddress> addresses) {
        List<String> hosts = addresses.stream()
                .map(address -> "127.0.0.1:" + address.getPort())
                .toList();
        return protocol() + "//" + String.join(",", hosts) + database;
    }

    @Override
    public final void kill() {
        crash(server());
    }

    private void crash(S server) {
        long pid = server.pid();
        server.crash();
        FakeTime.forget(pid);
    }

    @Override
    public final void restart() {
        starting(primary);
        server().restart();
        started(primary);
    }

    @Override
    public final void freeze() {
        server().freeze();
    }

    @Override
    public final void wake() {
        server().wake();
    }

    @Override
    public final void cut() {
        ways().forEach(TcpProxy::cut);
    }

    @Override
    public final void hold(Direction... directions) {
        ways().forEach(way -> way.hold(directions));
    }

    @Override
    public final void evictFirst(String lock, LongConsumer before) throws InterruptedException {
        operation.lock();
        try (Coordinator operator = Coordinator.connect(
                url(List.of(server().address())),
                CoordinatorOptions.builder().ttl(ttl).client("operator").build())) {
            Optional<QueueEntry> first = operator.lock(lock).queue().stream().findFirst();
            if (first.isPresent()) {
                before.accept(first.get().token());
                boolean unused = operator.lock(lock).evict(first.get(), "chaos");
            }
        } finally {
            operation.unlock();
        }
    }

    @Override
    public final Promotion promote(Duration lag) throws InterruptedException {
        operation.lock();
        try {
            return promoteNow(lag);
        } finally {
            operation.unlock();
        }
    }

    private Promotion promoteNow(Duration lag) throws InterruptedException {
        int next = 3 - primary;
        long safe = awaitReplicated();
        if (!lag.isZero()) {
            replication.hold();
            TimeUnit.NANOSECONDS.sleep(lag.toNanos());
        }
        S former = server();
        crash(former);
        long gone = System.nanoTime();
        // What is on its way to the standby is lost.
        replication.close();
        standby().promote();
        primary = next;
        front.retarget(server().address());
        servers.remove(3 - primary);
        keepLog(former);
        former.close();
        return new Promotion(primary, safe, gone);
    }

    @Override
    public final void rebuild() {
        operation.lock();
        try {
            int place = 3 - primary;
            if (!servers.containsKey(place)) {
                addStandby(place);
            }
        } finally {
            operation.unlock();
        }
    }

    @Override
    public final void heal() {
        ways().forEach(TcpProxy::release);
        server().wake();
        if (!server().isRunning()) {
            restart();
        }
        rebuild();
    }

    @Override
    public final void close() {
        ways().forEach(TcpProxy::close);
        replication.close();
        servers.values().forEach(server -> {
            keepLog(server);
            Optional<Long> pid = server.isRunning() ? Optional.of(server.pid()) : Optional.empty();
            server.close();
            pid.ifPresent(FakeTime::forget);
        });
    }

    private void keepLog(S server) {
        try {
            Files.copy(
                    server.log(),
                    folder.resolve("server-" + server.port() + ".log"),
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot keep the log of a server", broken);
        }
    }

    private List<TcpProxy> ways() {
        List<TcpProxy> ways = new ArrayList<>(doors.values());
        ways.add(front);
        return ways;
    }

    private TcpProxy door(int place) {
        return Objects.requireNonNull(doors.get(place));
    }

    final S server() {
        return server(primary);
    }

    final S standby() {
        return server(3 - primary);
    }

    final S server(int place) {
        return Objects.requireNonNull(servers.get(place));
    }

    /** Lets a server itself do something, which it may refuse. */
    final void attempt(S server, String statement) {
        try (Connection connection = connect(server);
                Statement sql = connection.createStatement()) {
            sql.execute(statement);
        } catch (SQLException refused) {
            return;
        }
    }

    /** Asks a server itself. */
    final String ask(S server, String query, String... values) {
        try (Connection connection = connect(server);
                PreparedStatement statement = connection.prepareStatement(query)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return String.valueOf(rows.getString(1));
            }
        } catch (SQLException refused) {
            throw new IllegalStateException("a server does not answer", refused);
        }
    }

    private Connection connect(S server) throws SQLException {
        return DriverManager.getConnection(protocol() + "//127.0.0.1:" + server.port() + database);
    }
}
