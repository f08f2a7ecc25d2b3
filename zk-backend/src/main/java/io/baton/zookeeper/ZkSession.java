package io.baton.zookeeper;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.spi.Claim;
import io.baton.spi.Condition;
import io.baton.spi.Entry;
import io.baton.spi.HeadListener;
import io.baton.spi.Line;
import io.baton.spi.Link;
import io.baton.spi.Loop;
import io.baton.spi.Peer;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.Proof;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.spi.TreeListener;
import io.baton.spi.support.AdaptiveLimit;
import io.baton.spi.support.Pauses;
import io.baton.spi.support.ReconnectTasks;
import io.baton.spi.support.RefusedRemovals;
import io.baton.spi.support.RepeatedRefusal;
import io.baton.spi.support.RunAll;
import io.baton.spi.support.SendStamp;
import io.baton.zookeeper.wire.Errors;
import io.baton.zookeeper.wire.TimedWire;
import io.baton.zookeeper.wire.ZkAddress;
import io.baton.zookeeper.wire.ZkWire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException.Code;

/** A ZooKeeper session: its contact, its proofs of life, and its places, watches and observers. */
final class ZkSession implements Session, ZkWire.Events, TimedWire.Witness {

    private final ZkAddress address;
    private final SessionSpec spec;

    /** The timeout requested from the servers. */
    private final Duration asked;

    private final Loop loop;
    private final SessionListener to;
    private final Positions positions;
    private final Evidence evidence;
    private final Heartbeat heartbeat;
    private final ZkWire wire;
    private final Tree tree = new Tree(this);
    private final Watches watches = new Watches(this);
    private final Followings followings = new Followings(this);
    private final LineLengths lengths = new LineLengths(this);
    private final LineListings listings = new LineListings(this);
    private final OwnEntries ownEntries = new OwnEntries();
    private final RefusedRemovals refusedRemovals = new RefusedRemovals();
    private final LostEvents lostEvents = new LostEvents(this);
    private final RequestWindow joins;
    private final RequestWindow removals;
    private final RecordReader reader = new RecordReader(this);
    private final ReconnectTasks reconnectTasks;
    private final Audit audit;
    private final EmptyLines emptyLines;
    private final Places places = new Places();
    private final CzxidOrder czxidOrder = new CzxidOrder(this);
    private final SessionRequests requests;
    private final TreeObservers observers = new TreeObservers(this);
    private final LineWatches lineWatches = new LineWatches(this);
    private final HeartbeatRequests heartbeatRequests;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final SendStamp opened;
    private final boolean shared;

    private volatile Timing timing;
    private volatile Link link = Link.SUSPENDED;
    private volatile Optional<String> trouble = Optional.empty();
    /** Whether the servers close each connection, as they have last said. */
    private boolean hungUp;

    private long number;
    private boolean admitted;
    private int proofUsers;

    ZkSession(
            ZkAddress address,
            SessionSpec spec,
            Timing timing,
            Loop loop,
            ZkWire.Factory wires,
            SessionListener to,
            Positions positions,
            Supplier<AdaptiveLimit> limits) {
        this.address = address;
        this.positions = positions;
        this.spec = spec;
        this.asked = Duration.ofNanos(timing.timeout());
        this.timing = timing;
        this.loop = loop;
        this.to = to;
        this.evidence = new Evidence(loop, timing);
        this.heartbeatRequests = new HeartbeatRequests(this);
        this.heartbeat = new Heartbeat(loop, timing, evidence, heartbeatRequests);
        this.reconnectTasks = new ReconnectTasks(loop, this::connected);
        this.joins = new RequestWindow(limits.get(), loop::nanoTime, this::connected);
        this.removals = new RequestWindow(limits.get(), loop::nanoTime, this::connected);
        this.requests = new SessionRequests(this, limits.get());
        this.audit = new Audit(this, places);
        this.emptyLines = new EmptyLines(this, places);
        this.opened = evidence.stamp();
        this.shared = wires.shared();
        this.wire = new TimedWire(wires.open(Duration.ofNanos(timing.timeout()), this), this);
    }

    // Calls by the session's owner.

    @Override
    public String id() {
        return "0x" + Long.toHexString(number);
    }

    @Override
    public Link link() {
        return link;
    }

    @Override
    public Optional<String> trouble() {
        return trouble;
    }

    @Override
    public Proof proof() {
        return evidence.proof();
    }

    @Override
    public Duration timeout() {
        return Duration.ofNanos(timing.timeout());
    }

