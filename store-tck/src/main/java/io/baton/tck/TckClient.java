package io.baton.tck;

import io.baton.CoordinationException;
import io.baton.spi.Entry;
import io.baton.spi.EventLoop;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A session with its own loop that records the events it receives. It calls the session on that loop, as required, and
 * records every {@link #breaches breach} of the rules for callbacks.
 */
final class TckClient implements SessionListener {

    private final EventLoop loop;
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final List<String> breaches = new CopyOnWriteArrayList<>();
    private final AtomicInteger proofs = new AtomicInteger();

    /** Used on the loop only. */
    private final List<TckContender> contenders = new ArrayList<>();

    private boolean calling;

    private volatile @Nullable Session session;
    private volatile @Nullable CoordinationException whyLost;

    private TckClient(String name) {
        loop = new EventLoop(name + "-loop");
    }

    static TckClient open(Store store, String name, Duration ttl) {
        TckClient client = new TckClient(name);
        client.run(() ->
                client.session = client.call(() -> store.open(new SessionSpec(ttl, name), client.loop, client)));
        return client;
    }

    // ---- calls ----

    Session session() {
        Session opened = session;
        if (opened == null) {
            throw new IllegalStateException("the session has not been opened");
        }
        return opened;
    }

    /** Joins a line; the contender records the events from then on. */
    TckContender join(String line) {
        return onLoop(() -> joinNow(line));
    }

    /** As {@link #join}, for code that runs on the loop. */
    TckContender joinNow(String line) {
        return joinNow(line, contender -> {});
    }

    /** Joins, with an action to run on the loop when clear. */
    TckContender joinNow(String line, Consumer<TckContender> onClear) {
        TckContender contender = new TckContender(this, onClear);
        contenders.add(contender);
        contender.placed(call(() -> session().join(Line.of(line), new byte[] {1, 2, 3}, contender)));
        return contender;
    }

    /** Calls the session on the loop and waits for the answer; rethrows the cause of a failure. */
    <T> T ask(Function<Session, CompletionStage<T>> question) throws InterruptedException {
        return Chapter.outcome(asking(question));
    }

    /** Calls the session on the loop. */
    <T> CompletableFuture<T> asking(Function<Session, CompletionStage<T>> question) {
        var answer = new CompletableFuture<T>();
        run(() -> call(() -> question.apply(session())).whenComplete((value, failure) -> {
            if (!loop.inside()) {
                breaches.add("answered on " + Thread.currentThread().getName());
            }
            if (failure != null) {
                answer.completeExceptionally(failure);
            } else {
                answer.complete(value);
            }
        }));
        return answer;
    }

    List<Peer> peers(String line) throws InterruptedException {
        return ask(session -> session.peers(Line.of(line)));
    }

    boolean free(String line) throws InterruptedException {
        return ask(session -> session.isFree(Line.of(line)));
    }

    Optional<Entry> details(Peer peer) throws InterruptedException {
        return ask(session -> session.details(peer));
    }

    /** Runs a task on the loop and waits for it. */
    void run(Runnable task) {
        onLoop(() -> {
            task.run();
            return true;
        });
    }

    /** Runs a task on the loop after a delay. */
    void later(Duration delay, Runnable task) {
        loop.after(delay, task);
    }

    long nanosLeft() {
        return nanosLeft(loop.nanoTime());
    }

    /** The time left by the best proof so far. */
    long nanosLeft(long now) {
        return session().proof().remainingNanos(now);
    }

    /** Ends the session. It needs the loop until it has given its connections up. */
    void close() {
        CompletableFuture<Void> ended = asking(Session::close);
        Chapter.soon().until(() -> told.contains("lost") && ended.isDone());
        loop.close();
    }

    // ---- events ----

    /** {@code connected}, {@code suspended} and {@code lost}, in the order of the events. */
    List<String> told() {
        return told;
    }

    int proofs() {
        return proofs.get();
    }

    @Nullable
    CoordinationException whyLost() {
        return whyLost;
    }

    /** Events on the wrong thread, at the wrong time or in the wrong order. */
    List<String> breaches() {
        return breaches;
    }

    @Override
    public void connected() {
        note("connected");
    }

    @Override
    public void suspended() {
        note("suspended");
    }

    @Override
    public void proven() {
        proofs.incrementAndGet();
        check("proven");
    }

    @Override
    public void lost(CoordinationException why) {
        whyLost = why;
        contenders.stream()
                .filter(contender -> !contender.isOver())
                .forEach(contender -> breaches.add("lost was told before a place was told gone"));
        note("lost");
    }

    /** Records a breach unless this callback obeys the rules. */
    void check(String what) {
        if (!loop.inside()) {
            breaches.add(what + " was told on " + Thread.currentThread().getName());
        } else if (calling) {
            breaches.add(what + " was told from within a call");
        }
    }

    void breach(String what) {
        breaches.add(what);
    }

    private void note(String event) {
        check(event);
        if (told.contains("lost")) {
            breaches.add(event + " was told after lost");
        }
        told.add(event);
    }

    /** Marks the time of a call, during which no callback may run. */
    <T> T call(Supplier<T> call) {
        boolean outer = calling;
        calling = true;
        try {
            return call.get();
        } finally {
            calling = outer;
        }
    }

    /** Runs a task on the loop and returns its result. */
    <T> T onLoop(Supplier<T> task) {
        CompletableFuture<T> done = CompletableFuture.supplyAsync(task, loop);
        try {
            return Chapter.outcome(done);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }
}
