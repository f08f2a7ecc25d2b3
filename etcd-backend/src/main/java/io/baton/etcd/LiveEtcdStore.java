package io.baton.etcd;

import io.baton.Dialect;
import io.baton.etcd.wire.EtcdAddress;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.LiveEtcdWire;
import io.baton.etcd.wire.MeteredEtcdWire;
import io.baton.etcd.wire.Settings;
import io.baton.spi.Guarantees;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.spi.Store;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** An etcd cluster, or what lies below a root in it. */
public final class LiveEtcdStore implements Store {

    /** Below the server's default limit of a request (1.5 MiB) with room for keys and comparisons. */
    public static final int MAX_BYTES = 1_400_000;

    /** The server's default limit of operations, and of comparisons, in a transaction is 128; some are ours. */
    static final int MAX_OPS = 126;

    /** The leader looks for leases that have run out every 500 ms. */
    static final Duration EXPIRY_LAG = Duration.ofMillis(500);

    private final EtcdAddress address;
    private final Settings settings;

    /** The cluster's id, so that each session is in the cluster of the former one; 0 before the first contact. */
    private final AtomicLong cluster = new AtomicLong();

    LiveEtcdStore(EtcdAddress address, Settings settings) {
        this.address = address;
        this.settings = settings;
    }

    @Override
    public Guarantees guarantees() {
        return Guarantees.ofQuorum(MAX_OPS, MAX_BYTES, EXPIRY_LAG);
    }

    @Override
    public void check(Line line) {
        if (!line.dialect().equals(Dialect.BATON)) {
            throw new IllegalArgumentException("there are no locks of dialect " + line.dialect()
                    + " on etcd, only of baton, which etcd's own clients understand");
        } else if (line.exact() && address.holdsOwnKeys(line)) {
            throw new IllegalArgumentException("there can be no line at " + line.path()
                    + ": its entries would be mixed with other keys that Baton keeps below " + address.key(""));
        }
    }

    @Override
    public Session open(SessionSpec spec, Loop loop, SessionListener to) {
        EtcdWire.Factory wires = MeteredEtcdWire.ifWanted(LiveEtcdWire.to(address, settings, cluster, loop), loop, to);
        return new EtcdSession(address, spec, Timing.of(spec), loop, wires, to);
    }

    @Override
    public String toString() {
        return address.toString();
    }
}
