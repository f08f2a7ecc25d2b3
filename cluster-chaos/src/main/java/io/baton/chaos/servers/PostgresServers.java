package io.baton.chaos.servers;

import io.baton.testkit.database.LocalPostgres;
import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.TcpProxy;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A PostgreSQL primary, and a standby that follows it asynchronously. Both force to disk what they do by default. There are
 * two places for servers, each with an address of its own; a third address leads to the primary, wherever that is.
 */
public final class PostgresServers implements DatabaseServers {

    private static final List<Integer> PLACES = List.of(1, 2);
    private static final String PLACE = "/chaos";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long POLL_MILLIS = 10;

    /** By so much a clock that was moved may differ from what it should show, on a busy machine. */
    private static final Duration TOLERANCE = Duration.ofSeconds(20);

    private final Map<Integer, WallClock> clocks = new HashMap<>();
    private final Map<Integer, TcpProxy> doors = new HashMap<>();
    private final Map<Integer, LocalPostgres> servers = new HashMap<>();
    private final String version;
    private final String database;
    private final TcpProxy front;
    private TcpProxy replication;
    private int primary = 1;

    private PostgresServers(Optional<FakeTime> faketime) {
        faketime.ifPresent(library -> PLACES.forEach(place -> clocks.put(place, library.clock("server-" + place))));
        LocalPostgres first = builder(1).start();
        servers.put(1, first);
        front = TcpProxy.to(first.address());
        replication = TcpProxy.to(first.address());
        PLACES.forEach(place -> doors.put(place, TcpProxy.to(first.address())));
        database = first.uri(PLACE).replaceFirst(".*:" + first.port(), "");
        version = ask("show server_version").replaceFirst(" .*", "");
    }

    /**
     * Starts them.
     *
     * @param faketime what gives them wall clocks of their own; nothing leaves them this machine's
     * @throws IllegalStateException if there is no PostgreSQL here, or if it does not see those clocks
     */
    public static PostgresServers start(Optional<FakeTime> faketime) {
        PostgresServers started = new PostgresServers(faketime);
        try {
            if (started.hasWallClocks()) {
                started.moveWallClock(started.primary, Duration.ofHours(-1));
                started.moveWallClock(started.primary, Duration.ZERO);
            }
            started.addStandby(2);
            return started;
        } catch (RuntimeException broken) {
            started.close();
            throw broken;
        }
    }

    private LocalPostgres.Builder builder(int place) {
        return LocalPostgres.builder()
                .setting("max_connections", "200")
                .setting("wal_keep_size", "256MB")
                // Or who wants a copy waits for a checkpoint of several seconds.
                .setting("checkpoint_completion_target", "0.1")
                .setting("wal_retrieve_retry_interval", "200ms")
                // Where it is deleted with the server's directory, also after a SIGKILL.
                .setting("dynamic_shared_memory_type", "mmap")
                .environment(Optional.ofNullable(clocks.get(place))
                        .map(WallClock::environment)
                        .orElse(Map.of()));
    }

    private void addStandby(int place) {
        replication.close();
        replication = TcpProxy.to(server().address());
        LocalPostgres standby = standby(place);
        servers.put(place, standby);
        door(place).retarget(standby.address());
    }

    private LocalPostgres standby(int place) {
        try {
            return builder(place).startStandby(replication.address());
        } catch (RuntimeException broken) {
            throw new IllegalStateException("no standby could be built; the primary says:\n" + server().log(), broken);
        }
    }

    @Override
    public String what() {
        return "PostgreSQL " + version + ", a primary and an asynchronous standby";
    }

    @Override
    public List<Integer> members() {
        return PLACES;
    }

    @Override
    public int primary() {
        return primary;
    }

    @Override
    public InetSocketAddress address(int member) {
        return front.address();
    }

    /** By the first address alone: all lead to the primary. */
    @Override
    public String uri(List<InetSocketAddress> addresses) {
        return url(addresses.subList(0, 1));
    }

    /** In every other place the client finds the primary itself. */
    @Override
    public Entrance entrance(int place) {
        return place % 2 == 1
                ? new Entrance(false, this::address, this::uri)
                : new Entrance(false, member -> door(member).address(), this::url);
    }

