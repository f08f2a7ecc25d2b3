package io.baton.testkit.proxy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Faults that strike at a message, of all that pass a proxy from now on, on whichever connection.
 *
 * <pre>{@code
 * TcpProxy proxy = TcpProxy.to(server.address(), new ZooKeeperFraming());
 * Trigger lost = proxy.faults().at(Direction.TO_CLIENT, 1, "create2"::equals, Moment.BEFORE, Fault.cut());
 * client.create(...); // is applied, but its answer never arrives
 * await().until(lost::fired);
 * }</pre>
 *
 * <p>Messages count when they are about to be handed on, so what a hold or a delay keeps counts later. A message sets
 * off one fault at most, the one that was armed first; another one that was due waits for the next message.
 *
 * <p><b>Threads.</b> Any thread may call any method. What was armed counts every message that is handed on after the
 * method has returned.
 */
public final class Faults {

    private final ProxyLoop loop;

    /** On the proxy's thread. */
    private final List<Trigger> triggers = new ArrayList<>();

    Faults(ProxyLoop loop) {
        this.loop = loop;
    }

    /** Arms a fault that strikes at the n-th message in this direction; the first is 1. */
    public Trigger at(Direction direction, int n, Moment moment, Fault fault) {
        return at(direction, n, name -> true, moment, fault);
    }

    /**
     * Arms a fault that strikes at the n-th message in this direction of those asked for.
     *
     * @param which by the name that the proxy's {@link Framing} gives; called on the proxy's thread
     */
    public Trigger at(Direction direction, int n, Predicate<String> which, Moment moment, Fault fault) {
        return arm(new Trigger(loop, this, null, direction, which, n, moment, fault));
    }

    Trigger arm(Trigger trigger) {
        loop.call(() -> triggers.add(trigger));
        return trigger;
    }

    /** On the proxy's thread: a message is about to be handed on; the fault that it sets off. */
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
