package io.baton.internal.lock;

import io.baton.CoordinationException;
import io.baton.CoordinatorOptions;
import io.baton.Telemetry.NotGranted.Reason;
import io.baton.internal.line.EntryInfo;
import io.baton.internal.lock.AcquisitionMachine.Event;
import io.baton.internal.lock.AcquisitionMachine.Patience;
import io.baton.internal.session.SessionScoped;
import io.baton.internal.telemetry.Reporter;
import io.baton.recipe.Callbacks;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Resource;
import io.baton.spi.Entry;
import io.baton.spi.Proof;
import io.baton.spi.Session;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All acquisitions of a coordinator, from their beginning until their entry is gone. On the loop, except {@link #begin}.
 *
 * <p>Events of the session go only to those who may act on them: whoever waits behind others is left alone, so that the
 * work of a hand-off does not grow with the number of waiters.
 */
public final class Acquisitions implements SessionScoped {

    private final ClientLoop loop;
    private final Callbacks callbacks;
    private final CoordinatorOptions options;
    private final Reporter reporter;
    private final EntryInfo self;
    private final Set<Acquisition> waiting = new LinkedHashSet<>();
    private final Set<Acquisition> attentive = new LinkedHashSet<>();
    private final Set<Acquisition> owed = new LinkedHashSet<>();
    // Those that wait and those whose removal is owed: both cost memory here and an entry in the store.
    private final AtomicInteger underWay = new AtomicInteger();
    private @Nullable Session session;
    private boolean closed;

    public Acquisitions(ClientLoop loop, Callbacks callbacks, CoordinatorOptions options, Reporter reporter) {
        this.loop = loop;
        this.callbacks = callbacks;
        this.options = options;
        this.reporter = reporter;
        this.self = EntryInfo.ofThisProcess(options.client());
    }

    /**
     * Begins to wait. Any thread.
     *
     * @param limit how long; null for ever
     * @throws CoordinationException if too many are under way
     */
    Acquisition begin(Resource lock, boolean noWait, @Nullable Duration limit) {
        return begin(new Acquisition(this, lock, UnaryOperator.identity(), patience(noWait), limit), lock);
    }

    /**
     * Begins to wait for as long as it takes, also across sessions. Any thread.
     *
     * @param payload what the entry says, made of what this client says of itself
     * @throws CoordinationException if too many are under way
     */
    public Acquisition stand(Resource contest, UnaryOperator<byte[]> payload) {
        return begin(new Acquisition(this, contest, payload, Patience.ENDLESS, null), contest);
    }

    private Acquisition begin(Acquisition begun, Resource contest) {
        if (underWay.incrementAndGet() > options.maxWaiting()) {
            underWay.decrementAndGet();
            String why = options.maxWaiting() + " acquisitions are under way in this coordinator already, which is the"
                    + " limit (maxWaiting); " + contest + " was not asked for";
            journal(contest.label()).notGranted(Reason.FAILED, why);
            throw new CoordinationException(why);
        }
        if (!loop.post(() -> start(begun))) {
            underWay.decrementAndGet();
            begun.refuse();
        }
        return begun;
    }

    private Patience patience(boolean noWait) {
        if (noWait) {
            return Patience.NONE;
        }
        return options.rejoin() ? Patience.ENDLESS : Patience.SESSION;
    }

    private void start(Acquisition begun) {
        waiting.add(begun);
        if (closed) {
            begun.on(Event.CLOSE);
            return;
        }
        begun.start();
        if (session != null) {
            begun.enter(session);
        }
    }

    // ---- told by the client

    @Override
    public void connected(Session now) {
        tell(Event.CONNECTED);
        session = now;
        List.copyOf(waiting).forEach(each -> each.enter(now));
    }

    /** The contact is lost; not told between a loss and the next session's first contact, nor while closing. */
    public void outOfContact() {
        tell(Event.SUSPENDED);
    }

    /** There is a better proof. */
    public void proven() {
        tell(Event.PROVEN);
    }

    /** The places of the session have been told before. */
    @Override
    public void lost() {
        session = null;
    }

    private void tell(Event event) {
        List.copyOf(attentive).forEach(each -> each.on(event));
    }

    /** Ends all, and whatever begins later. */
    @Override
    public void close() {
        closed = true;
        List.copyOf(waiting).forEach(each -> each.on(Event.CLOSE));
        List.copyOf(attentive).forEach(each -> each.on(Event.CLOSE));
    }

    /** Nothing more will be heard from the store; the session's end, if confirmed, has removed every entry. */
    public void settle(boolean sessionEnded) {
        List.copyOf(owed).forEach(each -> each.settle(sessionEnded));
    }

    // ---- told by the acquisitions

    ClientLoop loop() {
        return loop;
    }

    byte[] describe() {
        return self.since(loop.wallMillis()).encode();
    }

    FencedHold hold(Resource of, Entry entry, Proof proof, FencedHold.Owner owner) {
        return new FencedHold(of, entry, proof, loop, callbacks, options.closeTimeout(), owner);
    }

    AcquisitionTelemetry journal(String lock) {
        return AcquisitionTelemetry.of(reporter, loop, lock);
    }

    /** Wants the session's events from now on. */
    void attend(Acquisition one) {
        attentive.add(one);
    }

    /** Its session has ended, and it waits for the next; which may have come already. */
    void rejoin(Acquisition one, Session ended) {
        attentive.remove(one);
        if (session != null && session != ended) {
            one.enter(session);
        }
    }

    void granted(Acquisition one) {
        if (waiting.remove(one)) {
            underWay.decrementAndGet();
        }
    }

    /** Its removal is owed. */
    void owe(Acquisition one) {
        if (owed.add(one)) {
            underWay.incrementAndGet();
        }
    }

    /** Its entry is gone. */
    void paid(Acquisition one) {
        if (owed.remove(one)) {
            underWay.decrementAndGet();
        }
    }

    /** It is done, but for the removal. */
    void forget(Acquisition one) {
        attentive.remove(one);
        granted(one);
    }
}
