package io.baton.internal.lock;

import io.baton.CoordinatorOptions;
import io.baton.LockOptions;
import io.baton.Telemetry.NotGranted.Reason;
import io.baton.TooManyWaitersException;
import io.baton.internal.line.EntryInfo;
import io.baton.internal.lock.AcquisitionMachine.Event;
import io.baton.internal.lock.AcquisitionMachine.Patience;
import io.baton.internal.session.SessionScoped;
import io.baton.internal.telemetry.Reporter;
import io.baton.recipe.Callbacks;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Resource;
import io.baton.spi.Claim;
import io.baton.spi.Entry;
import io.baton.spi.Guarantees;
import io.baton.spi.Proof;
import io.baton.spi.Session;
import io.baton.spi.support.RunAll;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All acquisitions of a coordinator, from their beginning until their entry is gone. On the loop, except
 * {@link #begin}.
 *
 * <p>Session events go only to acquisitions that may act on them. An acquisition behind others receives none, so that
 * the work of a hand-off does not grow with the number of waiters.
 */
public final class Acquisitions implements SessionScoped {

    private final ClientLoop loop;
    private final Callbacks callbacks;
    private final CoordinatorOptions options;
    private final Reporter reporter;
    private final EntryInfo self;
    private final ReleaseRequests releaseRequests;
    private final Guarantees guarantees;
    private final Cohorts cohorts = new Cohorts(this);
    private final UnusedHolds unusedHolds = new UnusedHolds();
    private final SizePace sizePace;
    private final Set<Acquisition> waiting = new LinkedHashSet<>();
    private final Set<Acquisition> subscribed = new LinkedHashSet<>();
    private final Set<Acquisition> pendingRemovals = new LinkedHashSet<>();
    // Waiting acquisitions and pending removals: both cost memory here and an entry in the store.
    private final AtomicInteger underWay = new AtomicInteger();
    // Entries that holdAtLeast keeps after a release: they cost the same, but nothing waits for them here.
    private final AtomicInteger keptEntries = new AtomicInteger();
    private @Nullable Session session;
    private boolean closed;

    public Acquisitions(
            ClientLoop loop,
            Callbacks callbacks,
            CoordinatorOptions options,
            Reporter reporter,
            ReleaseRequests releaseRequests,
            Guarantees guarantees) {
        this.guarantees = guarantees;
        this.releaseRequests = releaseRequests;
        this.loop = loop;
        this.sizePace = new SizePace(loop);
        this.callbacks = callbacks;
        this.options = options;
        this.reporter = reporter;
        this.self = EntryInfo.ofThisProcess(options.client());
    }

    /**
     * Begins to wait. Any thread.
     *
     * @param limit how long; null for no limit
     * @throws TooManyWaitersException if too many are under way, or too many entries are kept as this one may be
     */
    Acquisition begin(Resource lock, Entrant contender, boolean noWait, @Nullable Duration limit) {
        if (contender.mayKeepEntries() && keptEntries.get() >= options.maxWaiting()) {
            throw tooMany("released holds are kept by holdAtLeast", lock);
        }
        admit(lock);
        return begin(new Acquisition(
                this, lock, contender, UnaryOperator.identity(), patience(noWait), limit, telemetry(lock.label())));
    }

    /**
     * Begins to wait for a place that attempts share, also across sessions. Each of them has been {@linkplain #admit
     * admitted}, counts until it is decided, and reports itself.
     */
    Acquisition beginForOthers(Resource lock, boolean noWait) {
        var first = new SharedPlaceContender(
                new LineContender(lock.line(), Claim.EXCLUSIVE), () -> pendingRemovals(lock), loop);
        return begin(new Acquisition(
                this,
                lock,
                first,
                UnaryOperator.identity(),
                noWait ? Patience.NONE : Patience.ENDLESS,
                null,
                AcquisitionTelemetry.NONE));
    }

    /** Begins attempts on a lock whose owners in this coordinator share a place. Any thread. */
    AcquireAttempts cohort(Resource lock, LockOptions options) {
        var key = new Cohorts.Key(lock, options);
        return (noWait, limit) -> cohorts.begin(key, noWait, limit);
    }

    /**
     * Begins to wait for as long as it takes, also across sessions. Any thread.
     *
     * @param payload makes the entry's payload from this client's description of itself
     * @throws TooManyWaitersException if too many are under way
     */
    public Acquisition beginAcrossSessions(Resource resource, UnaryOperator<byte[]> payload) {
        var first = new LineContender(resource.line(), Claim.EXCLUSIVE);
        admit(resource);
        return begin(
                new Acquisition(this, resource, first, payload, Patience.ENDLESS, null, telemetry(resource.label())));
    }

    /**
     * Counts one that begins. Any thread.
     *
     * @throws TooManyWaitersException if too many are under way
     */
    void admit(Resource resource) {
        if (underWay.incrementAndGet() > options.maxWaiting()) {
            underWay.decrementAndGet();
            throw tooMany("acquisitions are under way", resource);
        }
    }

    private TooManyWaitersException tooMany(String what, Resource resource) {
        String why = options.maxWaiting() + " " + what
                + " in this coordinator already, which is the limit (maxWaiting); " + resource + " was not asked for";
        telemetry(resource.label()).notGranted(Reason.FAILED, why);
        return new TooManyWaitersException(why);
    }

    /** Counts one that was {@linkplain #admit admitted} no more. Any thread. */
    void dismiss() {
        underWay.decrementAndGet();
    }

    private Acquisition begin(Acquisition begun) {
        if (!loop.post(() -> start(begun))) {
            waitsNoMore(begun);
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
            begun.handle(Event.CLOSE);
            return;
        }
        begun.start();
        if (session != null) {
            begun.enter(session);
        }
    }

    // ---- called by the client

    @Override
    public void connected(Session now) {
        RunAll.all(() -> dispatch(Event.CONNECTED), () -> {
            session = now;
            RunAll.each(waiting, each -> each.enter(now));
        });
    }

    /** The contact is lost; not called between a loss and the next session's first contact, nor while closing. */
    public void outOfContact() {
        dispatch(Event.SUSPENDED);
    }

    @Override
    public void proven() {
        dispatch(Event.PROVEN);
    }

    /** The places of the session have received {@code lost} before. */
    @Override
    public void lost() {
        session = null;
    }

    private void dispatch(Event event) {
        RunAll.each(subscribed, each -> each.handle(event));
    }

    /** Ends all acquisitions, and those that begin later. */
    @Override
    public void close() {
        closed = true;
        RunAll.all(
                () -> RunAll.each(waiting, each -> each.handle(Event.CLOSE)),
                () -> RunAll.each(subscribed, each -> each.handle(Event.CLOSE)));
    }

    /** Ends the pending removals, as no more answers come. The session's end, if confirmed, has removed every entry. */
    public void endRemovals(boolean sessionEnded) {
        RunAll.each(pendingRemovals, each -> each.endRemoval(sessionEnded));
    }

    // ---- called by the acquisitions

    ClientLoop loop() {
        return loop;
    }

    byte[] describe() {
        return self.since(loop.wallMillis()).encode();
    }

    FencedHold hold(Resource of, Entry entry, Proof proof, FencedHold.Owner owner, long turn) {
        return new FencedHold(of, entry, proof, loop, callbacks, options.closeTimeout(), guarantees, owner, turn);
    }

    boolean isClosed() {
        return closed;
    }

    ReleaseRequests releaseRequests() {
        return releaseRequests;
    }

    UnusedHolds unusedHolds() {
        return unusedHolds;
    }

    SizePace sizePace() {
        return sizePace;
    }

    AcquisitionTelemetry telemetry(String lock) {
        return AcquisitionTelemetry.of(reporter, loop, lock);
    }

    /** Sends it the session's events from now on. */
    void subscribe(Acquisition one) {
        subscribed.add(one);
    }

    /** Its session has ended; it joins in the next, which may be there already. */
    void rejoin(Acquisition one, Session ended) {
        subscribed.remove(one);
        if (session != null && session != ended) {
            one.enter(session);
        }
    }

    void granted(Acquisition one) {
        if (waiting.remove(one)) {
            waitsNoMore(one);
        }
    }

    private void waitsNoMore(Acquisition one) {
        if (!one.isShared()) {
            dismiss();
        }
    }

    /** Completes once the entries of this lock whose removal is pending now are gone; fails if that stays unknown. */
    private CompletableFuture<Void> pendingRemovals(Resource lock) {
        return CompletableFuture.allOf(pendingRemovals.stream()
                .filter(each -> each.isOf(lock))
                .map(Acquisition::removal)
                .toArray(CompletableFuture<?>[]::new));
    }

    /** Its removal is pending. */
    void removalPending(Acquisition one) {
        if (pendingRemovals.add(one)) {
            underWay.incrementAndGet();
        }
    }

    /** Its removal is no longer pending. */
    void removalDone(Acquisition one) {
        if (pendingRemovals.remove(one)) {
            underWay.decrementAndGet();
        }
    }

    /** Its removal is no longer pending, as its entry stays for a while. */
    void entryKept(Acquisition one) {
        removalDone(one);
        keptEntries.incrementAndGet();
    }

    /** An entry that stayed for a while is gone. */
    void keptEntryGone() {
        keptEntries.decrementAndGet();
    }

    /** It is done, except for the removal. */
    void forget(Acquisition one) {
        subscribed.remove(one);
        granted(one);
    }
}
