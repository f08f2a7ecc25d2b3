package io.baton.tck.sim.kernel;

import java.util.HashMap;
import java.util.function.ObjLongConsumer;

/** The simulation of kernel sessions; planted bugs create it from copies of Baton's classes. */
public final class KernelSimulations implements ObjLongConsumer<String> {

    /** Creates it. */
    public KernelSimulations() {}

    @Override
    public void accept(String kind, long seed) {
        new KernelRun(seed).run(new HashMap<>());
    }
}
