package io.baton.internal.client;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Dialect;
import io.baton.DistributedLock;
import io.baton.DistributedReadWriteLock;
import io.baton.DistributedSemaphore;
import io.baton.Guard;
import io.baton.LockOptions;
import io.baton.MultiLock;
import io.baton.Op;
import io.baton.Records;
import io.baton.SessionState;
import io.baton.Subscription;
import io.baton.Trouble;
import io.baton.internal.callback.ClientCallbacks;
import io.baton.internal.callback.Listeners;
import io.baton.internal.line.DefaultMembership;
import io.baton.internal.line.HeadSubscription;
import io.baton.internal.line.MembersSubscription;
import io.baton.internal.lock.Acquisitions;
import io.baton.internal.lock.DefaultMultiLock;
import io.baton.internal.lock.HoldHandles;
import io.baton.internal.lock.LeakDetector;
import io.baton.internal.lock.LockParts;
import io.baton.internal.lock.QueuedLock;
import io.baton.internal.lock.QueuedReadWriteLock;
import io.baton.internal.lock.QueuedSemaphore;
import io.baton.internal.lock.ReleaseRequests;
import io.baton.internal.lock.Transactions;
import io.baton.internal.session.ContactListeners;
import io.baton.internal.session.Requests;
import io.baton.internal.session.SessionKeeper;
import io.baton.internal.session.SessionRegistry;
import io.baton.internal.session.SessionScoped;
import io.baton.internal.telemetry.Reporter;
import io.baton.internal.telemetry.Troubles;
import io.baton.internal.tree.Observation;
import io.baton.internal.tree.RecordCaches;
import io.baton.internal.tree.TreeSubscription;
import io.baton.internal.tree.TreeWatch;
import io.baton.recipe.Callbacks;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.Resource;
import io.baton.spi.Claim;
import io.baton.spi.Guarantees;
import io.baton.spi.Loop;
import io.baton.spi.Names;
import io.baton.spi.RequestListener;
import io.baton.spi.Session;
import io.baton.spi.Store;
import io.baton.spi.support.RunAll;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The coordinator: passes session events on to its parts, and closes everything in order. Any thread. */
public final class DefaultCoordinator implements Coordinator, RecipeContext.Host {

    private static final Logger log = LoggerFactory.getLogger(Coordinator.class);
    private static final Duration GRACE = Duration.ofMillis(100);

    private final Store store;
    private final ClientLoop loop;
    private final ClientCallbacks callbacks;
    private final CoordinatorOptions options;
    private final Runnable onClosed;
    private final Reporter reporter;
    private final Troubles troubles;
    private final SessionKeeper keeper;
    private final Acquisitions acquisitions;
    private final LockParts locks;
    private final Requests requests;
    private final SessionRegistry<Observation> observations;
    // Notified of the session's events in this order.
    private final List<SessionScoped> parts;
    private final CloseHooks closeHooks;
    private final Transactions transactions;
    private final Listeners<SessionState> listeners;
    private final ContactListeners contact;
    private final RecipeContext recipes;
    private final CompletableFuture<Void> opened = new CompletableFuture<>();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile SessionState state = SessionState.SUSPENDED;
    private volatile Duration ttl;
    private boolean ending;
    private Loop.Timer lastEnd = () -> {};
    private long stateSince;
    private String session = "";

