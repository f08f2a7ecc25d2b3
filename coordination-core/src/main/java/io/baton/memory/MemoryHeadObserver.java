package io.baton.memory;

import io.baton.spi.HeadListener;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One client's observation of the first entry of a line. It skips changes made while out of contact. */
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

    /** The listener is not called after this. On the loop. */
    void stop() {
        stopped = true;
    }

    boolean stopped() {
        return stopped;
    }

    /** The first entry of a line has changed. Under the store's lock. */
    void changed(String line) {
        if (line.equals(path) && !lease.isCut()) {
            resync();
        }
    }

    /** Notifies the client of the first entry. Under the store's lock. */
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
