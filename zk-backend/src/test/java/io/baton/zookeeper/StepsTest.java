package io.baton.zookeeper;

import io.baton.tck.sim.StepsSuite;
import io.baton.testkit.LongRun;

class StepsTest extends StepsSuite {

    StepsTest() {
        super(new ZooKeeperSimulations(), LongRun.rounds(40, 100));
    }
}