    /** A shared session has its own timeout, whatever was requested. */
    @Override
    public Optional<String> whyTimeoutRaised() {
        Duration timeout = timeout();
        if (shared || timeout.compareTo(spec.ttl()) <= 0) {
            return Optional.empty();
        } else if (timeout.compareTo(asked) > 0) {
            return Optional.of("the servers grant no less (minSessionTimeout)");
        }
        return Optional.of(
                "with a server tick of " + address.tick().toMillis() + " ms a hold cannot be proven alive in time"
                        + " with less; a smaller tickTime of the servers can be stated in the URI (as ?tick=500ms)");
    }

    @Override
    public void requestProof() {
        heartbeat.requestProof();
    }

    @Override
    public Place join(Line line, Claim claim, byte[] payload, PlaceListener standing) {
        line.check(claim);
        var place = new LinePlace(this, line, claim, payload, standing);
        if (isOpen()) {
            places.add(place);
            place.start();
        } else {
            loop.execute(() -> place.sessionLost(new SessionLostException("the session " + id() + " has ended")));
        }
        return place;
    }

    @Override
    public CompletionStage<Boolean> isFree(Line line, Claim claim) {
        line.check(claim);
        return requests.isFree(line, claim);
    }

    @Override
    public CompletionStage<List<Peer>> peers(Line line) {
        return requests.peers(line);
    }

    @Override
    public CompletionStage<Optional<Entry>> details(Peer peer) {
        return requests.details(peer);
    }

    @Override
    public CompletionStage<Void> askToRelease(Peer owner, Duration within) {
        return Revocation.isOf(owner.line()) ? requests.revoke(owner, within) : CompletableFuture.completedFuture(null);
    }

    @Override
    public Runnable observeAskedToRelease(Peer own, Runnable asked) {
        return Revocation.isOf(own.line()) ? new Revocation(this, own, asked).begin() : () -> {};
    }

    @Override
    public CompletionStage<Optional<Item>> get(RecordKey key) {
        return requests.get(key);
    }

    @Override
    public CompletionStage<Optional<byte[]>> getValue(RecordKey key) {
        return requests.getValue(key);
    }

    @Override
    public CompletionStage<Boolean> transact(
            List<Condition> conditions, List<Op> ops, List<Peer> removed, Duration within) {
        return requests.transact(conditions, ops, removed, within).thenApply(Optional::isPresent);
    }

    @Override
    public CompletionStage<Optional<List<Item>>> transactAndTell(
            List<Condition> conditions, List<Op> ops, Duration within) {
        return requests.transact(conditions, ops, List.of(), within);
    }

    @Override
    public Runnable observe(String records, TreeListener observer) {
        return observers.add(new TreeObserver(this, records, observer));
    }

    @Override
    public Runnable observe(Line line, HeadListener observer) {
        return lineWatches.add(new HeadWatch(this, line, observer));
    }

    @Override
    public Runnable observePeers(Line line, Consumer<List<Peer>> observer) {
        return lineWatches.add(new PeersWatch(this, line, observer));
    }

    @Override
    public CompletionStage<Void> close() {
        // Posted: no callback runs within a call.
        loop.execute(() -> {
            emptyLines.close();
            end(new SessionLostException("the session " + id() + " was closed"), false);
        });
        return closed;
    }

    // Events from the wire.

    @Override
    public void connected(long sessionId, Duration negotiated) {
        if (!isOpen()) {
            return;
        }
        // The first grant is taken as it is; later only a shorter one.
        boolean other =
                number == 0 ? negotiated.toNanos() != timing.timeout() : negotiated.toNanos() < timing.timeout();
        if (other && !acceptTimeout(negotiated)) {
            return;
        }
        if (shared) {
            // A shared client's state changes need not arrive in order with its answers.
            evidence.connectionChanged();
        } else {
            evidence.reconnected();
        }
        number = sessionId;
        link = Link.CONNECTED;
        linkChanged();
        joins.connected();
        removals.connected();
        requests.connected();
        if (admitted) {
            enterContact(heartbeat::connected);
        } else {
            heartbeat.connected();
        }
    }

    @Override
    public void disconnected() {
        if (connected()) {
            link = Link.SUSPENDED;
            linkChanged();
            evidence.disconnected();
            heartbeat.stopped();
            requests.broken();
            watches.disconnected();
            followings.disconnected();
            observers.disconnected();
            if (admitted) {
                to.suspended();
            }
        }
    }

    /** The servers' answers in contact do not explain a disconnect, unless they say that they close the connection. */
    private void linkChanged() {
        if (!hungUp) {
            trouble = Optional.empty();
        }
    }

    @Override
    public void trouble(Optional<String> why) {
        if (why.isPresent() || !hungUp) {
            trouble = why;
        }
    }

    @Override
    public void expired() {
        end(new SessionLostException("ZooKeeper has ended the session " + id()), true);
    }

