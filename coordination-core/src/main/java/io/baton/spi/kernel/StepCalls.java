package io.baton.spi.kernel;

import io.baton.CoordinationException;
import io.baton.Telemetry.Request.Kind;
import io.baton.Telemetry.Request.Outcome;
import io.baton.spi.Loop;
import io.baton.spi.RequestListener;
import io.baton.spi.kernel.StepWire.Reply;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The steps of a session that wait for their answers. Each ends once: it is answered or refused, or its contact breaks.
 * An answer that comes after its contact is over is ignored, as the next attach says what became of the step.
 */
final class StepCalls {

    private final Loop loop;
    private final Optional<RequestListener> listener;
    private final Set<Call<?>> open = new LinkedHashSet<>();
    private long contact;

    StepCalls(Loop loop, Optional<RequestListener> listener) {
        this.loop = loop;
        this.listener = listener;
    }

    /** Returns the reply for a step that is about to be sent. One of the three is called, unless {@link #forget}. */
    <T> Reply<T> expect(Kind kind, Consumer<T> answered, Consumer<CoordinationException> refused, Runnable broken) {
        var call = new Call<>(kind, contact, loop.nanoTime(), answered, refused, broken);
        open.add(call);
        return call;
    }

    /** The contact is over: no step of it will be answered. */
    void contactBroken() {
        List<Call<?>> unanswered = List.copyOf(open);
        forget();
        unanswered.forEach(call -> {
            report(call, Outcome.UNANSWERED);
            call.broken.run();
        });
    }

    /** Nothing becomes of the steps that wait. */
    void forget() {
        contact++;
        open.clear();
    }

    /** Whether a step has waited for its answer for longer than this. */
    boolean isOverdue(long nanos) {
        return !open.isEmpty() && loop.nanoTime() - open.iterator().next().sent > nanos;
    }

    private void report(Call<?> call, Outcome outcome) {
        listener.ifPresent(to -> to.answered(call.kind, outcome, loop.nanoTime() - call.sent));
    }

    private boolean take(Call<?> call) {
        return call.contact == contact && open.remove(call);
    }

    private final class Call<T> implements Reply<T> {

        private final Kind kind;
        private final long contact;
        private final long sent;
        private final Consumer<T> answered;
        private final Consumer<CoordinationException> refused;
        private final Runnable broken;

        Call(
                Kind kind,
                long contact,
                long sent,
                Consumer<T> answered,
                Consumer<CoordinationException> refused,
                Runnable broken) {
            this.kind = kind;
            this.contact = contact;
            this.sent = sent;
            this.answered = answered;
            this.refused = refused;
            this.broken = broken;
        }

        @Override
        public void answered(T answer) {
            if (take(this)) {
                report(this, Outcome.OK);
                answered.accept(answer);
            }
        }

        @Override
        public void refused(CoordinationException why) {
            if (take(this)) {
                report(this, Outcome.FAILED);
                refused.accept(why);
            }
        }
    }
}