    /**
     * Prepares a client; {@link #open} starts it.
     *
     * @param where the store, for people
     * @param onClosed ends the loop; runs on it, last, once the session has ended or should have
     */
    DefaultCoordinator(
            Store store,
            String where,
            Loop loop,
            ClientCallbacks callbacks,
            CoordinatorOptions options,
            Runnable onClosed) {
        this.store = store;
        this.loop = new ClientLoop(loop);
        this.callbacks = callbacks;
        this.options = options;
        this.onClosed = onClosed;
        this.ttl = options.ttl();
        this.stateSince = loop.nanoTime();
        this.reporter = new Reporter(this.loop, callbacks, options.telemetry());
        this.troubles = new Troubles(where, () -> Instant.ofEpochMilli(loop.wallMillis()), loop::nanoTime, log);
        this.keeper = new SessionKeeper(store, this.loop, options, new Life(), troubles);
        this.requests = new Requests(this.loop, options.requestTimeout());
        this.observations = new SessionRegistry<>(this.loop);
        var heads = new SessionRegistry<HeadSubscription>(this.loop);
        var records = new SessionRegistry<TreeWatch>(this.loop);
        var trees = new SessionRegistry<TreeSubscription>(this.loop);
        var memberships = new SessionRegistry<DefaultMembership>(this.loop);
        var members = new SessionRegistry<MembersSubscription>(this.loop);
        this.transactions = new Transactions(this.loop, requests, store.guarantees());
        var access = new ClientRecords(
                this.loop,
                requests,
                transactions,
                new RecordCaches(this.loop, records),
                trees,
                options.requestTimeout());
        var releases = new ReleaseRequests(this.loop, callbacks, requests, access, troubles, options.client());
        this.acquisitions = new Acquisitions(this.loop, callbacks, options, reporter, releases, store.guarantees());
        this.parts =
                List.of(acquisitions, releases, requests, observations, heads, records, trees, memberships, members);
        this.closeHooks = new CloseHooks(this.loop, releases::withdraw);
        this.listeners = new Listeners<>(this.loop, callbacks, where, lost -> lost == SessionState.LOST);
        this.contact = new ContactListeners(this.loop);
        this.recipes = new ClientRecipeContext(
                this,
                this.loop,
                callbacks,
                new ClientLines(store, this.loop, acquisitions, requests, heads, memberships, members, troubles),
                access,
                contact,
                troubles,
                reporter,
                closeHooks,
                options,
                new ConcurrentHashMap<>());
        this.locks = new LockParts(
                acquisitions,
                requests,
                access,
                callbacks,
                troubles,
                options.leakDetection() ? new LeakDetector(this.loop, log) : HoldHandles.NONE,
                options.requestTimeout(),
                options.client());
    }

    /**
     * Starts a coordinator on a loop and an executor of the caller, who remains responsible for ending them. Does not
     * wait for contact; requests made before it wait.
     */
    public static DefaultCoordinator start(Store store, Loop loop, Executor callbacks, CoordinatorOptions options) {
        DefaultCoordinator client =
                new DefaultCoordinator(store, store.toString(), loop, ClientCallbacks.on(callbacks), options, () -> {});
        client.open();
        return client;
    }

    void open() {
        loop.post(() -> {
            keeper.open();
            opened.complete(null);
        });
    }

    /** Completes on the loop once a session has been requested, or fails with the store's refusal. */
    CompletableFuture<Void> opened() {
        return opened;
    }

    /** Completes on the loop with the first contact, or fails with the reason why the first session failed. */
    public CompletableFuture<Void> ready() {
        return ready;
    }

    /** Returns why there is no contact with the store, for people, if that is known. */
    public Optional<String> whyNoContact() {
        return keeper.whyNoContact();
    }

    @Override
    public List<Trouble> trouble() {
        return troubles.present();
    }

    @Override
    public DistributedLock lock(String name) {
        return mutex(Resource.lock(name));
    }

    @Override
    public DistributedLock lock(String name, LockOptions how) {
        return QueuedLock.withOptions(Resource.lock(name), how, locks);
    }

    @Override
    public DistributedLock lockAt(String path, Dialect dialect) {
        Resource lock = Resource.lockAt(path, dialect);
        store.check(lock.line());
        return mutex(lock);
    }

    private DistributedLock mutex(Resource lock) {
        return new QueuedLock(lock, Claim.EXCLUSIVE, locks);
    }

    @Override
    public DistributedReadWriteLock readWriteLock(String name) {
        return new QueuedReadWriteLock(Resource.readWriteLock(name), locks);
    }

    @Override
    public DistributedReadWriteLock readWriteLockAt(String path, Dialect dialect) {
        Resource lock = Resource.readWriteLockAt(path, dialect);
        store.check(lock.line());
        return new QueuedReadWriteLock(lock, locks);
    }

    @Override
    public DistributedSemaphore semaphore(String name, int permits) {
        return new QueuedSemaphore(Resource.semaphore(name), permits, locks);
    }

    @Override
    public MultiLock multiLock(Collection<String> names) {
        if (names.isEmpty() || new HashSet<>(names).size() < names.size()) {
            throw new IllegalArgumentException("a multi-lock needs names, each of them once: " + names);
        }
        List<DistributedLock> inOrder = names.stream()
                .map(Resource::lock)
                .sorted(Comparator.comparing(lock -> lock.line().path()))
                .map(this::mutex)
                .toList();
        return new DefaultMultiLock(inOrder, loop::nanoTime, options.closeTimeout());
    }

    @Override
    public RecipeContext recipes() {
        return recipes;
    }

    @Override
    public Records records(String tree) {
        return new StoredRecords(Names.checkTree(tree), recipes.records(), observations, callbacks);
    }

    @Override
    public boolean transact(List<Guard> guards, List<Op> ops) throws InterruptedException {
        return Futures.interruptibly(transactions.apply(guards, ops));
    }

