package io.baton.etcd;

import io.baton.tck.sim.StepsSuite;
import org.junit.jupiter.api.Tag;

@Tag("long") // looks at what the simulations reach, not at Baton
class EtcdStepsTest extends StepsSuite {

    EtcdStepsTest() {
        super(new EtcdSimulations());
    }
}
