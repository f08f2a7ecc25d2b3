package io.baton.benchmarks.config;

import io.baton.Coordinator;
import io.baton.config.ConfigSource;
import io.baton.config.ListenerOptions;
import io.baton.config.LiveConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A {@link LiveConfig} with a listener for all keys. */
final class BatonFollower implements SpaceFollower {

    private final Coordinator baton;
    private @Nullable LiveConfig config;

    BatonFollower(String uri) throws InterruptedException {
        baton = Coordinator.connect(uri);
    }

    @Override
    public void follow(Heard heard) throws InterruptedException {
        LiveConfig opened =
                LiveConfig.builder(baton).startTimeout(Duration.ofMinutes(1)).open();
        config = opened;
        if (opened.status().source() != ConfigSource.LIVE) {
            throw new IllegalStateException("Baton does not reach the store");
        }
        opened.onPrefix(
                "",
                ListenerOptions.named("benchmark"),
                (changes, revision) ->
                        changes.forEach(change -> change.now().ifPresent(text -> heard.value(change.key(), text))));
    }

    @Override
    public void close() {
        if (config != null) {
            config.close();
        }
        baton.close();
    }
}
