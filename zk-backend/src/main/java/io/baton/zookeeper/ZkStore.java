package io.baton.zookeeper;

import io.baton.spi.Guarantees;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import io.baton.spi.Names;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.spi.Store;
import io.baton.spi.support.AdaptiveLimit;
import io.baton.zookeeper.wire.Acl;
import io.baton.zookeeper.wire.LiveZkWire;
import io.baton.zookeeper.wire.MeteredWire;
import io.baton.zookeeper.wire.Settings;
import io.baton.zookeeper.wire.SharedZkWire;
import io.baton.zookeeper.wire.ZkAddress;
import io.baton.zookeeper.wire.ZkWire;
import java.util.function.Function;
import org.apache.zookeeper.common.PathUtils;

/** A ZooKeeper ensemble, or a tree below a chroot of it. */
final class ZkStore implements Store {

    /** Leaves room for paths below the server's default packet limit ({@code jute.maxbuffer}, 1 MiB). */
    static final int MAX_BYTES = 1_000_000;

    private static final int MAX_OPS = 500;

    private final ZkAddress address;
    private final Function<Loop, ZkWire.Factory> wires;
    private final int window;
    private final Positions positions = new Positions();

    ZkStore(ZkAddress address, Function<Loop, ZkWire.Factory> wires) {
        this(address, wires, RequestWindow.SIZE);
    }

    /** {@code window} limits the joins, the removals and the single requests that a session has in flight. */
    ZkStore(ZkAddress address, Function<Loop, ZkWire.Factory> wires, int window) {
        this.address = address;
        this.wires = wires;
        this.window = window;
    }

    /** A store with connections of its own. */
    static ZkStore at(ZkAddress address, Settings settings) {
        return new ZkStore(address, loop -> LiveZkWire.to(address, settings, loop));
    }

    /** A store on an existing client. */
    static ZkStore on(SharedZkWire.Handles handles, ZkAddress address, Acl acl) {
        return new ZkStore(address, loop -> SharedZkWire.on(handles, address, acl, loop));
    }

    /** A server rounds session expiry up to the next whole tick. */
    @Override
    public Guarantees guarantees() {
        return Guarantees.ofQuorum(MAX_OPS, MAX_BYTES, address.tick());
    }

    @Override
    public void check(Line line) {
        String path = line.exact() ? Names.checkRootedPath(line.path()) : address.path(line.path());
        PathUtils.validatePath(path);
        Naming.of(line); // throws for a dialect that ZooKeeper does not have
        if (path.equals("/zookeeper") || path.startsWith("/zookeeper/")) {
            throw new IllegalArgumentException("/zookeeper is the server's own tree: " + path);
        }
    }

    @Override
    public Session open(SessionSpec spec, Loop loop, SessionListener to) {
        Timing timing = Timing.of(spec.ttlRaisedTo(Timing.least(address.tick())), address.tick());
        ZkWire.Factory metered = MeteredWire.ifWanted(wires.apply(loop), loop, to);
        return new ZkSession(
                address,
                spec,
                timing,
                loop,
                metered,
                to,
                positions,
                () -> AdaptiveLimit.between(RequestWindow.LEAST, window, spec.ttl()));
    }

    @Override
    public String toString() {
        return address.toString();
    }
}
