package io.baton.tck.sim.election;

import io.baton.election.Breadcrumb;
import io.baton.testkit.sim.SimProcess;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The device of simulated fencers. It switches off the process of a former active node or, in other runs, revokes its
 * access to the data. A later term of the same node is not affected, as each call names the term.
 */
final class PowerSwitch {

    private final boolean cutsPower;
    private final Consumer<SimProcess> off;
    private final Map<String, SimNode> nodes = new HashMap<>();
    private final Map<String, Long> withoutAccess = new HashMap<>();

    /**
     * Starts without nodes.
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

    /** Stops all effects of the node in this term and earlier ones. */
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

    /** Fences an activity whose term was already fenced before it began. */
    void fence(@Nullable StandbyActivity activity) {
        if (activity != null
                && activity.term() <= withoutAccess.getOrDefault(activity.node().address(), -1L)) {
            activity.fence();
        }
    }
}