    @Override
    public void closed(CoordinationException why) {
        end(why, false);
    }

    @Override
    public void changed(String path, ZkWire.Change change) {
        if (isOpen()) {
            if (change == ZkWire.Change.DELETED) {
                heartbeatRequests.deleted(path);
            }
            watches.changed(path, change);
            followings.changed(path, change);
            observers.changed(path, change);
            lineWatches.changed(path, change);
        }
    }

    // Proofs from answers.

    @Override
    public SendStamp stamp() {
        return evidence.stamp();
    }

    @Override
    public void answered(SendStamp sent) {
        evidence.answered(sent);
    }

    @Override
    public void committed(SendStamp sent) {
        if (evidence.committed(sent)) {
            proven();
        }
    }

    @Override
    public boolean isOpen() {
        return link != Link.LOST;
    }

    // Shared by the parts of the session.

    ZkWire wire() {
        return wire;
    }

    Loop loop() {
        return loop;
    }

    ZkAddress address() {
        return address;
    }

    /** See {@link SessionListener#troubled}. */
    void reportTrouble(String what, String why) {
        to.troubled(what, why);
    }

    /** A counter of refusals for a request that is repeated until the servers accept it. */
    RepeatedRefusal repeatedRefusal(Supplier<String> what) {
        return new RepeatedRefusal(what, this::reportTrouble, this::resolveTrouble);
    }

    /** See {@link SessionListener#resolved}. */
    void resolveTrouble(String what) {
        to.resolved(what);
    }

    Heartbeat heartbeat() {
        return heartbeat;
    }

    HeartbeatRequests heartbeatRequests() {
        return heartbeatRequests;
    }

    Tree tree() {
        return tree;
    }

    Watches watches() {
        return watches;
    }

    Followings followings() {
        return followings;
    }

    LineWatches lineWatches() {
        return lineWatches;
    }

    LineLengths lengths() {
        return lengths;
    }

    LineListings listings() {
        return listings;
    }

    RefusedRemovals refusedRemovals() {
        return refusedRemovals;
    }

    OwnEntries ownEntries() {
        return ownEntries;
    }

    LostEvents lostEvents() {
        return lostEvents;
    }

    /** The window of joins in flight, each with its listing. */
    RequestWindow joins() {
        return joins;
    }

    /** The window of own entries' removals in flight. */
    RequestWindow removals() {
        return removals;
    }

    TreeObservers observers() {
        return observers;
    }

    /** The positions that this client has read, in this session and those before it. */
    Positions positions() {
        return positions;
    }

    Audit audit() {
        return audit;
    }

    CzxidOrder czxidOrder() {
        return czxidOrder;
    }

    RecordReader reader() {
        return reader;
    }

    boolean connected() {
        return link == Link.CONNECTED;
    }

    /** Whether the session belongs to another program, which may end it. */
    boolean shared() {
        return shared;
    }

    /** The session's number as the server writes it into entries. */
    long number() {
        return number;
    }

    /** Runs the task once on reconnecting, if {@code wanted} holds then. The contact is lost, or about to be. */
    void onReconnect(BooleanSupplier wanted, Runnable task) {
        reconnectTasks.add(wanted, task);
    }

    /** The number of tasks that wait for reconnection. */
    int pendingTasks() {
        return reconnectTasks.size();
    }

    /** The number of transactions and single reads that wait for room or contact. */
    int queuedRequests() {
        return requests.queued();
    }

    /** Runs the task after a pause that doubles with each attempt. */
    void retryLater(int attempt, Runnable task) {
        loop.after(Pauses.before(attempt, loop), () -> {
            if (isOpen()) {
                task.run();
            }
        });
    }

    void countProofUser(boolean more) {
        proofUsers += more ? 1 : -1;
        heartbeat.proveEachBeat(proofUsers > 0);
    }

    /** Completes once the session and all its entries have certainly ended; fails if that stays unknown. */
    CompletableFuture<Void> ended() {
        return closed;
    }

    /** Notifies this session's places whose entries were removed at these paths by its own request. */
    void removed(List<String> paths) {
        for (String path : paths) {
            LinePlace place = ownEntries.at(path);
            if (place != null) {
                place.removed();
            }
        }
    }

    void placeClosed(LinePlace place) {
        places.remove(place);
        if (isOpen()) {
            emptyLines.placeClosed(place);
        }
    }

    /** Handles a read of the chroot. Before the first successful one, the contact is not reported. */
    void rootRead(Code code) {
        if (code == Code.NONODE) {
            tree.makeRoot(made -> rootMade(made));
        } else if (code == Code.OK) {
            admit();
        } else if (code == Code.NOAUTH || code == Code.SESSIONCLOSEDREQUIRESASLAUTH) {
            deny(code);
        }
        proofAnswered(code);
    }

