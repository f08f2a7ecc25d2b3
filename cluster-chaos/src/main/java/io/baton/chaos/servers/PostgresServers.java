package io.baton.chaos.servers;

import io.baton.testkit.database.LocalPostgres;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** PostgreSQL: both force to disk what they do by default, and the standby follows by streaming replication. */
public final class PostgresServers extends ReplicatedServers<LocalPostgres> {

    private static final long POLL_MILLIS = 10;

    /** By so much a clock that was moved may differ from what it should show, on a busy machine. */
    private static final Duration TOLERANCE = Duration.ofSeconds(10);

    private final Map<Integer, FollowedClock> clocks;
    private final String version;

    private PostgresServers(Map<Integer, FollowedClock> clocks, Duration ttl, Path folder) {
        super(builder(clocks, 1).start(), ttl, folder);
        this.clocks = clocks;
        version = ask(server(), "show server_version").replaceFirst(" .*", "");
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
        Map<Integer, FollowedClock> clocks = new HashMap<>();
        faketime.ifPresent(
                library -> PLACES.forEach(place -> clocks.put(place, library.followedClock("server-" + place))));
        PostgresServers started = new PostgresServers(clocks, ttl, folder);
        try {
            if (started.hasWallClocks()) {
                started.started(started.primary());
                started.moveWallClock(started.primary(), Duration.ofHours(1));
                started.moveWallClock(started.primary(), Duration.ZERO);
            }
            started.addStandby(2);
            return started;
        } catch (RuntimeException broken) {
            started.close();
            throw broken;
        }
    }

    private static LocalPostgres.Builder builder(Map<Integer, FollowedClock> clocks, int place) {
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

    @Override
    LocalPostgres follower(int place, InetSocketAddress leader) {
        return builder(clocks, place).startStandby(leader);
    }

    @Override
    String protocol() {
        return "jdbc:postgresql:";
    }

    @Override
    public String what() {
        return "PostgreSQL " + version + ", a primary and an asynchronous standby";
    }

    /** In every other place the client finds the primary itself. */
    @Override
    public Entrance entrance(int place) {
        return place % 2 == 1 ? super.entrance(place) : new Entrance(false, this::ownAddress, this::url);
    }

    @Override
    public void killOneProcess() {
        long pid = Long.parseLong(ask(
                server(),
                "select pid from pg_stat_activity where datname = current_database()"
                        + " and pid <> pg_backend_pid() order by random() limit 1"));
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    /** What is on the primary's disk now is what counts. */
    @Override
    long awaitReplicated() throws InterruptedException {
        long now = System.nanoTime();
        String end = ask(server(), "select pg_current_wal_flush_lsn()");
        while (ask(server(), "select count(*) from pg_stat_replication where flush_lsn >= ?::pg_lsn", end)
                .equals("0")) {
            if (System.nanoTime() - now > PATIENCE.toNanos()) {
                throw new IllegalStateException("the standby does not follow the primary");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return now;
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

    @Override
    void starting(int place) {
        clock(place).ifPresent(FollowedClock::starting);
    }

    /** A server that has started shows about the right time. */
    @Override
    void started(int place) {
        clock(place).ifPresent(clock -> {
            clock.shown(time(place));
            moveWallClock(place, Duration.ZERO);
        });
    }

    private Instant time(int place) {
        String shown = ask(server(place), "select extract(epoch from clock_timestamp()) * 1000");
        return Instant.ofEpochMilli((long) Double.parseDouble(shown));
    }
}
