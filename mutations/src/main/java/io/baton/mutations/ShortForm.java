package io.baton.mutations;

import java.util.List;

/**
 * What {@code ./verify} runs each time: classes on which safety rests, each judged by its own unit test. These tests wait
 * for nothing and are quick, so a busy machine does not change what they notice. Some are judged by a few seeds as well.
 */
final class ShortForm {

    /** What has to be noticed of each class, in percent. */
    static final int LEAST_BY_TESTS = 85;

    /** What has to be noticed of each class that is simulated, in percent. */
    static final int LEAST_BY_SEEDS = 30;

    static final int SEEDS = 10;

    private static final List<String> CLASSES = List.of(
            "io.baton.etcd.Evidence",
            "io.baton.etcd.Beats",
            "io.baton.etcd.Timing",
            "io.baton.zookeeper.Evidence",
            "io.baton.zookeeper.Beats",
            "io.baton.internal.AcquisitionMachine",
            "io.baton.election.CandidacyMachine",
            "io.baton.election.StandbyMachine");

    private static final List<String> SIMULATED = List.of("io.baton.etcd.Evidence");

    private ShortForm() {}

    static boolean has(Target target) {
        return CLASSES.contains(target.type());
    }

    static boolean simulates(Target target) {
        return SIMULATED.contains(target.type());
    }

    /** Whether this class of tests judges one of the classes. */
    static boolean judges(String test) {
        return CLASSES.stream().anyMatch(each -> test.equals(each + "Test"));
    }
}
