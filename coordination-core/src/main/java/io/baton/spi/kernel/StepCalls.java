package io.baton.spi.kernel;

import io.baton.CoordinationException;
import io.baton.Telemetry.Request.Kind;
import io.baton.Telemetry.Request.Outcome;
import io.baton.spi.Loop;
import io.baton.spi.RequestListener;
import io.baton.spi.kernel.StepWire.Reply;
import io.baton.spi.support.RunAll;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The steps of a session that wait for their answers. Each ends once: it is answered or refused, or its contact breaks.
 * An answer that comes after its contact is over is ignored, as the next attach says what became of the step.
 */
final class StepCalls {

    private final Loop loop;
    private final Optional<RequestListener> listener;
    private final Lane steps;
    private final Lane beats;
    private long contact;

    StepCalls(Loop loop, Optional<RequestListener> listener) {
        this.loop = loop;
        this.listener = listener;
        steps = new Lane();
        beats = new Lane();
    }

    /** Returns the reply for a step that is about to be sent. One of the three is called, unless {@link #forget}. */
    <T> Reply<T> expect(Kind kind, Consumer<T> answered, Consumer<CoordinationException> refused, Runnable broken) {
        return expect(kind, () -> true, answered, refused, broken);
    }

    /**
     * As {@link #expect}, for a step that is not to be sent later than it is wanted.
     *
     * @param wanted called on any thread
     */
    <T> Reply<T> expect(
            Kind kind,
            BooleanSupplier wanted,
            Consumer<T> answered,
            Consumer<CoordinationException> refused,
            Runnable broken) {
        return expect(new Call<>(steps, kind, contact, loop.nanoTime(), wanted, answered, refused, broken));
    }

    /** As {@link #expect}, for a beat, which has no place among the other steps. */
    <T> Reply<T> expectBeat(Consumer<T> answered, Consumer<CoordinationException> refused) {
        return expect(
                new Call<>(beats, Kind.COMMIT, contact, loop.nanoTime(), () -> true, answered, refused, () -> {}));
    }

    private <T> Reply<T> expect(Call<T> call) {
        call.lane.open.add(call);
        return call;
    }

    /** The contact is over: no step of it will be answered. */
    void contactBroken() {
        List<Call<?>> unanswered = new ArrayList<>(steps.open);
        unanswered.addAll(beats.open);
        forget();
        RunAll.each(unanswered, call -> RunAll.all(() -> report(call, Outcome.UNANSWERED), call.broken));
    }

    /** Nothing becomes of the steps that wait. */
    void forget() {
        contact++;
        steps.open.clear();
        beats.open.clear();
    }

    /**
     * Whether a step has been the next to be answered for longer than this: steps are answered in order, so those behind it
     * tell nothing. Or whether it was sent more than twice as long ago: nobody may want most of those behind it any more.
     */
    boolean isOverdue(long nanos) {
        return steps.isOverdue(nanos) || beats.isOverdue(nanos);
    }

    /** Steps that wait for answers, in order. */
    private final class Lane {

        private final Set<Call<?>> open = new LinkedHashSet<>();
        private long headAnswered = loop.nanoTime();

        boolean isOverdue(long nanos) {
            if (open.isEmpty()) {
                return false;
            }
            long now = loop.nanoTime();
            long waited = now - open.iterator().next().sent;
            return waited > 2 * nanos || Math.min(waited, now - headAnswered) > nanos;
        }

        boolean take(Call<?> call) {
            if (!open.isEmpty() && open.iterator().next() == call) {
                headAnswered = loop.nanoTime();
            }
            return open.remove(call);
        }
    }

    private void report(Call<?> call, Outcome outcome) {
        listener.ifPresent(to -> to.answered(call.kind, outcome, loop.nanoTime() - call.sent));
    }

    private boolean take(Call<?> call) {
        return call.contact == contact && call.lane.take(call);
    }

    private final class Call<T> implements Reply<T> {

        private final Lane lane;
        private final Kind kind;
        private final long contact;
        private final long sent;
        private final BooleanSupplier wanted;
        private final Consumer<T> answered;
        private final Consumer<CoordinationException> refused;
        private final Runnable broken;

        Call(
                Lane lane,
                Kind kind,
                long contact,
                long sent,
                BooleanSupplier wanted,
                Consumer<T> answered,
                Consumer<CoordinationException> refused,
                Runnable broken) {
            this.lane = lane;
            this.kind = kind;
            this.contact = contact;
            this.sent = sent;
            this.wanted = wanted;
            this.answered = answered;
            this.refused = refused;
            this.broken = broken;
        }

        @Override
        public boolean isWanted() {
            return wanted.getAsBoolean();
        }

        @Override
        public void answered(T answer) {
            if (take(this)) {
                RunAll.all(() -> report(this, Outcome.OK), () -> answered.accept(answer));
            }
        }

        @Override
        public void refused(CoordinationException why) {
            if (take(this)) {
                RunAll.all(() -> report(this, Outcome.FAILED), () -> refused.accept(why));
            }
        }
    }
}
