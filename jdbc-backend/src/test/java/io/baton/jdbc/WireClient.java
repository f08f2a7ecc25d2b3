package io.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.spi.Claim;
import io.baton.spi.EventLoop;
import io.baton.spi.Line;
import io.baton.spi.kernel.StepWire;
import io.baton.spi.kernel.StepWire.Attached;
import io.baton.spi.kernel.StepWire.Beaten;
import io.baton.spi.kernel.StepWire.Departure;
import io.baton.spi.kernel.StepWire.Joining;
import io.baton.spi.kernel.StepWire.Reply;
import io.baton.spi.kernel.StepWire.Standing;
import io.baton.spi.kernel.StepWire.Stepped;
import io.baton.spi.kernel.StepWire.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A session's wire as a test uses it: each step waits for its answer, and events are collected. */
final class WireClient implements AutoCloseable, StepWire.Events {

    static final Duration TTL = Duration.ofSeconds(10);

    final List<String> events = new CopyOnWriteArrayList<>();
    final String session = UUID.randomUUID().toString().replace("-", "");
    private final EventLoop loop = new EventLoop("wire-test");
    private final JdbcWire wire;
    private int names;

    WireClient(String uri, Duration ttl) {
        this(JdbcAddress.parse(uri, Map.of()).database(), ttl);
    }

    WireClient(StoreDatabase database, Duration ttl) {
        wire = new JdbcWire(database, session, ttl, "test", loop, this);
    }

    static WireClient attached(String uri) {
        WireClient client = new WireClient(uri, TTL);
        Attached ignored = client.attach(true);
        return client;
    }

    <T> T await(Consumer<Reply<T>> call) {
        CompletableFuture<T> answer = send(call);
        try {
            return answer.get(60, TimeUnit.SECONDS);
        } catch (Exception failed) {
            throw new AssertionError("no answer; events " + events, failed);
        }
    }

    <T> CompletableFuture<T> send(Consumer<Reply<T>> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        loop.execute(() -> call.accept(new Reply<>() {
            @Override
            public void answered(T value) {
                answer.complete(value);
            }

            @Override
            public void refused(CoordinationException why) {
                answer.completeExceptionally(why);
            }
        }));
        return answer;
    }

    StepWire wire() {
        return wire;
    }

    void run(Runnable task) {
        loop.execute(task);
    }

    Attached attach(boolean first) {
        return await(reply -> wire.attach(first, 0, reply));
    }

    Standing join(Line line) {
        return join(line, Claim.EXCLUSIVE);
    }

    Standing join(Line line, Claim claim) {
        return await(joining(line, claim)).joined().orElseThrow();
    }

    CompletableFuture<Stepped> joinAsync(Line line) {
        return send(joining(line, Claim.EXCLUSIVE));
    }

    private Consumer<Reply<Stepped>> joining(Line line, Claim claim) {
        String name = session + "-" + ++names;
        return reply -> wire.step(List.of(), Optional.of(new Joining(line, name, claim, new byte[] {7})), reply);
    }

    Stepped leave(Line line, Standing entry) {
        return await(reply -> wire.step(List.of(departure(line, entry)), Optional.empty(), reply));
    }

    static Departure departure(Line line, Standing entry) {
        return new Departure(line, entry.name(), entry.token(), Claim.EXCLUSIVE);
    }

    Beaten beat(List<String> looked, List<Topic> topics) {
        return await(reply -> wire.beat(looked, topics, reply));
    }

    Standing look(Standing entry) {
        Beaten seen = beat(List.of(entry.name()), List.of());
        assertThat(seen.own()).hasSize(1);
        return seen.own().get(0);
    }

    @Override
    public void disconnected(String why) {
        events.add("disconnected: " + why);
    }

    @Override
    public void cleared(String name, long token) {
        events.add("cleared " + name + " " + token);
    }

    @Override
    public void gone(String name) {
        events.add("gone " + name);
    }

    @Override
    public void changed(Topic topic, long version) {
        events.add("changed " + topic.getClass().getSimpleName() + " " + version);
    }

    @Override
    public void troubled(String what, String why) {
        events.add("troubled " + what + ": " + why);
    }

    @Override
    public void resolved(String what) {
        events.add("resolved " + what);
    }

    @Override
    public void over(CoordinationException why) {
        events.add("over: " + why.getMessage());
    }

    @Override
    public void close() {
        loop.execute(wire::close);
        loop.close();
    }
}
