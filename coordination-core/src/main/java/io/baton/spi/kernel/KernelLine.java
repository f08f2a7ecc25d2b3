package io.baton.spi.kernel;

import io.baton.spi.Entry;
import io.baton.spi.HeadListener;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.kernel.StepWire.Reply;
import io.baton.spi.kernel.StepWire.Topic;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Follows a line.
 *
 * @param <T> what is read of it
 */
final class KernelLine<T> extends TopicFollower {

    private final Consumer<Reply<T>> read;
    private final BiPredicate<T, T> same;
    private final Consumer<T> to;
    private final Supplier<CompletableFuture<Void>> whenTold;
    private @Nullable T newest;
    private @Nullable T told;

    private KernelLine(
            KernelSession session,
            Topic topic,
            Consumer<Reply<T>> read,
            BiPredicate<T, T> same,
            Supplier<CompletableFuture<Void>> whenTold,
            Consumer<T> to) {
        super(session, topic);
        this.whenTold = whenTold;
        this.read = read;
        this.same = same;
        this.to = to;
    }

    static KernelLine<Optional<Entry>> head(KernelSession session, Line line, HeadListener to) {
        return new KernelLine<>(
                session,
                new Topic.Head(line),
                reply -> session.wire().first(line, reply),
                KernelLine::sameEntry,
                () -> CompletableFuture.completedFuture(null),
                to::head);
    }

    static KernelLine<List<Peer>> peers(KernelSession session, Line line, Consumer<List<Peer>> to) {
        return new KernelLine<>(
                session,
                new Topic.Entries(line),
                reply -> session.wire().peers(line, reply),
                List::equals,
                () -> session.mayCount(line),
                to);
    }

    @Override
    void read() {
        read.accept(reply(this::answered));
    }

    private void answered(T now) {
        newest = now;
        CompletableFuture<Void> may = whenTold.get();
        if (may.isDone()) {
            tell(now);
        } else {
            var unused = may.thenRun(() -> {
                if (!isStopped()) {
                    tell(newest);
                }
            });
        }
    }

    @Override
    void forget() {}

    private void tell(@Nullable T now) {
        if (now != null && (told == null || !same.test(told, now))) {
            told = now;
            to.accept(now);
        }
    }

    private static boolean sameEntry(Optional<Entry> one, Optional<Entry> other) {
        return one.isPresent() == other.isPresent()
                && one.map(entry -> entry.peer().equals(other.orElseThrow().peer())
                                && Arrays.equals(
                                        entry.payload(), other.orElseThrow().payload()))
                        .orElse(true);
    }
}
