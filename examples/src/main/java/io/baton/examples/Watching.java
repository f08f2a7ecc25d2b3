package io.baton.examples;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.SessionState;
import io.baton.Slf4jTelemetry;
import io.baton.Trouble;
import io.baton.micrometer.MicrometerTelemetry;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** What operators see of a service: log lines, meters, and an answer for its health endpoint. */
final class Watching {

    private Watching() {}

    static CoordinatorOptions options(MeterRegistry registry) {
        // tag::telemetry[]
        CoordinatorOptions options = CoordinatorOptions.builder()
                .client("shipping") // appears in queues and in the names of threads
                .telemetry(
                        Slf4jTelemetry.builder().longWait(Duration.ofMinutes(1)).build())
                .telemetry(MicrometerTelemetry.builder(registry)
                        .lockGroup(name -> name.replaceFirst("-\\d+$", "")) // "order-17" becomes "order"
                        .build())
                .build();
        // end::telemetry[]
        return options;
    }

    // tag::health[]
    /** What is wrong with this process's coordination, one line each; empty if all is well. */
    static List<String> problems(Coordinator baton) {
        SessionState contact = baton.state();
        return Stream.concat(
                        Stream.of(contact)
                                .filter(state -> state != SessionState.CONNECTED)
                                .map(state -> "the session is " + state),
                        baton.trouble().stream().map(Trouble::toString))
                .toList();
    }
    // end::health[]
}
