package io.baton.chaos.election;

import io.baton.chaos.history.Event;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** All that the processes of an electorate have told, as it comes in. Any thread. */
public final class Chronicle {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition added = lock.newCondition();
    private final List<Event> events = new ArrayList<>();

    /** Nothing so far. */
    public Chronicle() {}

    /** Adds what somebody has told. */
    public void add(Event event) {
        lock.lock();
        try {
            events.add(event);
            added.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** All there is, in order of time. */
    public List<Event> events() {
        lock.lock();
        try {
            return events.stream()
                    .sorted(Comparator.comparingLong(Event::nanos))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** The last one like this, by time. */
    public Optional<Event> last(Predicate<Event> like) {
        lock.lock();
        try {
            return events.stream().filter(like).max(Comparator.comparingLong(Event::nanos));
        } finally {
            lock.unlock();
        }
    }

    /**
     * The first one like this that has come in or does within this time.
     *
     * @return empty if there was none
     */
    public Optional<Event> await(Predicate<Event> like, Duration patience) throws InterruptedException {
        long left = patience.toNanos();
        int seen = 0;
        lock.lockInterruptibly();
        try {
            while (true) {
                for (; seen < events.size(); seen++) {
                    if (like.test(events.get(seen))) {
                        return Optional.of(events.get(seen));
                    }
                }
                if (left <= 0) {
                    return Optional.empty();
                }
                left = added.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Writes it all down, in order of time. */
    public void write(Path file) {
        try {
            Files.write(file, events().stream().map(Event::line).toList());
        } catch (IOException refused) {
            throw new UncheckedIOException("cannot write " + file, refused);
        }
    }
}
