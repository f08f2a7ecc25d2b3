package io.baton.mutations;

import java.util.List;

/**
 * What {@code ./verify} runs each time: classes on which safety rests, each judged by its own unit test alone. These tests
 * wait for nothing and are quick, so a busy machine does not change what they notice. That simulations notice breakages is
 * shown by planted bugs. Classes that are records are left out, as each of their changes takes a new JVM.
 */
final class ShortForm {

    /** What has to be noticed of each class, in percent. */
    static final int LEAST_BY_TESTS = 85;

    private static final List<String> CLASSES = List.of(
            "io.baton.etcd.Evidence",
            "io.baton.etcd.HeartbeatRequests",
            "io.baton.etcd.Timing",
            "io.baton.zookeeper.Evidence",
            "io.baton.zookeeper.HeartbeatRequests",
            "io.baton.zookeeper.PredecessorWatch",
            "io.baton.internal.lock.AcquisitionMachine",
            "io.baton.spi.support.PlaceMachine",
            "io.baton.recipe.TextLines",
            "io.baton.election.internal.candidacy.CandidacyMachine",
            "io.baton.election.internal.standby.StandbyMachine",
            "io.baton.election.internal.handover.HandOverMachine",
            "io.baton.election.internal.handover.HandOverRules",
            "io.baton.election.internal.PauseGate",
            "io.baton.election.internal.line.CandidateText",
            "io.baton.config.internal.active.Undoing",
            "io.baton.config.internal.active.EarlierStates",
            "io.baton.config.internal.active.ConsentRound",
            "io.baton.config.internal.rollout.CanaryChoice",
            "io.baton.config.internal.rollout.CanaryClock",
            "io.baton.config.internal.active.LastGood",
            "io.baton.config.values.Layers",
            "io.baton.config.values.Bundled");

    private ShortForm() {}

    /** Those of its classes that are not among these: they have another name now, and would be passed over. */
    static List<String> missing(List<Target> known) {
        List<String> types = known.stream().map(Target::type).toList();
        return CLASSES.stream().filter(each -> !types.contains(each)).toList();
    }

    static boolean has(Target target) {
        return CLASSES.contains(target.type());
    }
}
