package io.baton.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinatorOptions;
import io.baton.Telemetry;
import io.baton.internal.client.DefaultCoordinator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What telemetry is told of a configuration. */
class ConfigTelemetryTest {

    private final Rig rig = new Rig("telemetry");
    private final List<String> told = new ArrayList<>();

    @Test
    void configuration_appliedRejectedOutOfContactAndBack_isTold() {
        rig.write("a", "1");
        var telemetry = new Telemetry() {
            @Override
            public void configuration(Configuration event) {
                told.add(event.what() + " " + event.source() + " " + event.rejected());
            }
        };
        DefaultCoordinator app = DefaultCoordinator.start(
                rig.store,
                rig.loop,
                rig.loop,
                CoordinatorOptions.builder()
                        .client("app")
                        .ttl(Rig.TTL)
                        .telemetry(telemetry)
                        .build());
        LiveConfig config = rig.open(LiveConfig.builder(app));
        config.bind("a", Integer.class);
        rig.write("a", "x");
        rig.write("a", "2");
        rig.cutFor(Duration.ofSeconds(3), () -> {});
        config.close();
        rig.write("a", "3");

        assertThat(told)
                .startsWith("CONFIRMED BUNDLED ", "APPLIED LIVE ")
                .anyMatch(each -> each.startsWith("REJECTED LIVE a: a must be a whole number"))
                .containsSubsequence("APPLIED LIVE ", "UNCONFIRMED LIVE ", "CONFIRMED LIVE ");
    }
}
