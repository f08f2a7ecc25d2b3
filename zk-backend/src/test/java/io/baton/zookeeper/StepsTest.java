package io.baton.zookeeper;

import io.baton.tck.sim.StepsSuite;
import org.junit.jupiter.api.Tag;

@Tag("long") // looks at what the simulations reach, not at Baton
class StepsTest extends StepsSuite {

    StepsTest() {
        super(new ZooKeeperSimulations());
    }
}
