package io.baton.internal.lock;

import static io.baton.spi.kernel.HandKernel.TTL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.internal.HandLoop;
import io.baton.internal.telemetry.Troubles;
import io.baton.recipe.ClientLoop;
import io.baton.spi.Claim;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.SessionListener;
import io.baton.spi.kernel.HandKernel;
import io.baton.spi.kernel.StepWire.Attached;
import io.baton.spi.kernel.StepWire.Beaten;
import io.baton.spi.kernel.StepWire.Departure;
import io.baton.spi.kernel.StepWire.Joining;
import io.baton.spi.kernel.StepWire.Standing;
import io.baton.spi.kernel.StepWire.Stepped;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.helpers.NOPLogger;

/** What a contact settles that follows a break: a join of permits and a removal without an answer, and lost entries. */
class NextContactTest {

    private static final Line QUEUE = Line.of("semaphores/seats");
    private static final Line PERMITS = Line.of("baton.permits/seats", Line.Kind.PERMITS);
    private static final Line LOCK = Line.of("locks/orders");

    private final HandKernel kernel = new HandKernel(this::called);
    private final HandLoop loop = kernel.loop;
    private final List<Joining> entries = new ArrayList<>();
    private final List<String> removals = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private List<String> toldBeforeTheContact = List.of();
    private Duration quiet = Duration.ZERO;
    private int attaches;
    private int follows;

    private void called(String method, Object[] with) {
        switch (method) {
            case "attach" -> {
                attaches++;
                kernel.answer(with[2], new Attached(standing(), Map.of(), "history", quiet));
            }
            case "beat" -> kernel.answer(with[2], new Beaten(standing(), Map.of(), quiet));
            case "step" -> step((List<?>) with[0], ((Optional<?>) with[1]).map(Joining.class::cast), with[2]);
            case "peers" -> kernel.answer(with[1], permits());
            case "get" -> kernel.answer(with[1], Optional.empty());
            case "transact" -> kernel.answer(with[5], true);
            case "follow" -> {
                follows++;
                kernel.answer(with[1], 1L);
            }
            default -> {}
        }
    }

    private static <T> T proxy(Class<T> type, BiConsumer<String, Object[]> calls) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (own, call, with) -> {
            calls.accept(call.getName(), with);
            return null;
        }));
    }

    /** A removal has an effect, and an answer, in the second contact only. */
    private void step(List<?> leaving, Optional<Joining> joining, Object reply) {
        leaving.forEach(entry -> removals.add(((Departure) entry).name()));
        joining.ifPresent(entries::add);
        boolean joinsPermits =
                joining.filter(entry -> entry.line().equals(PERMITS)).isPresent();
        if (attaches > 1) {
            entries.removeIf(entry -> removals.contains(entry.name()));
        } else if (joinsPermits || !leaving.isEmpty()) {
            return;
        }
        kernel.answer(reply, new Stepped(List.of(), joining.map(this::standing)));
    }

    private List<Standing> standing() {
        return entries.stream().map(this::standing).toList();
    }

    private Standing standing(Joining entry) {
        return new Standing(entry.line(), entry.name(), 7, true, false);
    }

    private List<Peer> permits() {
        return entries.stream()
                .filter(entry -> entry.line().equals(PERMITS))
                .map(entry -> new Peer(PERMITS, entry.name(), 7, entry.claim()))
                .toList();
    }

    @BeforeEach
    void attach() {
        kernel.attach(new Contact());
    }

    @Test
    void attach_joinOfPermitsWasMade_theyAreGrantedOnceTheQuietIsOver() {
        joinPermits();
        loop.run();
        assertThat(permits()).as("joined without an answer").hasSize(1);
        failOver();

        loop.pass(TTL);
        assertThat(told).containsExactly("permits wait");

        quiet = Duration.ZERO;
        loop.pass(TTL);
        assertThat(told).containsExactly("permits wait", "permits clear");
    }

    @Test
    void attach_joinOfPermitsWasMade_allElseIsSettledToo() {
        joinPermits();
        Place lock = kernel.session.join(LOCK, Claim.EXCLUSIVE, new byte[0], new Told("lock"));
        kernel.session.observePeers(LOCK, peers -> told.add("peers"));
        loop.run();
        var unused = lock.leave();
        loop.run();
        assertThat(removals).hasSize(1);
        assertThat(follows).isEqualTo(1);

        failOver();
        loop.run();

        assertThat(removals).as("the answer was lost").hasSize(2).containsOnly(removals.get(0));
        assertThat(lock.leave().toCompletableFuture()).isCompleted();
        assertThat(follows).isEqualTo(2);
    }

    @Test
    void attach_entryIsGone_isToldBeforeTheContact() {
        kernel.session.join(LOCK, Claim.EXCLUSIVE, new byte[0], new Told("lock"));
        loop.run();
        entries.clear();
        kernel.events.disconnected("broken");
        loop.run();

        assertThat(toldBeforeTheContact).containsExactly("lock clear", "lock lost");
    }

    @Test
    void attach_listenerThrows_allElseIsSettled() {
        kernel.session.join(LOCK, Claim.EXCLUSIVE, new byte[0], new Told("broken"));
        kernel.session.join(LOCK, Claim.EXCLUSIVE, new byte[0], new Told("lock"));
        kernel.session.observePeers(LOCK, peers -> told.add("peers"));
        loop.run();
        entries.clear();
        kernel.events.disconnected("broken");

        assertThatThrownBy(loop::run).isInstanceOf(IllegalStateException.class);
        loop.run();

        assertThat(told).endsWith("lock lost");
        assertThat(follows).isEqualTo(2);
    }

    private void joinPermits() {
        new PermitPlace(
                        new PermitContender(
                                "seats",
                                1,
                                1,
                                QUEUE,
                                PERMITS,
                                SemaphoreSize.key("seats"),
                                new AtomicInteger(),
                                new SizePace(new ClientLoop(loop)),
                                new Troubles("here", () -> Instant.EPOCH, () -> 0, NOPLogger.NOP_LOGGER),
                                new ClientLoop(loop)),
                        kernel.session,
                        new byte[0],
                        new Told("permits"))
                .begin();
    }

    private void failOver() {
        quiet = Duration.ofSeconds(5);
        kernel.events.disconnected("the server has crashed");
    }

    private final class Told implements PlaceListener {

        private final String what;

        Told(String what) {
            this.what = what;
        }

        @Override
        public void waiting() {
            told.add(what + " wait");
        }

        @Override
        public void clear(Entry mine) {
            told.add(what + " clear");
        }

        @Override
        public void lost(CoordinationException why) {
            if (what.equals("broken")) {
                throw new IllegalStateException("as a defect does");
            }
            told.add(what + " lost");
        }
    }

    private final class Contact implements SessionListener {

        @Override
        public void connected() {
            toldBeforeTheContact = List.copyOf(told);
        }

        @Override
        public void suspended() {}

        @Override
        public void proven() {}

        @Override
        public void lost(CoordinationException why) {}
    }
}
