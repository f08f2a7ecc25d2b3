package io.baton.cli.config;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.config.Binding;
import io.baton.config.LiveConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A service that follows {@code port}, which must be below 100, and prints it whenever it changes. Runs until it is killed. */
final class InstanceMain {

    private InstanceMain() {}

    /** The store, the space, what it is called, and the file of its cache. */
    public static void main(String... args) throws InterruptedException {
        var options = CoordinatorOptions.builder().ttl(Duration.ofSeconds(20)).build();
        try (Coordinator baton = Coordinator.connect(args[0], options);
                LiveConfig config = LiveConfig.builder(baton)
                        .space(args[1])
                        .instance(args[2])
                        .cache(Path.of(args[3]))
                        .open();
                Binding<Integer> port = config.binding("port", Integer.class)
                        .validate(value -> value < 100, "port must be small")
                        .bind()) {
            port.onChange((before, now, changes) -> System.out.println("port " + now));
            new CountDownLatch(1).await();
        }
    }
}
