package io.baton.etcd;

import io.baton.Dialect;
import io.baton.etcd.wire.EtcdAddress;
import io.baton.etcd.wire.EtcdWire;
import io.baton.spi.Guarantees;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.spi.Store;
import java.util.List;
import java.util.function.Consumer;

/**
 * The real policy on simulated wires, as one client has it.
 *
 * @param root below which all keys are
 * @param wires to the simulated servers
 * @param opened told of each session
 */
record SimulatedStore(String root, EtcdWire.Factory wires, Consumer<EtcdSession> opened) implements Store {

    /** The same, where nobody looks at its sessions. */
    SimulatedStore(String root, EtcdWire.Factory wires) {
        this(root, wires, session -> {});
    }

    @Override
    public Guarantees guarantees() {
        return Guarantees.ofQuorum(LiveEtcdStore.MAX_OPS, LiveEtcdStore.MAX_BYTES, LiveEtcdStore.EXPIRY_LAG);
    }

    @Override
    public void check(Line line) {
        if (line.dialect() != Dialect.BATON) {
            throw new IllegalArgumentException("not here: " + line);
        }
    }

    @Override
    public Session open(SessionSpec spec, Loop loop, SessionListener to) {
        var address = new EtcdAddress(List.of(), root, false);
        var session = new EtcdSession(address, spec, Timing.of(spec.ttl()), loop, wires, to);
        opened.accept(session);
        return session;
    }
}
