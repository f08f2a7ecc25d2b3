package io.baton.cli.config;

import io.baton.config.ConfigListener;
import io.baton.config.KeyChange;
import java.time.Instant;
import java.util.List;
import java.util.Queue;

/** Passes changes on, except the first call, which holds the initial values. */
final class LaterChanges implements ConfigListener {

    private final Queue<WatchOutput> seen;
    private boolean begun;

    LaterChanges(Queue<WatchOutput> seen) {
        this.seen = seen;
    }

    @Override
    public void changed(List<KeyChange> changes, long revision) {
        if (begun) {
            seen.add(new WatchOutput.Changed(Instant.now(), changes, revision));
        }
        begun = true;
    }
}
