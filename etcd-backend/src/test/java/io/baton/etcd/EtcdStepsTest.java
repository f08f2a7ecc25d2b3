package io.baton.etcd;

import io.baton.tck.sim.StepsSuite;

class EtcdStepsTest extends StepsSuite {

    EtcdStepsTest() {
        super(new EtcdSimulations(), 100);
    }
}
