package io.baton.chaos;

import io.baton.chaos.servers.EtcdServers;
import io.baton.chaos.servers.FakeTime;
import io.baton.chaos.servers.MariaDbServers;
import io.baton.chaos.servers.PostgresServers;
import io.baton.chaos.servers.Servers;
import io.baton.chaos.servers.ZooKeeperServers;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** The stores that can be disturbed. */
enum StoreKind {
    ZOOKEEPER(Duration.ofSeconds(4), 48) {
        @Override
        Servers start(Optional<FakeTime> faketime, RunSettings settings) throws InterruptedException {
            return ZooKeeperServers.start(faketime, settings.seed() % 2 == 0, settings.folder());
        }
    },
    /** Below 4 s a woken leader may end leases before sessions have moved away from it, as docs/decisions/0012 tells. */
    ETCD(Duration.ofSeconds(6), 64) {
        @Override
        Servers start(Optional<FakeTime> faketime, RunSettings settings) {
            return EtcdServers.start(settings.names().allLocks(), settings.folder());
        }
    },
    POSTGRES(Duration.ofSeconds(6), 64) {
        @Override
        Servers start(Optional<FakeTime> faketime, RunSettings settings) {
            return PostgresServers.start(faketime, settings.manning().ttl(), settings.folder());
        }
    },
    MARIADB(Duration.ofSeconds(6), 64) {
        @Override
        Servers start(Optional<FakeTime> faketime, RunSettings settings) {
            return MariaDbServers.start(settings.manning().ttl(), settings.folder());
        }
    };

    private final Duration ttl;
    private final int heapMegabytes;

    StoreKind(Duration ttl, int heapMegabytes) {
        this.ttl = ttl;
        this.heapMegabytes = heapMegabytes;
    }

    /** Starts its servers; what can be chosen of them is decided by the seed. */
    abstract Servers start(Optional<FakeTime> faketime, RunSettings settings) throws InterruptedException;

    /** Whether the tokens of all locks together are in the order in which entries were made. */
    boolean hasTokensInOneOrder() {
        return this == ZOOKEEPER || this == ETCD;
    }

    /** How long sessions live unless somebody says otherwise. */
    Duration ttl() {
        return ttl;
    }

    /** What a client process may use unless somebody says otherwise. */
    int heapMegabytes() {
        return heapMegabytes;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
