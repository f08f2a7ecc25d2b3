package io.baton.internal.lock;

import io.baton.HoldState;
import io.baton.Telemetry;
import io.baton.Telemetry.NotGranted.Reason;
import io.baton.internal.telemetry.Reporter;
import io.baton.recipe.ClientLoop;
import java.time.Duration;
import java.time.Instant;

/** Reports one acquisition to telemetry; {@link #NONE} if there are no listeners. On the loop. */
interface AcquisitionTelemetry {

    /** Reports nothing. */
    AcquisitionTelemetry NONE = new AcquisitionTelemetry() {};

    /** Returns the telemetry of an acquisition that is requested now. */
    static AcquisitionTelemetry of(Reporter reporter, ClientLoop loop, String lock) {
        return reporter.silent() ? NONE : new Kept(reporter, loop, lock);
    }

    /** The acquisition begins to wait. */
    default void started() {}

    /** The acquisition is granted. */
    default void granted(FencedHold hold) {}

    /** The acquisition has ended without a hold. */
    default void notGranted(Reason reason, String why) {}

    /** The acquisition joins again in another session. */
    default void rejoined(String why) {}

    /** The hold may have changed. */
    default void holdChanged(FencedHold hold) {}

    /** The entry is gone. */
    default void removed() {}

    /** The acquisition is done; at most a removal is pending. */
    default void done() {}

    /** Reports to listeners. */
    final class Kept implements AcquisitionTelemetry {

        private static final Duration FIRST = Duration.ofSeconds(1);

        private final Reporter reporter;
        private final ClientLoop loop;
        private final String lock;
        private final long asked;
        private Runnable stopWaiting = () -> {};
        private HoldState last = HoldState.HELD;
        private long token;
        private long grantedAt;
        private long changedAt;
        private boolean waits;
        private boolean holds;

        Kept(Reporter reporter, ClientLoop loop, String lock) {
            this.reporter = reporter;
            this.loop = loop;
            this.lock = lock;
            this.asked = loop.nanoTime();
        }

        @Override
        public void started() {
            waits = true;
            reporter.load(1, 0);
            remind(FIRST);
        }

        /** Counts each change of the acquisition once. */
        private void counted(boolean holdsNow) {
            if (waits || holds != holdsNow) {
                reporter.load(waits ? -1 : 0, (holdsNow ? 1 : 0) - (holds ? 1 : 0));
                waits = false;
                holds = holdsNow;
            }
        }

        private void remind(Duration after) {
            var timer = loop.after(after, () -> {
                Duration waited = since(asked);
                var event = new Telemetry.Waiting(now(), lock, waited);
                reporter.report(to -> to.waiting(event));
                remind(waited);
            });
            stopWaiting = timer::cancel;
        }

        @Override
        public void granted(FencedHold hold) {
            stopWaiting.run();
            counted(true);
            token = hold.token();
            grantedAt = loop.nanoTime();
            var event = new Telemetry.Granted(now(), lock, token, since(asked));
            reporter.report(to -> to.granted(event));
        }

        @Override
        public void notGranted(Reason reason, String why) {
            counted(false);
            var event = new Telemetry.NotGranted(now(), lock, reason, since(asked), why);
            reporter.report(to -> to.notGranted(event));
        }

        @Override
        public void rejoined(String why) {
            var event = new Telemetry.Rejoined(now(), lock, since(asked), why);
            reporter.report(to -> to.rejoined(event));
        }

        @Override
        public void holdChanged(FencedHold hold) {
            HoldState state = hold.state();
            if (state == last) {
                return;
            }
            // By the hold's state, not by the event: the owner's thread may have ended the hold first.
            switch (state) {
                case JEOPARDY -> {
                    var event = new Telemetry.Jeopardy(now(), lock, token, hold.remaining());
                    reporter.report(to -> to.jeopardy(event));
                }
                case HELD -> {
                    var event = new Telemetry.Steady(now(), lock, token, since(changedAt));
                    reporter.report(to -> to.steady(event));
                }
                case LOST -> {
                    counted(false);
                    var event = new Telemetry.Lost(now(), lock, token, since(grantedAt), hold.whyLost());
                    reporter.reportReliably(to -> to.lost(event));
                }
                case RELEASED -> {
                    counted(false);
                    var event = new Telemetry.Released(now(), lock, token, since(grantedAt));
                    reporter.report(to -> to.released(event));
                }
            }
            last = state;
            changedAt = loop.nanoTime();
        }

        @Override
        public void removed() {
            if (last == HoldState.RELEASED) {
                var event = new Telemetry.HandedOff(now(), lock, token, since(changedAt));
                reporter.report(to -> to.handedOff(event));
            }
        }

        @Override
        public void done() {
            stopWaiting.run();
            counted(false);
        }

        private Instant now() {
            return Instant.ofEpochMilli(loop.wallMillis());
        }

        private Duration since(long nanos) {
            return Duration.ofNanos(loop.nanoTime() - nanos);
        }
    }
}
