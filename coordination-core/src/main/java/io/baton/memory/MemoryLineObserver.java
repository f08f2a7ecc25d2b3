package io.baton.memory;

import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One client's observation of a line. It skips changes made while out of contact.
 *
 * @param <T> what the client wants to know of the line, with an {@code equals} that tells changes
 */
final class MemoryLineObserver<T> {

    private final String path;
    private final Lease lease;
    private final Function<String, T> read;
    private final Consumer<T> to;

    /** Under the store's lock. */
    private @Nullable T newest;

    /** On the client's loop. */
    private boolean stopped;

    private @Nullable T told;

    /**
     * Creates an observer; {@link #resync} begins the observation.
     *
     * @param read returns what is to be known of the line at a path; under the store's lock
     */
    MemoryLineObserver(String path, Lease lease, Function<String, T> read, Consumer<T> to) {
        this.path = path;
        this.lease = lease;
        this.read = read;
        this.to = to;
    }

    /** The client is not notified after this. On its loop. */
    void stop() {
        stopped = true;
    }

    boolean stopped() {
        return stopped;
    }

    /** The entries of a line have changed. Under the store's lock. */
    void changed(String line) {
        if (line.equals(path) && !lease.isCut() && !read.apply(path).equals(newest)) {
            resync();
        }
    }

    /** Notifies the client. Under the store's lock. */
    void resync() {
        T now = read.apply(path);
        newest = now;
        lease.deliver("line", () -> {
            if (!stopped && !now.equals(told)) {
                told = now;
                to.accept(now);
            }
        });
    }
}