    private String url(List<InetSocketAddress> addresses) {
        List<String> hosts = addresses.stream()
                .map(address -> "127.0.0.1:" + address.getPort())
                .toList();
        return "jdbc:postgresql://" + String.join(",", hosts) + database;
    }

    @Override
    public void kill() {
        crash(server());
    }

    private static void crash(LocalPostgres server) {
        long pid = server.pid();
        server.crash();
        FakeTime.forget(pid);
    }

    @Override
    public void restart() {
        server().restart();
    }

    @Override
    public void killOneProcess() {
        long pid = Long.parseLong(ask("select pid from pg_stat_activity where datname = current_database()"
                + " and pid <> pg_backend_pid() order by random() limit 1"));
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    @Override
    public void freeze() {
        server().freeze();
    }

    @Override
    public void wake() {
        server().wake();
    }

    @Override
    public void cut() {
        ways().forEach(TcpProxy::cut);
    }

    @Override
    public void hold(Direction... directions) {
        ways().forEach(way -> way.hold(directions));
    }

    @Override
    public Promotion promote(Duration lag) throws InterruptedException {
        int next = 3 - primary;
        long safe = awaitReplicated();
        if (!lag.isZero()) {
            replication.hold();
            TimeUnit.NANOSECONDS.sleep(lag.toNanos());
        }
        LocalPostgres former = server();
        crash(former);
        long gone = System.nanoTime();
        // What is on its way to the standby is lost.
        replication.close();
        Objects.requireNonNull(servers.get(next)).promote();
        primary = next;
        front.retarget(server().address());
        servers.remove(3 - primary);
        former.close();
        return new Promotion(primary, safe, gone);
    }

    @Override
    public void rebuild() {
        int place = 3 - primary;
        if (!servers.containsKey(place)) {
            addStandby(place);
        }
    }

    /** Waits until the standby has all that is on the primary's disk now. Returns a moment before that. */
    private long awaitReplicated() throws InterruptedException {
        long now = System.nanoTime();
        String end = ask("select pg_current_wal_flush_lsn()");
        while (ask("select count(*) from pg_stat_replication where flush_lsn >= ?::pg_lsn", end)
                .equals("0")) {
            if (System.nanoTime() - now > PATIENCE.toNanos()) {
                throw new IllegalStateException("the standby does not follow the primary");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return now;
    }

    @Override
    public void heal() {
        ways().forEach(TcpProxy::release);
        server().wake();
        server().serve();
        rebuild();
    }

    @Override
    public boolean hasWallClocks() {
        return !clocks.isEmpty();
    }

    /** Also asks the primary for the time, if it is that one's. */
    @Override
    public void moveWallClock(int member, Duration off) {
        Objects.requireNonNull(clocks.get(member)).set(off);
        if (member == primary) {
            double shown = Double.parseDouble(ask("select extract(epoch from clock_timestamp())"));
            double expected = System.currentTimeMillis() / 1000.0 + off.toMillis() / 1000.0;
            if (Math.abs(shown - expected) > TOLERANCE.toSeconds()) {
                throw new IllegalStateException("the server's wall clock shows " + shown + " and not " + expected
                        + ": the user that it runs as has to be able to read libfaketime and the folder of the histories");
            }
        }
    }

    @Override
    public void close() {
        ways().forEach(TcpProxy::close);
        replication.close();
        servers.values().forEach(server -> {
            Optional<Long> pid = server.isRunning() ? Optional.of(server.pid()) : Optional.empty();
            server.close();
            pid.ifPresent(FakeTime::forget);
        });
    }

    private List<TcpProxy> ways() {
        List<TcpProxy> ways = new ArrayList<>(doors.values());
        ways.add(front);
        return ways;
    }

    private TcpProxy door(int place) {
        return Objects.requireNonNull(doors.get(place));
    }

    private LocalPostgres server() {
        return Objects.requireNonNull(servers.get(primary));
    }

    /** Asks the primary itself. */
    private String ask(String query, String... values) {
        try (Connection connection =
                        DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + server().port() + database);
                PreparedStatement statement = connection.prepareStatement(query)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return String.valueOf(rows.getString(1));
            }
        } catch (SQLException refused) {
            throw new IllegalStateException("the primary does not answer", refused);
        }
    }
}
