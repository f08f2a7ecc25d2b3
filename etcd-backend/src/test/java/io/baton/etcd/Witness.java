package io.baton.etcd;

import static org.awaitility.Awaitility.await;

import io.baton.CoordinationException;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Reply;
import io.baton.etcd.wire.EtcdWire.Watch;
import io.baton.spi.EventLoop;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A live wire on a loop of its own, what it told in order, and requests that can be waited for. */
public final class Witness implements EtcdWire.Events, AutoCloseable {

    /** An answer. */
    public record Answer<T>(Fault fault, @Nullable T value) {
        public T get() {
            if (value == null) {
                throw new AssertionError("no answer: " + fault);
            }
            return value;
        }
    }

    private static final Duration LONG = Duration.ofSeconds(20);

    public final List<String> told = new CopyOnWriteArrayList<>();
    final List<String> troubles = new CopyOnWriteArrayList<>();
    final CompletableFuture<CoordinationException> over = new CompletableFuture<>();
    private final EventLoop loop = new EventLoop("test");
    private final CompletableFuture<EtcdWire> wire = new CompletableFuture<>();

    public Witness(Duration patience, Function<Loop, EtcdWire.Factory> wires) {
        loop.execute(() -> wire.complete(wires.apply(loop).open(patience, this)));
    }

    /** Does something with the wire, on its loop. */
    public void on(Consumer<EtcdWire> act) {
        EtcdWire made = wire.join();
        loop.execute(() -> act.accept(made));
    }

    /** Asks, and waits for the answer. */
    public <T> Answer<T> ask(Asking<T> asking) {
        return get(begin(asking));
    }

    /** Asks. */
    public <T> CompletableFuture<Answer<T>> begin(Asking<T> asking) {
        var answer = new CompletableFuture<Answer<T>>();
        on(now -> asking.ask(now, (fault, value) -> {
            told.add("answer " + fault.code());
            answer.complete(new Answer<>(fault, value));
        }));
        return answer;
    }

    /** A request. */
    public interface Asking<T> {
        void ask(EtcdWire wire, Reply<T> reply);
    }

    public Seen watch(Range range, long from) {
        var seen = new Seen();
        on(now -> seen.watch.complete(now.watch(range, from, seen)));
        return seen;
    }

    public Witness awaitConnected() {
        await().atMost(LONG).until(() -> told.contains("connected"));
        return this;
    }

    public void awaitConnectedAgain() {
        await().atMost(LONG)
                .until(() -> told.stream().anyMatch(what -> what.startsWith("disconnected"))
                        && told.get(told.size() - 1).equals("connected"));
    }

    public CoordinationException awaitOver() {
        return get(over);
    }

    public static <T> T get(CompletableFuture<T> future) {
        try {
            return future.get(LONG.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException failed) {
            throw new AssertionError(failed);
        }
    }

    @Override
    public void connected() {
        told.add("connected");
    }

    @Override
    public void disconnected(String why) {
        told.add("disconnected: " + why);
    }

    @Override
    public void trouble(String why) {
        troubles.add(why);
    }

    @Override
    public void rejected(CoordinationException why) {
        told.add("over");
        over.complete(why);
    }

    @Override
    public void close() {
        on(EtcdWire::close);
        loop.execute(loop::close);
    }

    /** What a watch saw. */
    public final class Seen implements EtcdWire.Watcher {

        public final CompletableFuture<Watch> watch = new CompletableFuture<>();
        public final CompletableFuture<Header> created = new CompletableFuture<>();
        public final CompletableFuture<Fault> ended = new CompletableFuture<>();
        public final List<Event> events = new CopyOnWriteArrayList<>();
        public final List<List<Event>> batches = new CopyOnWriteArrayList<>();

        @Override
        public void created(Header header) {
            created.complete(header);
        }

        @Override
        public void events(List<Event> now, Header header) {
            batches.add(now);
            events.addAll(now);
        }

        @Override
        public void ended(Fault why) {
            told.add("ended " + why.code());
            ended.complete(why);
        }
    }
}
