package io.baton.spi.kernel;

import io.baton.CoordinationException;
import io.baton.Telemetry.Request.Kind;
import io.baton.spi.kernel.StepWire.Departure;
import io.baton.spi.kernel.StepWire.Stepped;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Removals of own entries. One step of removals is under way at a time; those that come meanwhile go together, or with
 * the next join. After a break the attach says which entries still stand, so nothing is kept across it.
 */
final class Departures {

    /** Who wants an entry removed. */
    interface Leaver {
        /** The entry has gone. */
        void removed();

        /** The entry cannot be removed now. */
        void busy();

        /** The store refuses the removal. */
        void removalRefused(CoordinationException why);
    }

    private static final int MOST = 64;

    private final KernelSession session;
    private final Map<Departure, Leaver> pending = new LinkedHashMap<>();
    private boolean underWay;

    Departures(KernelSession session) {
        this.session = session;
    }

    /** Removes the entry; without effect while there is no contact. */
    void add(Departure entry, Leaver leaver) {
        if (session.isAttached()) {
            pending.put(entry, leaver);
            if (!underWay) {
                send();
            }
        }
    }

    /** Returns entries to remove in a step that is about to be sent; its outcome goes to the functions below. */
    Map<Departure, Leaver> take() {
        Map<Departure, Leaver> some = new LinkedHashMap<>();
        for (Map.Entry<Departure, Leaver> each : pending.entrySet()) {
            if (some.size() == MOST) {
                break;
            }
            some.put(each.getKey(), each.getValue());
        }
        pending.keySet().removeAll(some.keySet());
        return some;
    }

    /** The step was applied. */
    void made(Map<Departure, Leaver> leaving, Stepped answer) {
        Set<String> busy = Set.copyOf(answer.busy());
        tell(leaving, entry -> busy.contains(entry.name()) ? Leaver::busy : Leaver::removed);
    }

    /** A step that was to add an entry, too, was refused. The removals are repeated without it. */
    void repeat(Map<Departure, Leaver> leaving) {
        leaving.forEach(this::add);
    }

    /** The contact is over. */
    void clear() {
        pending.clear();
        underWay = false;
    }

    private void send() {
        Map<Departure, Leaver> leaving = take();
        underWay = true;
        session.wire()
                .step(
                        List.copyOf(leaving.keySet()),
                        Optional.empty(),
                        session.calls()
                                .expect(
                                        Kind.DELETE,
                                        answer -> {
                                            next();
                                            made(leaving, answer);
                                        },
                                        why -> {
                                            next();
                                            tell(leaving, entry -> leaver -> leaver.removalRefused(why));
                                        },
                                        () -> {}));
    }

    private void next() {
        underWay = false;
        if (!pending.isEmpty()) {
            send();
        }
    }

    private static void tell(Map<Departure, Leaver> leaving, Function<Departure, Consumer<Leaver>> what) {
        new ArrayList<>(leaving.entrySet())
                .forEach(each -> what.apply(each.getKey()).accept(each.getValue()));
    }
}
