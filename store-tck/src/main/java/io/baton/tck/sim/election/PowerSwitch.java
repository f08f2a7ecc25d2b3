package io.baton.tck.sim.election;

import io.baton.election.Breadcrumb;
import io.baton.testkit.sim.SimProcess;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What simulated fencers use: it switches off the process of a former active node or, in other runs, takes away its
 * access to the data. Neither concerns a later term of the same node, as the switch is told which term is meant.
 */
final class PowerSwitch {

    private final boolean cutsPower;
    private final Consumer<SimProcess> off;
    private final Map<String, SimNode> nodes = new HashMap<>();
    private final Map<String, Long> withoutAccess = new HashMap<>();

    /**
     * Knows no node yet.
     *
     * @param off switches off a process
     */
    PowerSwitch(boolean cutsPower, Consumer<SimProcess> off) {
        this.cutsPower = cutsPower;
        this.off = off;
    }

    void add(SimNode node) {
        nodes.put(node.address(), node);
    }

    /** Sees to it that the node does nothing any more that it began in this term or before. */
    void use(SimProcess by, Breadcrumb last) {
        SimNode node = nodes.get(last.address());
        if (node == null || node.process().dead()) {
            return;
        }
        StandbyActivity activity = node.activity();
        boolean later = activity != null && activity.term() > last.term();
        if (later) {
            return;
        }
        if (cutsPower && node.process() != by) {
            off.accept(node.process());
        } else {
            withoutAccess.merge(last.address(), last.term(), Math::max);
            fence(activity);
        }
    }

    /** A node of which it is not known whether it was fenced in that term before it got so far. */
    void fence(@Nullable StandbyActivity activity) {
        if (activity != null
                && activity.term() <= withoutAccess.getOrDefault(activity.node().address(), -1L)) {
            activity.fence();
        }
    }
}
