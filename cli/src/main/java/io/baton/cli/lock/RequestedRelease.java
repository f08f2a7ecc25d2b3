package io.baton.cli.lock;

import io.baton.Hold;
import io.baton.HoldState;
import io.baton.ReleaseRequest;
import io.baton.Subscription;
import io.baton.cli.Report;
import io.baton.cli.run.Mandate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a command holds, with an answer to requests that it be released. A request may recall it. */
final class RequestedRelease implements Mandate, AutoCloseable {

    private static final String REFUSAL = "it runs a command with --on-release-request refuse";

    /** A request that ends the command. */
    private record Recall(String name, String text) {}

    private final Held held;
    private final List<Subscription> requests;
    private volatile @Nullable Recall recalled;
    private volatile Runnable listener = () -> {};

    /** Answers requests until it is closed; {@code answer} null: not at all. */
    RequestedRelease(Held held, @Nullable OnReleaseRequest answer) {
        this.held = held;
        this.requests = answer == null
                ? List.of()
                : held.inOrder().stream()
                        .map(hold -> hold.onReleaseRequested(request -> answer(hold, request, answer)))
                        .toList();
    }

    private void answer(Hold hold, ReleaseRequest request, OnReleaseRequest answer) {
        String whose = request.by() + " (" + request.reason() + ")";
        switch (answer) {
            case refuse -> {
                request.refuse(REFUSAL);
                Report.lineAside("'" + hold.name() + "': refused the request of " + whose + " to release it");
            }
            case release -> {
                recalled = new Recall(hold.name(), "released on request of " + whose);
                listener.run();
            }
        }
    }

    /** Of several locks, that of the request, unless another one is lost. */
    @Override
    public String name() {
        Recall request = recalled;
        return request == null || held.remaining().isZero() ? held.name() : request.name();
    }

    @Override
    public String token() {
        return held.token();
    }

    @Override
    public Duration remaining() {
        return held.remaining();
    }

    @Override
    public HoldState state() {
        return held.state();
    }

    @Override
    public Optional<String> recall() {
        return Optional.ofNullable(recalled).map(Recall::text);
    }

    @Override
    public Optional<String> lossReason() {
        return held.lossReason();
    }

    @Override
    public Subscription onChange(Runnable changed) {
        listener = changed;
        return held.onChange(changed);
    }

    @Override
    public void close() {
        requests.forEach(Subscription::close);
    }
}
