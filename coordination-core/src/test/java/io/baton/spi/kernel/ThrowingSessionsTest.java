package io.baton.spi.kernel;

import static io.baton.spi.kernel.HandKernel.TTL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.internal.HandLoop;
import io.baton.spi.Claim;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Link;
import io.baton.spi.Loop;
import io.baton.spi.PlaceListener;
import io.baton.spi.TreeListener;
import io.baton.spi.kernel.StepWire.Attached;
import io.baton.spi.kernel.StepWire.Beaten;
import io.baton.spi.kernel.StepWire.Joining;
import io.baton.spi.kernel.StepWire.Snapshot;
import io.baton.spi.kernel.StepWire.Standing;
import io.baton.spi.kernel.StepWire.Stepped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whatever a listener throws, and whatever fails on the loop: the session goes on, or ends as a whole. */
class ThrowingSessionsTest {

    private static final Line LINE = Line.of("locks/orders");

    private final HandKernel kernel = new HandKernel(this::called);
    private final HandLoop loop = kernel.loop;
    private final List<String> told = new ArrayList<>();
    private String throwsIn = "nothing";
    private boolean silent;
    private int attaches;
    private int beats;
    private int joins;
    private int ends;
    private int closes;

    private void called(String method, Object[] with) {
        switch (method) {
            case "attach" -> {
                attaches++;
                kernel.answer(with[2], new Attached(List.of(), Map.of(), "history", Duration.ZERO));
            }
            case "beat" -> {
                beats++;
                throwIf("beat");
                kernel.answer(with[2], new Beaten(List.of(), Map.of(), Duration.ZERO));
            }
            case "step" -> ((Optional<?>) with[1]).ifPresent(joining -> join((Joining) joining, with[2]));
            case "follow" -> kernel.answer(with[1], 1L);
            case "snapshot" -> kernel.answer(with[1], new Snapshot(List.of(), new Position("history", 1)));
            case "end" -> ends++;
            case "close" -> closes++;
            default -> {}
        }
    }

    private void join(Joining joining, Object reply) {
        joins++;
        if (!silent) {
            Standing entry = new Standing(joining.line(), joining.name(), joins, false, false);
            kernel.answer(reply, new Stepped(List.of(), Optional.of(entry)));
        }
    }

    private void tell(String what) {
        told.add(what);
        throwIf(what);
    }

    private void throwIf(String what) {
        if (what.equals(throwsIn)) {
            throw new IllegalStateException("on purpose");
        }
    }

    /** Runs it, and then what is on the loop, where something throws once. */
    private void catchOne(Runnable run) {
        assertThatThrownBy(() -> {
                    run.run();
                    loop.run();
                })
                .hasMessage("on purpose");
        loop.run();
    }

    private void joinTwice() {
        for (String name : List.of("first", "second")) {
            kernel.session.join(LINE, Claim.EXCLUSIVE, new byte[0], new PlaceListener() {
                @Override
                public void waiting() {
                    told.add(name + " waits");
                }

                @Override
                public void clear(Entry mine) {}

                @Override
                public void lost(CoordinationException why) {
                    tell(name + " lost");
                }
            });
        }
        loop.run();
    }

    private Runnable follow(Runnable interrupted) {
        Runnable stop = kernel.session.observe("shop", new TreeListener() {
            @Override
            public void snapshot(List<Item> all, Position at) {}

            @Override
            public void changed(List<Item> put, List<RecordKey> deleted, long revision) {}

            @Override
            public void interrupted() {
                interrupted.run();
            }
        });
        loop.run();
        return stop;
    }

    private final class Listener extends NoListener {

        @Override
        public void suspended() {
            tell("suspended");
        }

        @Override
        public void proven() {
            throwIf("proven");
        }

        @Override
        public void lost(CoordinationException why) {
            tell("lost");
        }
    }

    @Test
    void over_placeThrows_allHearOfItAndTheWireIsClosed() {
        kernel.attach(new Listener());
        joinTwice();
        throwsIn = "first lost";

        catchOne(() -> kernel.events.over(new SessionLostException("expired")));

        assertThat(told).endsWith("first lost", "second lost", "lost");
        assertThat(closes).isEqualTo(1);
        assertThat(loop.timers()).isZero();
    }

    @Test
    void over_listenerThrows_theWireIsClosed() {
        kernel.attach(new Listener());
        throwsIn = "lost";

        catchOne(() -> kernel.events.over(new SessionLostException("expired")));

        assertThat(closes).isEqualTo(1);
    }

    /** The entries would keep others waiting for another ttl. */
    @Test
    void close_placeThrows_theStoreIsToldAllTheSame() {
        kernel.attach(new Listener());
        joinTwice();
        throwsIn = "first lost";

        catchOne(kernel.session::close);

        assertThat(ends).isEqualTo(1);
    }

