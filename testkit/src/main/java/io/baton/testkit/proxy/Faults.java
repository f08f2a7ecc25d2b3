package io.baton.testkit.proxy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Arms faults that strike at one of the messages that pass a proxy from now on, on any connection.
 *
 * <pre>{@code
 * TcpProxy proxy = TcpProxy.to(server.address(), new ZooKeeperFraming());
 * Trigger lost = proxy.faults().at(Direction.TO_CLIENT, 1, "create2"::equals, Moment.BEFORE, Fault.cut());
 * client.create(...); // is applied, but its answer never arrives
 * await().until(lost::fired);
 * }</pre>
 *
 * <p>A message counts when the proxy is about to forward it, after any hold or delay. It sets off at most one fault,
 * the one that was armed first. Another fault that is due waits for the next message.
 *
 * <p><b>Threads.</b> Any thread may call any method. An armed fault counts every message that is forwarded after the
 * method has returned.
 */
public final class Faults {

    private final ProxyLoop loop;

    /** On the proxy's thread. */
    private final List<Trigger> triggers = new ArrayList<>();

    Faults(ProxyLoop loop) {
        this.loop = loop;
    }

    /** Arms a fault that strikes at the n-th message in this direction, counted from 1. */
    public Trigger at(Direction direction, int n, Moment moment, Fault fault) {
        return at(direction, n, name -> true, moment, fault);
    }

    /**
     * Arms a fault that strikes at the n-th matching message in this direction, counted from 1.
     *
     * @param which tests the name that the proxy's {@link Framing} gives; called on the proxy's thread
     */
    public Trigger at(Direction direction, int n, Predicate<String> which, Moment moment, Fault fault) {
        return arm(new Trigger(loop, this, null, direction, which, n, moment, fault));
    }

    Trigger arm(Trigger trigger) {
        loop.call(() -> triggers.add(trigger));
        return trigger;
    }

    /**
     * Counts a message about to be forwarded and returns the fault that it sets off, or null. On the proxy's thread.
     */
    @Nullable
    Trigger count(Direction direction, String name) {
        Trigger first = null;
        for (Iterator<Trigger> each = triggers.iterator(); each.hasNext(); ) {
            Trigger trigger = each.next();
            if (!trigger.armed()) {
                each.remove();
            } else if (trigger.count(direction, name) && first == null) {
                first = trigger;
                each.remove();
            }
        }
        if (first != null) {
            first.chosen();
        }
        return first;
    }
}
