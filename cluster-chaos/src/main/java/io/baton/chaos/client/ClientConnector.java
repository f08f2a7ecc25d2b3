package io.baton.chaos.client;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Telemetry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Connects the coordinators of a client process. */
record ClientConnector(ClientArguments arguments, CountDownLatch stop) {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int AFTER_TROUBLE_MILLIS = 200;

    /** Until it succeeds, or the process is stopped: the cluster may be in trouble just now. */
    Coordinator connect(String client, boolean rejoin, Telemetry telemetry) throws InterruptedException {
        CoordinatorOptions options = CoordinatorOptions.builder()
                .ttl(arguments.ttl())
                .client(client)
                .telemetry(telemetry)
                .rejoin(rejoin)
                .connectTimeout(PATIENCE)
                .requestTimeout(PATIENCE)
                .build();
        while (true) {
            try {
                return Coordinator.connect(arguments.uri(), options);
            } catch (CoordinationException notNow) {
                if (stop.await(AFTER_TROUBLE_MILLIS, TimeUnit.MILLISECONDS)) {
                    throw notNow;
                }
            }
        }
    }
}