    @Test
    void close_neverAttachedAndTheListenerThrows_theWireIsClosed() {
        kernel.open(new Listener());
        throwsIn = "lost";

        catchOne(kernel.session::close);

        assertThat(closes).isEqualTo(1);
    }

    @Test
    void disconnected_listenerThrows_attachesAgainAndRepeatsWhatWasNotAnswered() {
        kernel.attach(new Listener());
        silent = true;
        joinTwice();
        throwsIn = "suspended";

        catchOne(() -> kernel.events.disconnected("broken"));

        assertThat(attaches).isEqualTo(2);
        assertThat(joins).isEqualTo(4);
        assertThat(kernel.session.link()).isEqualTo(Link.CONNECTED);
    }

    @Test
    void disconnected_followerThrows_allAreInterruptedAndItAttachesAgain() {
        kernel.attach(new Listener());
        follow(() -> tell("first interrupted"));
        follow(() -> tell("second interrupted"));
        throwsIn = "first interrupted";

        catchOne(() -> kernel.events.disconnected("broken"));

        assertThat(told).containsExactly("suspended", "first interrupted", "second interrupted");
        assertThat(attaches).isEqualTo(2);
    }

    @Test
    void disconnected_followerStopsAnother_whichHearsNothingMore() {
        kernel.attach(new Listener());
        List<Runnable> stops = new ArrayList<>();
        follow(() -> stops.get(0).run());
        stops.add(follow(() -> tell("second interrupted")));

        kernel.events.disconnected("broken");
        loop.run();

        assertThat(told).containsExactly("suspended");
        assertThat(attaches).isEqualTo(2);
    }

    @Test
    void joined_listenerOfTheProofThrows_thePlaceWaits() {
        kernel.attach(new Listener());
        loop.pass(Duration.ofMillis(10));
        throwsIn = "proven";

        catchOne(this::joinTwice);

        assertThat(told).containsExactlyInAnyOrder("first waits", "second waits");
    }

    @Test
    void beaten_listenersThrow_otherPlacesHearOfTheirEntries() {
        kernel.attach(new Listener());
        joinTwice();
        told.clear();
        throwsIn = "first lost";

        catchOne(() -> loop.pass(TTL.dividedBy(4)));

        assertThat(told).containsExactly("first lost", "second lost");
    }

    @Test
    void beaten_listenerOfTheProofThrows_placesHearOfTheirEntries() {
        kernel.attach(new Listener());
        joinTwice();
        told.clear();
        throwsIn = "proven";

        catchOne(() -> loop.pass(TTL.dividedBy(4)));

        assertThat(told).containsExactly("first lost", "second lost");
    }

    @Test
    void beat_wireThrows_theContactEndsForWantOfAnAnswerAndTheNextOneBeats() {
        kernel.attach(new Listener());
        throwsIn = "beat";
        catchOne(() -> loop.pass(TTL.dividedBy(4)));
        throwsIn = "nothing";

        loop.pass(TTL.multipliedBy(2));

        assertThat(told).containsExactly("suspended");
        assertThat(attaches).isEqualTo(2);
        assertThat(beats).isGreaterThan(2);
    }

    @Test
    void beat_errorBeforeItIsSent_isRepeatedInTheSameContact() {
        kernel.open(new Listener(), new BrokenClock());
        loop.run();
        throwsIn = "wall clock";
        catchOne(() -> loop.pass(TTL.dividedBy(4)));
        throwsIn = "nothing";
        assertThat(beats).isZero();

        loop.pass(TTL);

        assertThat(beats).isGreaterThan(2);
        assertThat(attaches).isEqualTo(1);
    }

    @Test
    void attach_errorBeforeItIsSent_isMadeLater() {
        kernel.open(new Listener(), new BrokenClock());
        loop.run();
        throwsIn = "wall clock";
        catchOne(() -> kernel.events.disconnected("broken"));
        throwsIn = "nothing";
        assertThat(attaches).isEqualTo(1);

        loop.pass(TTL);

        assertThat(attaches).isEqualTo(2);
        assertThat(beats).isPositive();
    }

    private final class BrokenClock implements Loop {

        @Override
        public long nanoTime() {
            return loop.nanoTime();
        }

        @Override
        public long wallMillis() {
            throwIf("wall clock");
            return loop.wallMillis();
        }

        @Override
        public long randomLong() {
            return loop.randomLong();
        }

        @Override
        public void execute(Runnable task) {
            loop.execute(task);
        }

        @Override
        public Timer after(Duration delay, Runnable task) {
            return loop.after(delay, task);
        }
    }
}
