package io.baton.chaos.servers;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.QueueEntry;
import io.baton.testkit.database.LocalPostgres;
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
import java.time.Duration;
import java.time.Instant;
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
 * A PostgreSQL primary, and a standby that follows it asynchronously. Both force to disk what they do by default. There are
 * two places for servers, each with an address of its own; a third address leads to the primary, wherever that is.
 */
public final class PostgresServers implements DatabaseServers {

    private static final List<Integer> PLACES = List.of(1, 2);
    private static final String PLACE = "/chaos";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long POLL_MILLIS = 10;

    /** By so much a clock that was moved may differ from what it should show, on a busy machine. */
    private static final Duration TOLERANCE = Duration.ofSeconds(10);

    private final Map<Integer, FollowedClock> clocks = new HashMap<>();
    private final Map<Integer, TcpProxy> doors = new HashMap<>();
    private final Map<Integer, LocalPostgres> servers = new HashMap<>();
    private final ReentrantLock operation = new ReentrantLock();
    private final Duration ttl;
    private final String version;
    private final String database;
    private final Path folder;
    private final TcpProxy front;
    private TcpProxy replication;
    private int primary = 1;

    private PostgresServers(Optional<FakeTime> faketime, Duration ttl, Path folder) {
        this.ttl = ttl;
        this.folder = folder;
        faketime.ifPresent(
                library -> PLACES.forEach(place -> clocks.put(place, library.followedClock("server-" + place))));
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
     * @param ttl of the clients' sessions; the quiet time after a crash is as long as the longest
     * @param folder where their logs go
     * @throws IllegalStateException if there is no PostgreSQL here, or if it does not see those clocks
     */
    public static PostgresServers start(Optional<FakeTime> faketime, Duration ttl, Path folder) {
        PostgresServers started = new PostgresServers(faketime, ttl, folder);
        try {
            if (started.hasWallClocks()) {
                started.setRight(started.primary);
                started.moveWallClock(started.primary, Duration.ofHours(1));
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
                .setting("log_line_prefix", "%m [%p] ")
                .setting("log_lock_waits", "on")
                .setting("log_min_duration_statement", "1s")
                .setting("wal_keep_size", "256MB")
                // Or who wants a copy waits for a checkpoint of several seconds.
                .setting("checkpoint_completion_target", "0.1")
                .setting("wal_retrieve_retry_interval", "200ms")
                // Where it is deleted with the server's directory, also after a SIGKILL.
                .setting("dynamic_shared_memory_type", "mmap")
                .environment(Optional.ofNullable(clocks.get(place))
                        .map(FollowedClock::environment)
                        .orElse(Map.of()));
    }

    private void addStandby(int place) {
        replication.close();
        replication = TcpProxy.to(server().address());
        LocalPostgres standby = standby(place);
        servers.put(place, standby);
        setRight(place);
        door(place).retarget(standby.address());
    }

    private LocalPostgres standby(int place) {
        try {
            return builder(place).startStandby(replication.address());
        } catch (RuntimeException broken) {
            keepLog(server());
            throw new IllegalStateException("no standby could be built; what the primary says is in " + folder, broken);
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
        clock(primary).ifPresent(FollowedClock::starting);
        server().restart();
        setRight(primary);
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
    public void evictFirst(String lock, LongConsumer before) throws InterruptedException {
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
    public Promotion promote(Duration lag) throws InterruptedException {
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
        LocalPostgres former = server();
        crash(former);
        long gone = System.nanoTime();
        // What is on its way to the standby is lost.
        replication.close();
        Objects.requireNonNull(servers.get(next)).promote();
        primary = next;
        front.retarget(server().address());
        servers.remove(3 - primary);
        keepLog(former);
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
        if (!server().isRunning()) {
            restart();
        }
        rebuild();
    }

    @Override
    public boolean hasWallClocks() {
        return !clocks.isEmpty();
    }

    /** Also asks the server for the time. */
    @Override
    public void moveWallClock(int member, Duration off) {
        clock(member).ifPresent(clock -> clock.set(off));
        Instant shown = time(member);
        Instant expected = Instant.now().plus(off);
        if (Duration.between(shown, expected).abs().compareTo(TOLERANCE) > 0) {
            throw new IllegalStateException("the server's wall clock shows " + shown + " and not " + expected
                    + ": the user that it runs as has to be able to read libfaketime and the folder of the histories");
        }
    }

    private Optional<FollowedClock> clock(int place) {
        return Optional.ofNullable(clocks.get(place));
    }

    /** A server that has started shows about the right time. */
    private void setRight(int place) {
        clock(place).ifPresent(clock -> {
            clock.shown(time(place));
            moveWallClock(place, Duration.ZERO);
        });
    }

    private Instant time(int place) {
        String shown =
                ask(Objects.requireNonNull(servers.get(place)), "select extract(epoch from clock_timestamp()) * 1000");
        return Instant.ofEpochMilli((long) Double.parseDouble(shown));
    }

    @Override
    public void close() {
        ways().forEach(TcpProxy::close);
        replication.close();
        servers.values().forEach(server -> {
            keepLog(server);
            Optional<Long> pid = server.isRunning() ? Optional.of(server.pid()) : Optional.empty();
            server.close();
            pid.ifPresent(FakeTime::forget);
        });
    }

    private void keepLog(LocalPostgres server) {
        try {
            Files.copy(
                    server.log(),
                    folder.resolve("postgres-" + server.port() + ".log"),
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

    private LocalPostgres server() {
        return Objects.requireNonNull(servers.get(primary));
    }

    private String ask(String query, String... values) {
        return ask(server(), query, values);
    }

    /** Asks a server itself. */
    private String ask(LocalPostgres server, String query, String... values) {
        try (Connection connection =
                        DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + server.port() + database);
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
}
