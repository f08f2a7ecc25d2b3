package io.baton.etcd;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.etcd.wire.Errors;
import io.baton.etcd.wire.EtcdAddress;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Compare;
import io.baton.etcd.wire.EtcdWire.Delete;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Part;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.etcd.wire.RewindDetector;
import io.baton.etcd.wire.TimedWire;
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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lease with a key of its own: its contact, its proofs of life, and its places, watches and observers. */
final class EtcdSession implements Session, EtcdContext, EtcdWire.Events, TimedWire.Witness {

    private static final Logger log = LoggerFactory.getLogger(EtcdSession.class);

    private static final long NOTHING = -1;
    /** The first pause of {@link #retryLater} after a refusal. */
    private static final int FIRST_RETRY = 5;

    private static final Duration REVOKED_AGAIN = Duration.ofMillis(200);

    private final EtcdAddress address;
    private final SessionSpec spec;
    private final Loop loop;
    private final SessionListener to;
    private final Evidence evidence;
    private final Heartbeat heartbeat;
    // For requests whose answers count after the session's end.
    private final EtcdWire plainWire;
    // For requests whose missing answer ends the connection.
    private final EtcdWire urgentWire;
    private final EtcdWire wire;
    private final RequestWindow window;
    private final OwnEntries ownEntries = new OwnEntries();
    private final RefusedRemovals refusedRemovals = new RefusedRemovals();
    private final LostEvents lostEvents = new LostEvents();
    private final LostWatches lostWatches = new LostWatches(this);
    private final Epoch epoch = new Epoch(this);
    private final Followings followings = new Followings(this);
    private final PredecessorWatchCache predecessorWatches = new PredecessorWatchCache(this);
    private final PendingRemovals pendingRemovals = new PendingRemovals();
    private final EntryKeys entryKeys = new EntryKeys();
    private final ReconnectTasks reconnectTasks;
    private final Set<LinePlace> places = new LinkedHashSet<>();
    private final Set<LineObservation> lines = new LinkedHashSet<>();
    private final Set<TreeObserver> trees = new LinkedHashSet<>();
    private final Audit audit = new Audit(this, places, lines, trees);
    private final LeaseMigration leaseMigration;
    private final HeartbeatRequests heartbeatRequests = new HeartbeatRequests(this);
    private final OwnKeyWatch ownKeyWatch = new OwnKeyWatch(this);
    private final SessionRequests requests = new SessionRequests(this);
    private final PrefixWatches prefixWatches = new PrefixWatches(this);
    private final RewindDetector rewind = new RewindDetector(this::rewound);
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    private volatile Timing timing;
    private volatile Link link = Link.SUSPENDED;
    private volatile Optional<String> trouble = Optional.empty();
    // The first lease, which names the session's own key.
    private long first = LeaseMigration.NONE;
    private boolean attached;
    private boolean over;
    // Why etcd does not revoke the lease; and the keys of the entries when the session ended.
    private String whyNotRevoked = "";
    private final Deque<String> entriesAtEnd = new ArrayDeque<>();
    private Loop.Timer revokeAgain = () -> {};
    private int proofUsers;
    // The connection on which a retry is planned.
    private long retrying = NOTHING;
    // How often requests that begin the session or its contact were refused in a row.
    private int refusals;

    EtcdSession(
            EtcdAddress address,
            SessionSpec spec,
            Timing timing,
            Loop loop,
            EtcdWire.Factory wires,
            SessionListener to) {
        this(
                address,
                spec,
                timing,
                loop,
                wires,
                to,
                AdaptiveLimit.between(RequestWindow.LEAST, RequestWindow.LIMIT, spec.ttl()));
    }

    EtcdSession(
            EtcdAddress address,
            SessionSpec spec,
            Timing timing,
            Loop loop,
            EtcdWire.Factory wires,
            SessionListener to,
            AdaptiveLimit limit) {
        this.address = address;
        this.spec = spec;
        this.timing = timing;
        this.loop = loop;
        this.to = to;
        this.evidence = new Evidence(loop, timing);
        this.leaseMigration = new LeaseMigration(this, evidence, places);
        this.heartbeat = new Heartbeat(loop, timing, evidence, heartbeatRequests);
        this.reconnectTasks = new ReconnectTasks(loop, this::inContact);
        this.plainWire = wires.open(Duration.ofNanos(timing.patience()), this);
        this.urgentWire = new TimedWire(plainWire, this, this::giveUpConnection);
        this.wire = new TimedWire(plainWire, this, this::probe);
        this.window = new RequestWindow(wire, loop, this::inContact, limit);
    }

