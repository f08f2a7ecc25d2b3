package io.baton.etcd.wire;

import io.baton.etcd.wire.EtcdAddress.Host;
import io.baton.spi.Loop;
import io.baton.spi.support.Background;
import io.grpc.Status;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Resolves a member's address. The library would log a warning with a stack trace for each unknown name, which is usual
 * where a name disappears with its member.
 */
final class AddressResolver {

    /** Called once, on the loop. The address is non-null if and only if the status is OK. */
    interface Found {
        void accept(Status status, @Nullable InetSocketAddress address);
    }

    private final Loop loop;
    private final Found found;
    private final Loop.Timer limit;
    private boolean over;

    private AddressResolver(Host host, Duration within, Loop loop, Found found) {
        this.loop = loop;
        this.found = found;
        this.limit = loop.after(
                within,
                () -> end(Status.DEADLINE_EXCEEDED.withDescription("no address of " + host + " in time"), null));
    }

    /** Resolves on a thread of its own. Successive turns return successive addresses. */
    static void of(Host host, int turn, Duration within, Loop loop, Found found) {
        var lookup = new AddressResolver(host, within, loop, found);
        if (Background.start("baton-etcd-lookup", () -> lookup.lookUp(host, turn))
                .isEmpty()) {
            Status none = Status.UNAVAILABLE.withDescription("no thread to be had to look up the address of " + host);
            lookup.deliver(() -> lookup.end(none, null));
        }
    }

    private void lookUp(Host host, int turn) {
        try {
            InetAddress[] all = InetAddress.getAllByName(host.name());
            var address = new InetSocketAddress(all[Math.floorMod(turn, all.length)], host.port());
            deliver(() -> end(Status.OK, address));
        } catch (UnknownHostException nobody) {
            deliver(() -> end(Status.UNAVAILABLE.withCause(nobody), null));
        }
    }

    private void deliver(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException closed) {
            // The coordinator has been closed, so the result has no use.
        }
    }

    private void end(Status status, @Nullable InetSocketAddress address) {
        if (!over) {
            over = true;
            limit.cancel();
            found.accept(status, address);
        }
    }
}
