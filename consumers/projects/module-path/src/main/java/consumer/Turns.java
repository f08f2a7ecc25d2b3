package consumer;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.config.ConfigStore;
import io.baton.config.LiveConfig;
import io.baton.election.LeaderElection;
import java.time.Duration;

/** What a service does with Baton, in a module of its own. */
final class Turns {

    /** On a busy machine, the classes of a store take a while. */
    private static final CoordinatorOptions PATIENT =
            CoordinatorOptions.builder().connectTimeout(Duration.ofMinutes(1)).build();

    private Turns() {}

    static boolean holds(String store) throws InterruptedException {
        try (Coordinator baton = Coordinator.connect(store, PATIENT);
                Hold hold = baton.lock("orders").acquire()) {
            return !hold.remaining().isZero();
        }
    }

    static boolean someoneLeads(String store) throws InterruptedException {
        try (Coordinator baton = Coordinator.connect(store, PATIENT);
                var observer = LeaderElection.named(baton, "dispatcher").observe()) {
            return observer.leader().isPresent();
        }
    }

    static String configured(String store, String sessions) throws InterruptedException {
        try (Coordinator baton = Coordinator.connect(store, PATIENT)) {
            ConfigStore.of(baton).edit().put("limits.yaml", "sessions: " + sessions).commit();
            try (LiveConfig config = LiveConfig.builder(baton).open()) {
                return config.explain("limits.sessions").toString();
            }
        }
    }
}
