package io.baton.config.internal.cache;

import io.baton.config.internal.active.ActiveConfig;
import io.baton.recipe.Callbacks;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.LogLimit;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the state in use to the cache file, on callback threads. It makes one write at a time, of the newest state,
 * then pauses ten times as long as that took. So frequent changes do not wear out a disk. A failed write is repeated
 * later and affects nothing else. Any thread.
 */
public final class CacheWriter {

    private static final Logger log = LoggerFactory.getLogger(CacheWriter.class);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(30);
    private static final int PAUSES = 10;

    private final ClientLoop loop;
    private final Callbacks callbacks;
    private final Disk disk;
    private final LogLimit warnings = new LogLimit(1, Duration.ofMinutes(5));
    private final Object lock = new Object();
    private @Nullable ActiveConfig newest;
    private boolean writing;
    private boolean pausing;
    private boolean ended;
    private final CompletableFuture<Void> over = new CompletableFuture<>();

    /** Writes the cache. */
    public interface Disk {
        /** Writes this to disk; at the end of this process only if no other process has written there. */
        void write(ActiveConfig now, boolean atTheEnd) throws IOException;
    }

    public CacheWriter(ClientLoop loop, Callbacks callbacks, Disk disk) {
        this.loop = loop;
        this.callbacks = callbacks;
        this.disk = disk;
    }

    /** Sets the state to write, in place of any earlier one. */
    public void offer(ActiveConfig now) {
        synchronized (lock) {
            if (ended) {
                return;
            }
            newest = now;
        }
        writeNext();
    }

    /**
     * Ends writing. A waiting state is written without a pause. Does not wait: completes once nothing is left to write.
     */
    public CompletableFuture<Void> end() {
        synchronized (lock) {
            ended = true;
            pausing = false;
        }
        writeNext();
        return over;
    }

    private void writeNext() {
        boolean nothingLeft;
        synchronized (lock) {
            nothingLeft = ended && newest == null && !writing;
            if (!nothingLeft && (newest == null || writing || pausing)) {
                return;
            }
            writing = !nothingLeft;
        }
        if (nothingLeft) {
            over.complete(null);
        } else if (!callbacks.run(this::write)) {
            log.debug("The cache is not written: the coordinator is closed");
            over.complete(null);
        }
    }

    private void write() {
        ActiveConfig now;
        synchronized (lock) {
            now = newest;
            newest = null;
        }
        if (now != null) {
            long begun = loop.nanoTime();
            boolean written = tryToWrite(now);
            Duration pause = written ? Duration.ofNanos(loop.nanoTime() - begun).multipliedBy(PAUSES) : AFTER_FAILURE;
            pause(written ? null : now, pause);
        }
    }

    private void pause(@Nullable ActiveConfig again, Duration pause) {
        synchronized (lock) {
            if (newest == null) {
                newest = again;
            }
            writing = false;
            pausing = !pause.isZero() && !ended;
            if (ended && again != null) {
                newest = null;
            }
        }
        if (ended()) {
            writeNext();
        } else {
            var unused = loop.after(pause, this::resume);
        }
    }

    private boolean ended() {
        synchronized (lock) {
            return ended;
        }
    }

    private void resume() {
        synchronized (lock) {
            pausing = false;
        }
        writeNext();
    }

    private boolean tryToWrite(ActiveConfig now) {
        try {
            disk.write(now, ended());
            return true;
        } catch (Throwable failed) {
            if (warnings.admit(Instant.ofEpochMilli(loop.wallMillis())).isPresent()) {
                log.warn("The cache cannot be written, and is tried again: {}", failed.toString());
            }
            return false;
        }
    }
}
