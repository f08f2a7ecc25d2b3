package io.baton.memory;

import io.baton.spi.HeadListener;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One client's look at who stands first in a line. What changes while it is out of contact it does not learn. */
final class MemoryHeadObserver {

    private final String path;
    private final HeadListener to;
    private final Lease lease;
    private final Lines lines;

    /** On the client's loop. */
    private boolean stopped;

    private boolean begun;
    private @Nullable MemoryEntry told;

    MemoryHeadObserver(String path, HeadListener to, Lease lease, Lines lines) {
        this.path = path;
        this.to = to;
        this.lease = lease;
        this.lines = lines;
    }

    /** Nothing is told after this. On the loop. */
    void stop() {
        stopped = true;
    }

    boolean stopped() {
        return stopped;
    }

    /** Somebody else stands first in a line now, or nobody. Under the store's lock. */
    void changed(String line) {
        if (line.equals(path) && !lease.isCut()) {
            resync();
        }
    }

    /** Tells who stands first. Under the store's lock. */
    void resync() {
        MemoryEntry first = lines.first(path);
        lease.deliver("head", () -> {
            if (!stopped && !(begun && first == told)) {
                begun = true;
                told = first;
                to.head(Optional.ofNullable(first).map(MemoryEntry::entry));
            }
        });
    }
}