    // Calls by the session's owner.

    /** The lease as etcd's tools show it. It changes when the cluster gets another leader. */
    @Override
    public String id() {
        return "0x" + Long.toHexString(leaseMigration.lease());
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
        return Duration.ofNanos(timing.ttl());
    }

    @Override
    public Optional<String> whyTimeoutRaised() {
        Duration timeout = timeout();
        if (timeout.compareTo(spec.ttl()) <= 0) {
            return Optional.empty();
        }
        return Optional.of(
                timeout.equals(Timing.wholeSeconds(spec.ttl()))
                        ? "etcd's leases live for whole seconds"
                        : "etcd grants no lease for less");
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
    public CompletionStage<Optional<Item>> get(RecordKey key) {
        return requests.get(key);
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
        var tree = new TreeObserver(this, records, observer);
        trees.add(tree);
        Runnable end = prefixWatches.add(tree.watch());
        return () -> {
            trees.remove(tree);
            end.run();
        };
    }

    @Override
    public Runnable observe(Line line, HeadListener observer) {
        return observe(new HeadObservation(this, line, observer));
    }

    @Override
    public Runnable observePeers(Line line, Consumer<List<Peer>> observer) {
        return observe(new PeersObservation(this, line, observer));
    }

    private Runnable observe(LineObservation observation) {
        lines.add(observation);
        Runnable end = prefixWatches.add(observation.watch());
        return () -> {
            lines.remove(observation);
            end.run();
        };
    }

    @Override
    public CompletionStage<Void> close() {
        loop.execute(() -> end(new SessionLostException("the session " + id() + " was closed")));
        return closed;
    }

    // Events from the wire.

    @Override
    public void connected() {
        trouble = Optional.empty();
        evidence.connectionChanged();
        if (!isOpen()) {
            endLeases();
        } else if (first == LeaseMigration.NONE) {
            grant();
        } else if (!attached) {
            attach();
        } else {
            verify();
        }
    }

    @Override
    public void disconnected(String why) {
        trouble = Optional.of(why);
        evidence.connectionChanged();
        if (inContact()) {
            link = Link.SUSPENDED;
            heartbeat.stopped();
            log.debug("The session {} is out of contact: {}", id(), why);
            to.suspended();
        }
    }

    @Override
    public void trouble(String why) {
        trouble = Optional.of(why);
    }

    @Override
    public void rejected(CoordinationException why) {
        end(why);
    }

    // Proofs from answers.

    @Override
    public SendStamp stamp() {
        return evidence.stamp();
    }

    @Override
    public @Nullable Object before() {
        return evidence.before();
    }

    @Override
    public void renewed(long lease, SendStamp sent, @Nullable Object before, Header header) {
        evidence.renewed(lease, sent, before, header);
        leaseMigration.onHeader(header);
    }

    @Override
    public void missing(long lease, SendStamp sent, @Nullable Object before, Header header) {
        evidence.missing(lease, sent, before, header);
        leaseMigration.onHeader(header);
    }

    @Override
    public void confirmed(SendStamp sent, RewindDetector.Mark known, Header header) {
        rewind.answered(header, known);
        leaseMigration.onHeader(header);
        if (isOpen() && evidence.confirmed(sent, header) && attached) {
            proven();
        }
        evidence.takeEnded().forEach(leaseMigration::endedForCertain);
    }

    @Override
    public void onHeader(Header header) {
        rewind.onHeader(header);
        leaseMigration.onHeader(header);
    }

    @Override
    public void watchCreated() {
        lostWatches.created();
    }

    @Override
    public void watchLost(SendStamp requested, String why) {
        lostWatches.lost(requested, why);
    }

    @Override
    public RewindDetector.Mark mark() {
        return rewind.mark();
    }

    @Override
    public long knownRevision() {
        return rewind.knownRevision();
    }

    private void giveUpConnection(SendStamp sent, String why) {
        if (sent.connection() == evidence.stamp().connection()) {
            wire.reconnect(why);
        }
    }

    /** The request may have been queued for too long. The next heartbeat shows whether the member is usable. */
    private void probe(SendStamp sent, String why) {
        if (inContact() && sent.connection() == evidence.stamp().connection()) {
            log.debug("The session {} looks whether its connection is of use: {}", id(), why);
            heartbeat.requestProof();
        }
    }

    @Override
    public boolean isOpen() {
        return link != Link.LOST;
    }

    // Shared by the parts of the session.

    @Override
    public EtcdWire wire() {
        return wire;
    }

    @Override
    public RequestWindow window() {
        return window;
    }

    /** For heartbeats and other requests that decide whether the session lives. */
    EtcdWire urgentWire() {
        return urgentWire;
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

    @Override
    public Loop loop() {
        return loop;
    }

    @Override
    public String key(String below) {
        return address.key(below);
    }

    @Override
    public String key(Line line) {
        return address.key(line);
    }

    @Override
    public boolean inContact() {
        return link == Link.CONNECTED;
    }

    @Override
    public void onReconnect(BooleanSupplier wanted, Runnable task) {
        reconnectTasks.add(wanted, task);
    }

    @Override
    public void retryLater(int attempt, Runnable task) {
        loop.after(Pauses.before(attempt, loop), () -> {
            if (isOpen()) {
                task.run();
            }
        });
    }

    @Override
    public Compare.Written epoch() {
        return epoch.compare();
    }

    @Override
    public void settle(Runnable then) {
        epoch.settle(then);
    }

    /** As {@link #settle(Runnable)}, while that is wanted; {@code refused} runs with each refusal of a new epoch. */
    void settle(BooleanSupplier wanted, Runnable then, Runnable refused) {
        epoch.settle(wanted, then, refused);
    }

    @Override
    public void reportTrouble(String what, String why) {
        to.troubled(what, why);
    }

    @Override
    public void resolveTrouble(String what) {
        to.resolved(what);
    }

    /** A counter of refusals for a request that is repeated until the servers accept it. */
    RepeatedRefusal repeatedRefusal(Supplier<String> what) {
        return new RepeatedRefusal(what, this::reportTrouble, this::resolveTrouble);
    }

    @Override
    public void refusedByEpoch() {
        verify();
    }

    @Override
    public void removed(Collection<Compare.Created> entries) {
        entries.forEach(entry -> ownEntries.find(entry).ifPresent(place -> place.removed(entries)));
    }

    Heartbeat heartbeat() {
        return heartbeat;
    }

    HeartbeatRequests heartbeatRequests() {
        return heartbeatRequests;
    }

    Followings followings() {
        return followings;
    }

    PredecessorWatchCache predecessorWatches() {
        return predecessorWatches;
    }

    PendingRemovals pendingRemovals() {
        return pendingRemovals;
    }

    LeaseMigration leaseMigration() {
        return leaseMigration;
    }

    /** The lease of new keys. */
    long lease() {
        return leaseMigration.lease();
    }

    /** Whether the session's own key has been written. */
    boolean attached() {
        return attached;
    }

    /** The session's own key was written at this revision. */
    void written(long revision) {
        epoch.seen(revision);
    }

    private void timing(Timing other) {
        timing = other;
        evidence.timing(timing);
        heartbeat.timing(timing);
    }

    /** The key that exists for as long as the session. */
    String ownKey() {
        return address.sessionKey(first);
    }

    /** The value of that key, for operators. */
    byte[] ownValue() {
        return ("client=" + spec.client() + "\n").getBytes(StandardCharsets.UTF_8);
    }

    EntryKeys entryKeys() {
        return entryKeys;
    }

    /** Returns the last part of a new entry's key, which was never used before. */
    String newEntry() {
        return Long.toHexString(first) + "-" + hex(loop.randomLong()) + hex(loop.randomLong());
    }

    private static String hex(long bits) {
        String digits = Long.toHexString(bits);
        return "0".repeat(16 - digits.length()) + digits;
    }

    void countProofUser(boolean more) {
        proofUsers += more ? 1 : -1;
        heartbeat.proveEachBeat(proofUsers > 0);
    }

    /** Completes once the session and all its entries have certainly ended; fails if that stays unknown. */
    CompletableFuture<Void> ended() {
        return closed;
    }

    void placeClosed(LinePlace place) {
        places.remove(place);
    }

    /** Handles a linearizable read of the session's own key. Returns false if the session has ended. */
    boolean ownKeyRead(Part own) {
        Optional<Kv> key = own.first();
        if (key.isEmpty()) {
            ownKeyMissing();
            return false;
        }
        epoch.seen(key.get().written());
        return isOpen();
    }

    /** The store has lost revisions that it had reported, for example by a restored backup. */
    private void rewound() {
        end(new SessionLostException("the session " + id() + " has ended: the store was set back to revision "
                + rewind.knownRevision() + ", as by a restored backup (store rewound)"));
    }

    /** The session's own key does not exist. */
    void ownKeyMissing() {
        end(new SessionLostException("etcd has ended the session " + id()));
    }

    /** A request that proves liveness was refused. The refusal becomes the reported reason for the missing proof. */
    void proofRefused(String what, Fault fault) {
        if (fault.code() != Code.LOST) {
            trouble = Optional.of(what + ": etcd says " + fault.message());
        }
    }

    /** Reads the session's own key. If it exists and contact was lost, the session is in contact again. */
    void verify() {
        urgentWire.txn(Txn.read(Range.presence(ownKey())), (fault, result) -> {
            if (result != null) {
                refusals = 0;
                if (ownKeyRead(result.parts().get(0))) {
                    if (inContact()) {
                        trouble = Optional.empty();
                    } else {
                        enterContact(() -> {});
                    }
                }
            } else {
                refused("cannot read the session's own key " + ownKey(), fault, this::verify);
            }
        });
    }

    // How a session begins.

    private void grant() {
        SendStamp sent = evidence.stamp();
        urgentWire.grant(Timing.wholeSeconds(spec.ttl()), (fault, granted) -> {
            if (granted != null) {
                granted(sent, granted);
            } else {
                refused("cannot get a lease", fault, this::grant);
            }
        });
    }

    private void granted(SendStamp sent, EtcdWire.Lease granted) {
        first = granted.id();
        leaseMigration.begin(first, granted.header().term());
        if (spec.strict() && granted.ttl().compareTo(spec.ttl()) > 0) {
            IllegalArgumentException tooLong = new IllegalArgumentException("etcd grants no less than "
                    + granted.ttl().toMillis() + " ms: more than the strict ttl of "
                    + spec.ttl().toMillis()
                    + " ms. Ask for more, or do without strictTtl");
            end(new CoordinationException(String.valueOf(tooLong.getMessage()), tooLong));
            return;
        }
        timing(Timing.of(granted.ttl()));
        evidence.granted(sent);
        attach();
    }

    /** Writes the session's own key. After an unanswered attempt, the one applied first counts. */
    private void attach() {
        var put = new Put(ownKey(), ownValue(), first);
        var txn = new Txn(List.of(new Compare.Created(ownKey(), 0)), List.of(put), List.of(Range.presence(ownKey())));
        urgentWire.txn(txn, (fault, result) -> {
            if (result == null && fault.code() == Code.NO_LEASE) {
                first = LeaseMigration.NONE;
                grant();
            } else if (result == null) {
                refused("cannot begin a session at " + ownKey(), fault, this::attach);
            } else if (result.met()) {
                attached(result.header().revision());
            } else {
                result.parts().get(0).first().ifPresentOrElse(own -> attached(own.written()), this::ownKeyMissing);
            }
        });
    }

    private void refused(String what, Fault fault, Runnable again) {
        if (fault.code() == Code.LOST) {
            return; // retried with the next contact
        }
        if (fault.code() != Code.OVERLOADED && !attached) {
            end(Errors.of(what, fault));
            return;
        }
        proofRefused(what, fault);
        long connection = evidence.stamp().connection();
        if (retrying == connection) {
            return;
        }
        retrying = connection;
        retryLater(FIRST_RETRY + refusals++, () -> {
            // The next connection begins with the same request, and may already have passed it.
            if (retrying == connection && connection == evidence.stamp().connection()) {
                retrying = NOTHING;
                again.run();
            }
        });
    }

    private void attached(long revision) {
        attached = true;
        refusals = 0;
        epoch.seen(revision);
        enterContact(this::proven);
    }

    /** Runs all of these even if one throws: the session must live on. */
    private void enterContact(Runnable second) {
        link = Link.CONNECTED;
        trouble = Optional.empty();
        leaseMigration.connected();
        RunAll.all(
                to::connected,
                heartbeat::connected,
                ownKeyWatch::connected,
                second,
                epoch::connected,
                window::connected,
                reconnectTasks::runAll,
                prefixWatches::connected,
                audit::connected);
    }

    private void proven() {
        trouble = Optional.empty();
        heartbeat.proven();
        to.proven();
    }

    // How a session ends.

    private void end(CoordinationException why) {
        if (!isOpen()) {
            return;
        }
        link = Link.LOST;
        places.stream().filter(LinePlace::mayHaveEntry).map(LinePlace::key).forEach(entriesAtEnd::add);
        heartbeat.stopped();
        reconnectTasks.clear();
        window.clear();
        audit.stop();
        prefixWatches.clear();
        lines.clear();
        trees.clear();
        var steps = new ArrayList<Runnable>();
        List.copyOf(places).forEach(place -> steps.add(() -> place.sessionLost(why)));
        steps.add(() -> requests.sessionLost(why));
        // Without contact the store drops the lease itself, in time. (A listener's callback may close the loop.)
        steps.add(() -> loop.after(Duration.ofNanos(2 * timing.patience()), () -> finish(false)));
        steps.add(() -> to.lost(why));
        steps.add(this::revoke);
        RunAll.all(steps);
    }

    /** Goes on with the end of the leases, with the next contact or after an attempt that may succeed later. */
    private void endLeases() {
        revokeAgain.cancel();
        if (over) {
            return;
        }
        if (whyNotRevoked.isEmpty()) {
            revoke();
        } else {
            removeEntries();
        }
    }

    /** Revokes the leases, and with them all keys on them. */
    private void revoke() {
        if (first == LeaseMigration.NONE) {
            finish(true);
            return;
        }
        List<Long> leases = leaseMigration.leases();
        int[] open = {leases.size()};
        SendStamp sent = evidence.stamp();
        for (long lease : leases) {
            wire.revoke(lease, (fault, header) -> {
                if (header != null || fault.code() == Code.NO_LEASE) {
                    if (--open[0] == 0) {
                        finish(true);
                    }
                } else if (!triedAgain(sent, fault) && whyNotRevoked.isEmpty()) {
                    whyNotRevoked = fault.message();
                    removeEntries();
                }
            });
        }
    }

    /**
     * Removes the entries one by one. etcd does not revoke a lease if a single key on it may not be written, and others
     * wait behind the rest.
     */
    private void removeEntries() {
        String key = entriesAtEnd.peek();
        if (key == null) {
            finish(false);
        } else if (!over) {
            SendStamp sent = evidence.stamp();
            plainWire.txn(new Txn(List.of(), List.of(new Delete(key)), List.of()), (fault, result) -> {
                if (!triedAgain(sent, fault)) {
                    entriesAtEnd.remove(key);
                    removeEntries();
                }
            });
        }
    }

    /**
     * Plans another attempt to end the leases if this fault says nothing about the next one. Without an answer, that
     * goes to another member.
     */
    private boolean triedAgain(SendStamp sent, Fault fault) {
        if (fault.code() == Code.LOST) {
            giveUpConnection(sent, fault.message());
        } else if (fault.code() != Code.OVERLOADED) {
            return false;
        }
        revokeAgain.cancel();
        revokeAgain = loop.after(REVOKED_AGAIN, this::endLeases);
        return true;
    }

    private void finish(boolean certain) {
        if (over) {
            return;
        }
        over = true;
        revokeAgain.cancel();
        wire.close();
        if (certain) {
            closed.complete(null);
        } else {
            String how = whyNotRevoked.isEmpty()
                    ? "was closed without contact"
                    : "was closed, but etcd does not revoke its lease (" + whyNotRevoked + ")";
            closed.completeExceptionally(new StoreUnavailableException(
                    "the session " + id() + " " + how + ": the store drops what it holds when its timeout has passed"));
        }
    }
}