    @Override
    public CompletableFuture<Boolean> transactAsync(List<Guard> guards, List<Op> ops) {
        return callbacks.completeInCallback(transactions.apply(guards, ops));
    }

    @Override
    public SessionState state() {
        return state;
    }

    @Override
    public Subscription onState(Consumer<SessionState> listener) {
        return listeners.add(listener, this::state);
    }

    @Override
    public Duration ttl() {
        return ttl;
    }

    @Override
    public Guarantees guarantees() {
        return store.guarantees();
    }

    @Override
    public void close() {
        CompletableFuture<Void> done = closeAsync();
        if (Callbacks.inside()) {
            return;
        }
        long start = loop.nanoTime();
        // The loop itself keeps to the close timeout; the caller only waits for that.
        if (Futures.awaitDone(options.closeTimeout().plus(GRACE), done)) {
            Duration left = options.closeTimeout().minusNanos(loop.nanoTime() - start);
            callbacks.awaitEnd(left.compareTo(GRACE) > 0 ? left : GRACE);
        }
    }

    /** Closes without waiting. Completes on the loop when all is closed, after the close timeout at the latest. */
    public CompletableFuture<Void> closeAsync() {
        if (closing.compareAndSet(false, true)) {
            loop.post(this::shutDown);
        }
        return closed;
    }

    private void shutDown() {
        changeState(SessionState.CLOSED, "");
        // Hooks that were slow on the loop may have taken all of the time.
        Loop.Timer late = loop.after(options.closeTimeout(), () -> RunAll.all(this::end, this::finishLate));
        Futures.onDone(closed, (done, failure) -> late.cancel());
        closeHooks.drain(options.closeTimeout().dividedBy(2), this::end);
    }

    /** Ends all parts and then the session, whatever a part throws. */
    private void end() {
        if (ending) {
            return;
        }
        ending = true;
        var steps = new ArrayList<Runnable>();
        parts.forEach(part -> steps.add(part::close));
        steps.add(() -> Futures.onDone(keeper.close(), (done, failure) -> {
            finish(failure == null);
            lastEnd.cancel();
            onClosed.run();
        }));
        RunAll.all(steps);
    }

    /** The session is still ending. It needs the loop to give its connections up should the store never answer. */
    private void finishLate() {
        if (!closed.isDone()) {
            finish(false);
            lastEnd = loop.after(ttl.multipliedBy(2), onClosed);
        }
    }

    private void finish(boolean sessionEnded) {
        if (closed.isDone()) {
            return;
        }
        acquisitions.endRemovals(sessionEnded);
        ready.completeExceptionally(RecipeContext.closedException());
        troubles.clear();
        reporter.reportLastLoad();
        callbacks.close();
        closed.complete(null);
    }

    private void changeState(SessionState next, String why) {
        if (state != SessionState.CLOSED && state != next) {
            state = next;
            listeners.publish(next);
            long lasted = loop.nanoTime() - stateSince;
            stateSince += lasted;
            RunAll.all(() -> contact.changed(next), () -> reporter.session(session, next, lasted, why));
        }
    }

    private void toParts(Consumer<SessionScoped> event) {
        RunAll.each(parts, event);
    }

    /** Each event reaches all that it concerns, even after a listener throws, which may be a recipe's. */
    private final class Life implements SessionKeeper.Watcher {

        @Override
        public void connected(Session now) {
            session = now.id();
            ttl = now.timeout();
            RunAll.all(
                    () -> changeState(SessionState.CONNECTED, ""),
                    () -> toParts(part -> part.connected(now)),
                    () -> ready.complete(null));
        }

        @Override
        public void suspended() {
            List<Runnable> steps = new ArrayList<>();
            // Between a loss and the next session's first contact the state stays LOST.
            if (state == SessionState.CONNECTED) {
                steps.add(() -> changeState(SessionState.SUSPENDED, ""));
                steps.add(acquisitions::outOfContact);
            }
            steps.add(() -> toParts(SessionScoped::suspended));
            RunAll.all(steps);
        }

        @Override
        public void proven() {
            toParts(SessionScoped::proven);
        }

        @Override
        public void lost(CoordinationException why) {
            RunAll.all(
                    () -> toParts(SessionScoped::lost),
                    () -> changeState(SessionState.LOST, String.valueOf(why.getMessage())),
                    () -> ready.completeExceptionally(why));
        }

        @Override
        public void refused(Throwable why) {
            opened.completeExceptionally(why);
            ready.completeExceptionally(why);
        }

        @Override
        public Optional<RequestListener> requests() {
            return reporter.requests();
        }
    }
}
