package io.baton.chaos.servers;

import io.baton.testkit.database.LocalMariaDb;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;

/** MariaDB: the standby begins empty, and repeats the binary log of the primary, which has all since the beginning. */
public final class MariaDbServers extends ReplicatedServers<LocalMariaDb> {

    private final String version;

    private MariaDbServers(Duration ttl, Path folder) {
        super(builder().start(), ttl, folder);
        version = ask(server(), "select version()").replaceFirst("-.*", "");
    }

    /**
     * Starts them. They show this machine's wall clock.
     *
     * @param ttl of the clients' sessions; the quiet time after a crash is as long as the longest
     * @param folder where their logs go
     * @throws IllegalStateException if there is no MariaDB here
     */
    public static MariaDbServers start(Duration ttl, Path folder) {
        MariaDbServers started = new MariaDbServers(ttl, folder);
        try {
            started.addStandby(2);
            return started;
        } catch (RuntimeException broken) {
            started.close();
            throw broken;
        }
    }

    private static LocalMariaDb.Builder builder() {
        return LocalMariaDb.builder()
                .withReplicas()
                .setting("max-connections", "200")
                .setting("log-warnings", "2")
                // What a new standby has to repeat may be long.
                .setting("slave-parallel-threads", "4");
    }

    @Override
    LocalMariaDb follower(int place, InetSocketAddress leader) {
        LocalMariaDb standby = builder().start();
        try {
            standby.follow(leader);
            return standby;
        } catch (RuntimeException broken) {
            standby.close();
            throw broken;
        }
    }

    @Override
    String protocol() {
        return "jdbc:mariadb:";
    }

    @Override
    public String what() {
        return "MariaDB " + version + ", a primary and an asynchronous standby";
    }

    /** Ends the connection of one client: all are served by one process. */
    @Override
    public void killOneProcess() {
        String one = ask(
                server(),
                "select id from information_schema.processlist where db = database() and id <> connection_id()"
                        + " order by rand() limit 1");
        attempt(server(), "kill connection " + one); // it may have ended by itself
    }

    @Override
    long awaitReplicated() {
        long now = System.nanoTime();
        standby().awaitAllOf(server());
        return now;
    }

    @Override
    public boolean hasWallClocks() {
        return false;
    }

    @Override
    public void moveWallClock(int member, Duration off) {
        throw new UnsupportedOperationException("the servers show this machine's wall clock");
    }
}
