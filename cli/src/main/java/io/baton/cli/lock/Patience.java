package io.baton.cli.lock;

import io.baton.cli.DurationOption;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How long to wait for the lock: one of the two options, or neither to wait without limit. */
final class Patience {

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            converter = DurationOption.class,
            description =
                    "Wait no longer than this for the store and the lock. Default: 10s for the store, for ever for the lock.")
    @Nullable
    Duration timeout;

    @Option(names = "--try", description = "Do not wait if the lock is taken.")
    boolean once;
}