    /**
     * Handles the answer to a request that proves liveness. A refusal becomes the reported reason for the missing
     * proof.
     */
    void proofAnswered(Code code) {
        if (code == Code.OK) {
            hungUp = false;
            trouble = Optional.empty();
        } else if (code != Code.NONODE && code != Code.CONNECTIONLOSS) {
            hungUp = code == Code.SESSIONCLOSEDREQUIRESASLAUTH;
            trouble = Optional.of("ZooKeeper says " + code + " of " + address.root() + Errors.hint(code));
        }
    }

    /** Handles the answer to the creation of the chroot, which was missing. */
    void rootMade(Code code) {
        if (code == Code.OK || code == Code.NODEEXISTS) {
            admit();
        } else if (!Errors.passes(code)) {
            deny(code);
            trouble = Optional.of(address.root() + " is not there, and may not be made: "
                    + (address.create() ? "ZooKeeper says " + code : "create=no forbids it"));
        }
    }

    private void admit() {
        if (!admitted) {
            admitted = true;
            enterContact(() -> {
                // A shared session's existence proves nothing; nor does that of one whose creation took long.
                if (!shared && evidence.created(opened)) {
                    proven();
                }
                if (proof().remainingNanos(loop.nanoTime()) <= 0) {
                    heartbeat.requestProof();
                }
            });
        }
    }

    private void deny(Code code) {
        if (!admitted) {
            String root = address.root();
            boolean missing = code == Code.NONODE && !address.create();
            end(
                    missing
                            ? new CoordinationException("there is no " + root + " on " + address.hosts()
                                    + ", and create=no forbids to make it: have it made, or drop create=no")
                            : Errors.of("cannot work in " + root, code, root),
                    false);
        }
    }

    /** Runs all of these even if one throws: the session must live on. */
    private void enterContact(Runnable second) {
        RunAll.all(
                to::connected,
                second,
                reconnectTasks::runAll,
                removals::startNext,
                joins::startNext,
                requests::inContact,
                observers::connected,
                lineWatches::connected,
                audit::runSoon);
    }

    private void proven() {
        heartbeat.proven();
        to.proven();
    }

    /** Adopts a timeout that differs from the requested one, if it can work. */
    private boolean acceptTimeout(Duration negotiated) {
        try {
            timing = timingFor(negotiated);
        } catch (IllegalArgumentException impossible) {
            String granted = negotiated.compareTo(asked) > 0
                    ? "the server grants no less than "
                    : "the server grants no more than ";
            end(
                    new CoordinationException(
                            (shared ? "the shared session has a timeout of " : granted)
                                    + negotiated.toMillis() + " ms: "
                                    + impossible.getMessage(),
                            impossible),
                    number == 0 && !shared);
            return false;
        }
        evidence.timing(timing);
        heartbeat.timing(timing);
        return true;
    }

    private Timing timingFor(Duration negotiated) {
        if (spec.strict() && negotiated.compareTo(spec.ttl()) > 0) {
            throw new IllegalArgumentException("more than the strict ttl of "
                    + spec.ttl().toMillis() + " ms. Ask for more, or do without strictTtl");
        }
        return Timing.of(negotiated, address.tick());
    }

    private void end(CoordinationException why, boolean saidByTheStore) {
        if (!isOpen()) {
            return;
        }
        link = Link.LOST;
        heartbeat.stopped();
        reconnectTasks.clear();
        audit.stop();
        emptyLines.stop();
        observers.clear();
        lineWatches.clear();
        List<String> remains = places.all().stream()
                .map(LinePlace::entryPrefix)
                .flatMap(Optional::stream)
                .toList();
        var steps = new ArrayList<Runnable>();
        places.all().forEach(place -> steps.add(() -> place.sessionLost(why)));
        steps.add(() -> requests.sessionLost(why));
        steps.add(() -> to.lost(why));
        steps.add(() -> {
            if (shared) {
                wire.leave(remains, gone -> wireClosed(saidByTheStore || gone));
                // The removal stays pending after that, for the next contact.
                loop.after(timeout(), () -> wireClosed(saidByTheStore));
            } else {
                wire.close(ended -> wireClosed(saidByTheStore || ended));
            }
        });
        RunAll.all(steps);
    }

    private void wireClosed(boolean certain) {
        if (certain) {
            closed.complete(null);
        } else {
            closed.completeExceptionally(new StoreUnavailableException("the session " + id()
                    + " was closed without contact: the store drops what it holds when its timeout has passed"));
        }
    }
}
