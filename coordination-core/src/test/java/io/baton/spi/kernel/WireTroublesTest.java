package io.baton.spi.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.internal.HandLoop;
import io.baton.spi.SessionSpec;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a wire cannot do beside the steps is a trouble of its session. */
class WireTroublesTest {

    @Test
    void troubled_andResolved_areToldTheListenerOfTheSession() {
        List<String> told = new ArrayList<>();
        AtomicReference<StepWire.Events> events = new AtomicReference<>();
        StepWire silent = (StepWire) Proxy.newProxyInstance(
                StepWire.class.getClassLoader(), new Class<?>[] {StepWire.class}, (own, step, with) -> null);
        HandLoop loop = new HandLoop();
        var ignored = KernelSession.open(
                (id, ttl, client, on, to) -> {
                    events.set(to);
                    return silent;
                },
                "session",
                new SessionSpec(Duration.ofSeconds(4), "test"),
                Duration.ofSeconds(2),
                loop,
                new NoListener() {
                    @Override
                    public void troubled(String what, String why) {
                        told.add(what + ": " + why);
                    }

                    @Override
                    public void resolved(String what) {
                        told.add("resolved " + what);
                    }
                });

        StepWire.Events wire = Objects.requireNonNull(events.get());
        wire.troubled("Cannot tidy up", "no right");
        wire.resolved("Cannot tidy up");

        assertThat(told).containsExactly("Cannot tidy up: no right", "resolved Cannot tidy up");
    }
}
