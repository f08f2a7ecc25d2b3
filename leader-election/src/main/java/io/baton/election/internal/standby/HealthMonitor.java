package io.baton.election.internal.standby;

import io.baton.election.StandbyStatus.Health;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Texts;
import io.baton.spi.Loop;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs health checks, one at a time, and reports changes of health. On the loop. */
final class HealthMonitor {

    private static final Loop.Timer NONE = () -> {};

    private final HealthRules rules;
    private final String thread;
    private final HookExecutor hands;
    private final ClientLoop loop;
    private final NodeProblems troubles;
    private final Consumer<Health> to;

    private HealthTally tally = HealthTally.START;
    private Loop.Timer timer = NONE;
    private HookExecutor.@Nullable Job running;
    private boolean over;

    HealthMonitor(
            HealthRules rules,
            String thread,
            HookExecutor hands,
            ClientLoop loop,
            NodeProblems troubles,
            Consumer<Health> to) {
        this.rules = rules;
        this.thread = thread;
        this.hands = hands;
        this.loop = loop;
        this.troubles = troubles;
        this.to = to;
    }

    void start() {
        check();
    }

    void stop() {
        over = true;
        timer.cancel();
        if (running != null) {
            running.interrupt();
        }
    }

    private void check() {
        if (over) {
            return;
        }
        if (running != null) {
            onResult("the health check of before has not returned yet");
            return;
        }
        AtomicBoolean healthy = new AtomicBoolean();
        boolean[] late = {false};
        running = hands.begin(
                thread,
                () -> healthy.set(rules.check().isHealthy()),
                thrown -> {
                    running = null;
                    if (!late[0]) {
                        onResult(failure(healthy.get(), thrown));
                    }
                },
                () -> {});
        timer = loop.after(rules.timeout(), () -> {
            late[0] = true;
            if (running != null) {
                running.interrupt();
            }
            onResult("the health check has not returned within " + Texts.of(rules.timeout()));
        });
    }

    private static @Nullable String failure(boolean healthy, @Nullable Throwable thrown) {
        if (thrown != null) {
            return "the health check failed: " + thrown;
        }
        return healthy ? null : "the health check says no";
    }

    private void onResult(@Nullable String failure) {
        if (over) {
            return;
        }
        timer.cancel();
        timer = loop.after(rules.every(), this::check);
        if (failure == null) {
            troubles.resolved(NodeProblems.Kind.HEALTH);
        } else {
            troubles.report(NodeProblems.Kind.HEALTH, failure);
        }
        Health before = tally.health();
        tally = tally.next(failure == null, rules.failures(), rules.successes());
        if (tally.health() != before) {
            to.accept(tally.health());
        }
    }
}
