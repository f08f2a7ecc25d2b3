package io.baton.spi.kernel;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.Telemetry.Request.Kind;
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
import io.baton.spi.inspect.SessionTimings;
import io.baton.spi.kernel.StepWire.Attached;
import io.baton.spi.kernel.StepWire.Availability;
import io.baton.spi.kernel.StepWire.Beaten;
import io.baton.spi.kernel.StepWire.Departure;
import io.baton.spi.kernel.StepWire.Joining;
import io.baton.spi.kernel.StepWire.Reply;
import io.baton.spi.kernel.StepWire.Standing;
import io.baton.spi.kernel.StepWire.Topic;
import io.baton.spi.support.DurationText;
import io.baton.spi.support.Pauses;
import io.baton.spi.support.PendingRequest;
import io.baton.spi.support.PlaceLife;
import io.baton.spi.support.ReconnectTasks;
import io.baton.spi.support.RefusedRemovals;
import io.baton.spi.support.RepeatedRefusal;
import io.baton.spi.support.RunAll;
import io.baton.spi.support.SendStamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The session of a store that does whole steps. Each contact begins with an attach, which settles everything that was in
 * doubt. A broken contact by itself loses nothing.
 */
public final class KernelSession implements Session, StepWire.Events {

    private enum Contact {
        NONE,
        ATTACHING,
        ATTACHED
    }

    /** An attach may have to connect to one server after another. */
    private static final Duration SLOW_ATTACH = Duration.ofSeconds(10);

    /** How often the limit of an attach is doubled, at most. */
    private static final int MOST_DOUBLED = 2;

    /** So many entries and topics does one beat ask for. */
    private static final int MOST_LOOKED = 64;

    /** How much longer than a ttl a store takes, at most, to end owners that have died: its margin, and some looks. */
    private static final Duration SLOW_END = Duration.ofSeconds(4);

    private static final String BEHIND_SILENT_OWNERS =
            "only owners that have been silent for longer than their ttl are in the way, and the store has not ended"
                    + " them yet: try again";

    private final String id;
    private final Duration ttl;
    private final boolean raised;
    private final String client;
    private final Loop loop;
    private final SessionListener to;
    private final StepWire wire;
    private final StepCalls calls;
    private final Pulse pulse;
    private final Departures departures = new Departures(this);
    private final UnwantedEntries unwanted = new UnwantedEntries(this);
    private final Verdicts verdicts = new Verdicts(this);
    private final RefusedRemovals refusedRemovals = new RefusedRemovals();
    private final ReconnectTasks whenAttached;
    private final Set<PendingRequest<?>> requests = new LinkedHashSet<>();
    private final Set<KernelPlace> places = new LinkedHashSet<>();
    private final Map<String, KernelPlace> byName = new HashMap<>();
    /** Lines that are looked at again as only silent owners are in the way, once for each look. */
    private final List<Line> behindSilentOwners = new ArrayList<>();

    private final Set<TopicFollower> followers = new LinkedHashSet<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    private Contact contact = Contact.NONE;
    private boolean everAttached;
    private Duration quiet = Duration.ZERO;
    private CompletableFuture<Void> quietOver = CompletableFuture.completedFuture(null);
    private String history = "";
    private long entries;
    private int looked;
    private int failures;
    private int slowAttaches;
    private boolean closing;
    private Loop.@Nullable Timer retry;
    private Loop.@Nullable Timer closeLimit;
    private @Nullable CoordinationException over;

    private volatile Link link = Link.SUSPENDED;
    private volatile Optional<String> trouble = Optional.empty();

    private KernelSession(
            StepWire.Opener opener, String id, SessionSpec spec, Duration ttl, Loop loop, SessionListener to) {
        this.id = id;
        this.ttl = ttl;
        this.raised = ttl.compareTo(spec.ttl()) > 0;
        this.client = spec.client();
        this.loop = loop;
        this.to = to;
        calls = new StepCalls(loop, to.requestListener());
        pulse = new Pulse(this, loop, ttl);
        whenAttached = new ReconnectTasks(loop, this::isAttached);
        wire = opener.open(id, ttl, client, loop, this);
    }

    /**
     * Opens a session, as {@link io.baton.spi.Store#open}.
     *
     * @param opener opens the session's wire
     * @param id the session's id, unique for all time
     * @param spec what the client asks for
     * @param shortest the shortest ttl that works; at least 250 ms, as a quarter of it and the margin of the deadline
     *     would otherwise be more than half of it
     * @throws IllegalArgumentException if the ttl is strict and shorter
     */
    public static Session open(
            StepWire.Opener opener, String id, SessionSpec spec, Duration shortest, Loop loop, SessionListener to) {
        Duration ttl = spec.ttlRaisedTo(shortest);
        if (ttl.compareTo(shortest) < 0) {
            throw new IllegalArgumentException("a ttl of " + ttl.toMillis()
                    + " ms is too short: renewed every quarter of it, less than half would be left at times; ask for "
                    + shortest.toMillis() + " ms or more");
        }
        var session = new KernelSession(opener, id, spec, ttl, loop, to);
        loop.execute(session::start);
        return session;
    }

    /** Returns an id that no other session has: 32 hexadecimal digits. */
    public static String newId(Loop loop) {
        return "%016x%016x".formatted(loop.randomLong(), loop.randomLong());
    }

    /**
     * Returns the times that govern the holds of a session.
     *
     * @param ttl how long the store keeps the session when it is silent
     * @param shortest as in {@link #open}
     * @param expiryLag how much longer than its ttl the store may keep the session
     */
    public static SessionTimings timings(Duration ttl, Duration shortest, Duration expiryLag) {
        return new SessionTimings(ttl, shortest, expiryLag, Pulse.margin(ttl), Pulse.every(ttl));
    }

    // ---- contact

    private void start() {
        if (!closing) {
            RunAll.all(this::attach, pulse::plan);
        }
    }

    private void attach() {
        retry = null;
        calls.forget();
        SendStamp sent = stamp();
        StepWire.Reply<Attached> reply = calls.expect(
                Kind.COMMIT,
                answer -> attached(sent, answer),
                why -> disconnected(String.valueOf(why.getMessage())),
                () -> {});
        contact = Contact.ATTACHING;
        wire.attach(!everAttached, verdicts.acknowledged(), reply);
    }

    private void attached(SendStamp sent, Attached answer) {
        contact = Contact.ATTACHED;
        slowAttaches = 0;
        boolean first = !everAttached;
        everAttached = true;
        if (closing) {
            end();
            return;
        }
        boolean sameHistory = history.equals(answer.history());
        history = answer.history();
        if (!first && !sameHistory && pulse.hasRunOut()) {
            endForgotten();
            return;
        }
        setQuiet(answer.quiet());
        trouble = Optional.empty();
        RunAll.all(
                () -> settleMissing(answer.own()),
                () -> connected(sent),
                () -> settle(answer.own()),
                () -> verdicts.settle(answer.verdicts()),
                whenAttached::runAll,
                () -> List.copyOf(followers).forEach(each -> each.attached(sameHistory)),
                () -> beatAfter(sent),
                pulse::plan);
    }

    private void connected(SendStamp attach) {
        link = Link.CONNECTED;
        boolean better = pulse.renewed(attach);
        to.connected();
        if (better) {
            to.proven();
        }
    }

    private void beatAfter(SendStamp attach) {
        if (loop.nanoTime() - attach.nanos() > ttl.toNanos() / 8) {
            pulse.beat(); // what the attach proves was long ago
        }
    }

    /** Before the contact and its proof are told, which would grant to those that wait for a proof, and extend holds. */
    private void settleMissing(List<Standing> own) {
        Set<String> standing = own.stream().map(Standing::name).collect(Collectors.toSet());
        List<KernelPlace> missing = places.stream()
                .filter(place -> place.life().entered() && !standing.contains(place.name()))
                .toList();
        RunAll.each(missing, place -> place.settle(null));
    }

    /** Every entry of this session is in the list. What is not there was removed, or never made. */
    private void settle(List<Standing> own) {
        Map<String, Standing> unknown = new LinkedHashMap<>();
        own.forEach(entry -> unknown.put(entry.name(), entry));
        List<Runnable> each = new ArrayList<>();
        for (KernelPlace place : places) {
            Standing entry = unknown.remove(place.name());
            each.add(() -> place.settle(entry));
        }
        each.add(() -> unwanted.settle(unknown.values()));
        RunAll.all(each);
    }

    @Override
    public void disconnected(String why) {
        if (closed.isDone() || (over != null && !closing)) {
            return;
        }
        if (contact == Contact.ATTACHING && calls.isOverdue(attachLimit().toNanos() / 2)) {
            slowAttaches++;
        }
        contact = Contact.NONE;
        RunAll.all(
                () -> suspended(why),
                departures::clear,
                this::detachFollowers,
                pulse::contactBroken,
                calls::contactBroken,
                this::attachAgain);
    }

    private void suspended(String why) {
        if (over == null) {
            trouble = Optional.of(why);
            if (link == Link.CONNECTED) {
                link = Link.SUSPENDED;
                to.suspended();
            }
        }
    }

    private void detachFollowers() {
        RunAll.each(followers, TopicFollower::detached);
    }

    private void attachAgain() {
        if (retry == null) {
            Duration pause = Pauses.before(failures++, loop);
            if (pause.isZero()) {
                attach();
            } else {
                retry = loop.after(pause, this::attach);
            }
        }
    }

    /**
     * A contact in which a step has had no answer for half of a ttl is given up, and one that does not begin. One that
     * could not even be asked for is asked for again.
     */
    void dropIfSilent() {
        Duration patience = contact == Contact.ATTACHED ? ttl.dividedBy(2) : attachLimit();
        if (calls.isOverdue(patience.toNanos())) {
            disconnected("no answer within " + patience.toMillis() + " ms");
        } else if (contact == Contact.NONE && !closing && over == null) {
            attachAgain();
        }
    }

    /**
     * Longer after an attach that took long and failed: where all sessions come back at once to a store that has to do work
     * for each, attaches that are given up just before they are answered would keep it busy for ever.
     */
    private Duration attachLimit() {
        Duration first = ttl.compareTo(SLOW_ATTACH) < 0 ? SLOW_ATTACH : ttl;
        return first.multipliedBy(1L << Math.min(slowAttaches, MOST_DOUBLED));
    }

    /** Whether steps can be sent. */
    boolean isAttached() {
        return contact == Contact.ATTACHED && !closing && over == null;
    }

    /** Whether entries that are clear may not be believed to be, as a former holder may not know yet that it is none. */
    boolean isQuiet() {
        return !quiet.isZero();
    }

    private void setQuiet(Duration left) {
        boolean before = isQuiet();
        quiet = left;
        if (isQuiet() && !before) {
            quietOver = new CompletableFuture<>();
        } else if (!isQuiet() && before) {
            CompletableFuture<Void> ended = quietOver;
            loop.execute(() -> ended.complete(null));
        }
    }

    @Override
    public Optional<String> whyNoGrants(Line line) {
        if (isQuiet()) {
            return Optional.of("the store is quiet after a restart or a fail-over, and grants nothing for another "
                    + DurationText.of(quiet));
        }
        return behindSilentOwners.contains(line) ? Optional.of(BEHIND_SILENT_OWNERS) : Optional.empty();
    }

    /** Runs this once there is contact, if it is still wanted. */
    void whenAttached(BooleanSupplier wanted, Runnable run) {
        whenAttached.add(wanted, run);
    }

    // ---- the end

    @Override
    public void over(CoordinationException why) {
        RunAll.all(() -> lose(why), () -> finish(true));
    }

    @Override
    public CompletionStage<Void> close() {
        if (over != null || closing) {
            return closed;
        }
        startClosing();
        if (contact == Contact.ATTACHED) {
            // It is lost before the store is told, as that grants to others then.
            loop.execute(() -> RunAll.all(() -> lose(wasClosed()), this::endIfAttached));
        } else {
            loop.execute(() -> RunAll.all(() -> lose(wasClosed()), this::finishIfNeverAttached));
        }
        return closed;
    }

    private void endIfAttached() {
        if (contact == Contact.ATTACHED) {
            end();
        }
    }

    private void finishIfNeverAttached() {
        if (!everAttached) {
            finish(true);
        } // else it ends with the next contact, if that is soon
    }

    private void startClosing() {
        closing = true;
        closeLimit = loop.after(ttl, () -> finish(false));
    }

    private void end() {
        calls.forget();
        wire.end(calls.expect(Kind.DELETE, done -> finish(true), why -> finish(false), () -> {}));
    }

    /**
     * The store may have ended this session, and granted to those behind its entries, in steps that a fail-over has lost.
     * So the session may not come back with the entries that it had.
     */
    private void endForgotten() {
        startClosing();
        var why = new SessionLostException(
                "session " + id + " of '" + client + "' was out of contact for its ttl, and the store has failed over");
        RunAll.all(() -> lose(why), this::end);
    }

    private CoordinationException wasClosed() {
        return new SessionLostException("session " + id + " of '" + client + "' was closed");
    }

    /** The session is lost here. All that are concerned are told, even after one throws. */
    private void lose(CoordinationException why) {
        if (over != null) {
            return;
        }
        over = why;
        link = Link.LOST;
        pulse.stop();
        whenAttached.clear();
        followers.clear();
        List<Runnable> steps = new ArrayList<>();
        places.forEach(place -> steps.add(() -> place.life().sessionLost(why)));
        requests.forEach(request -> steps.add(() -> request.sessionLost(why)));
        steps.add(() -> quietOver.completeExceptionally(why));
        steps.add(() -> to.lost(why));
        RunAll.all(steps);
    }

    /** Completes once the session and its entries have certainly ended; fails if that stays unknown. */
    CompletionStage<Void> ended() {
        return ended;
    }

    private void closed(boolean certain) {
        if (certain) {
            ended.complete(null);
        } else {
            ended.completeExceptionally(new StoreUnavailableException("the session " + id
                    + " was closed without an answer: the store drops what it holds when its ttl has passed"));
        }
        closed.complete(null);
    }

    /** Nothing is left to say to the store. */
    private void finish(boolean certain) {
        if (closeLimit != null) {
            closeLimit.cancel();
        }
        if (retry != null) {
            retry.cancel();
        }
        contact = Contact.NONE;
        calls.forget();
        wire.close();
        closed(certain);
    }

    // ---- liveness

    @Override
    public String id() {
        return id;
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
        return pulse.proof();
    }

    @Override
    public Duration timeout() {
        return ttl;
    }

    @Override
    public Optional<String> whyTimeoutRaised() {
        return raised
                ? Optional.of("renewed every quarter of it, less than half of a shorter one would be left at times")
                : Optional.empty();
    }

    @Override
    public void requestProof() {
        pulse.beat();
    }

    /** Returns the names of entries to look at: some of those that wait, and some of the others, in turn. */
    List<String> toLook() {
        List<String> waiting = new ArrayList<>();
        List<String> held = new ArrayList<>();
        for (KernelPlace place : places) {
            if (place.life().stands()) {
                (place.life().waits() ? waiting : held).add(place.name());
            }
        }
        looked += MOST_LOOKED / 2;
        List<String> look = new ArrayList<>(some(waiting, MOST_LOOKED / 2));
        look.addAll(some(held, MOST_LOOKED / 2));
        return look;
    }

    /** Returns the topics to ask for. */
    List<Topic> topics() {
        return some(followers.stream().map(TopicFollower::topic).distinct().toList(), MOST_LOOKED);
    }

    private <T> List<T> some(List<T> all, int most) {
        if (all.size() <= most) {
            return all;
        }
        List<T> some = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            some.add(all.get(Math.floorMod(looked + i, all.size())));
        }
        return some;
    }

    /** A beat was refused. The proof runs out meanwhile. */
    void beatRefused(CoordinationException why) {
        trouble = Optional.of("the store refuses heartbeats: " + why.getMessage());
    }

    /** A beat was answered. */
    void beaten(SendStamp sent, List<String> names, Beaten answer) {
        failures = 0;
        trouble = Optional.empty();
        boolean wasQuiet = isQuiet();
        setQuiet(answer.quiet());
        List<Runnable> steps = new ArrayList<>();
        steps.add(() -> renewed(sent));
        Map<String, Standing> standing = new HashMap<>();
        answer.own().forEach(entry -> standing.put(entry.name(), entry));
        names.forEach(name -> steps.add(() -> seen(name, standing.get(name))));
        if (wasQuiet && !isQuiet()) {
            steps.add(() -> RunAll.each(places, KernelPlace::quietIsOver));
        }
        steps.add(() -> answer.versions().forEach(this::changed));
        RunAll.all(steps);
    }

    /** An own entry was looked at; null if it is not there. */
    private void seen(String name, @Nullable Standing entry) {
        KernelPlace place = byName.get(name);
        if (place != null && place.life().stands()) {
            if (entry == null) {
                place.removedByOther();
            } else {
                place.stands(entry);
            }
        }
    }

    private void renewed(SendStamp sent) {
        if (pulse.renewed(sent)) {
            to.proven();
        }
    }

    /** Whether something is to be looked at often. */
    boolean isWaiting() {
        return isQuiet() || places.stream().anyMatch(place -> place.life().waits());
    }

    // ---- lines

    @Override
    public Place join(Line line, Claim claim, byte[] payload, PlaceListener to) {
        line.check(claim);
        var place = new KernelPlace(this, line, claim, payload.clone(), to);
        CoordinationException why = closing && over == null ? wasClosed() : over;
        Optional<CoordinationException> refusal = why == null ? refusedRemovals.refusal(line) : Optional.of(why);
        if (refusal.isPresent()) {
            loop.execute(() -> place.life().gone(refusal.get()));
        } else {
            places.add(place);
            place.life().start();
        }
        return place;
    }

    PlaceLife life(KernelPlace place, PlaceListener listener, Line line) {
        return new PlaceLife(
                place,
                listener,
                loop,
                refusedRemovals,
                repeatedRefusal("Cannot see whether an entry in " + line + " was made"),
                repeatedRefusal("Cannot remove an entry in " + line));
    }

    RepeatedRefusal repeatedRefusal(String what) {
        return new RepeatedRefusal(() -> what, to::troubled, to::resolved);
    }

    /** Returns a new name for an entry of this place, and takes what is said of it to the place. */
    String nameFor(KernelPlace place) {
        byName.remove(place.name());
        String name = id + "-" + ++entries;
        byName.put(name, place);
        return name;
    }

    void forget(KernelPlace place) {
        places.remove(place);
        byName.remove(place.name(), place);
    }

    /** Sends a join, and removals that wait. */
    void enter(
            Joining joining, Consumer<Standing> joined, Consumer<CoordinationException> refused, Runnable unanswered) {
        Map<Departure, Departures.Leaver> leaving = departures.take();
        SendStamp sent = stamp();
        wire.step(
                List.copyOf(leaving.keySet()),
                Optional.of(joining),
                calls.expect(
                        Kind.JOIN,
                        answer -> RunAll.all(
                                () -> renewed(sent),
                                () -> departures.made(leaving, answer),
                                () -> joined.accept(answer.joined().orElseThrow()),
                                pulse::plan),
                        why -> {
                            departures.repeat(leaving);
                            refused.accept(why);
                        },
                        unanswered));
    }

    @Override
    public void cleared(String name, long token) {
        KernelPlace place = byName.get(name);
        if (place != null) {
            place.cleared(token);
        }
    }

    @Override
    public void gone(String name) {
        KernelPlace place = byName.get(name);
        if (place != null) {
            place.removedByOther();
        }
    }

    @Override
    public CompletionStage<Boolean> isFree(Line line, Claim claim) {
        line.check(claim);
        return isFree(line, claim, loop.nanoTime());
    }

    private CompletableFuture<Boolean> isFree(Line line, Claim claim, long asked) {
        String what = "whether " + line + " is free";
        CompletableFuture<Availability> read = ask(what, Kind.LIST, reply -> wire.isFree(line, claim, reply));
        return read.thenCompose(now -> switch (now) {
            case FREE -> notQuiet(line, what).thenApply(then -> true);
            case TAKEN -> CompletableFuture.completedFuture(false);
            case EXPIRING -> isFreeAfterALook(line, claim, asked);
        });
    }

    /**
     * Where nobody looks at the store's clock for long, it stands still, and the entries of the dead stay. So looks once
     * more, and then again, for as long as the store takes to end owners with a ttl like this one's. Fails if they stand
     * even then, as their ttl may be longer.
     */
    private CompletableFuture<Boolean> isFreeAfterALook(Line line, Claim claim, long asked) {
        if (loop.nanoTime() - asked > ttl.plus(SLOW_END).toNanos()) {
            return CompletableFuture.failedFuture(
                    new StoreUnavailableException("whether " + line + " is free: " + BEHIND_SILENT_OWNERS));
        }
        pulse.beat();
        behindSilentOwners.add(line);
        CompletableFuture<Void> later = new CompletableFuture<>();
        loop.after(Pulse.LOOK, () -> later.complete(null));
        return later.thenCompose(then -> isFree(line, claim, asked))
                .whenComplete((free, failure) -> behindSilentOwners.remove(line));
    }

    /** Completes once the store is not quiet; fails with the reason if that takes longer than a ttl. */
    private CompletableFuture<Void> notQuiet(Line line, String what) {
        CompletableFuture<Void> over = quietOver.copy();
        if (!over.isDone()) {
            Loop.Timer limit = loop.after(
                    ttl,
                    () -> over.completeExceptionally(new StoreUnavailableException(
                            what + ": " + whyNoGrants(line).orElse("no answer") + "; nothing was applied")));
            var unused = over.whenComplete((done, lost) -> limit.cancel());
        }
        return over;
    }

    @Override
    public CompletionStage<List<Peer>> peers(Line line) {
        String what = "contenders of " + line;
        CompletableFuture<List<Peer>> read = ask(what, Kind.LIST, reply -> wire.peers(line, reply));
        return line.kind() == Line.Kind.PERMITS
                ? read.thenCompose(peers -> notQuiet(line, what).thenApply(then -> peers))
                : read;
    }

    /** Permits are counted once every holder whose entry a fail-over has lost is past its deadline. */
    CompletableFuture<Void> mayCount(Line line) {
        return line.kind() == Line.Kind.PERMITS ? quietOver : CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Optional<Entry>> details(Peer peer) {
        return ask("the entry " + peer.name(), Kind.READ, reply -> wire.details(peer, reply));
    }

    // ---- records

    @Override
    public CompletionStage<Optional<Item>> get(RecordKey key) {
        return ask("the record " + key, Kind.READ, reply -> wire.get(key, reply));
    }

    @Override
    public CompletionStage<Boolean> transact(
            List<Condition> conditions, List<Op> ops, List<Peer> removed, Duration within) {
        return verdicts.transact(conditions, ops, removed, within);
    }

    // ---- observation

    @Override
    public Runnable observe(String tree, TreeListener to) {
        return follow(new KernelTree(this, tree, to));
    }

    @Override
    public Runnable observe(Line line, HeadListener to) {
        return follow(KernelLine.head(this, line, to));
    }

    @Override
    public Runnable observePeers(Line line, Consumer<List<Peer>> to) {
        return follow(KernelLine.peers(this, line, to));
    }

    private Runnable follow(TopicFollower follower) {
        if (over == null) {
            followers.add(follower);
            follower.attached(true);
        }
        return follower::stop;
    }

    /** A follower has been stopped. */
    void stopped(TopicFollower follower) {
        if (followers.remove(follower)
                && isAttached()
                && followers.stream().noneMatch(other -> other.topic().equals(follower.topic()))) {
            wire.unfollow(follower.topic());
        }
    }

    @Override
    public void changed(Topic topic, long version) {
        for (TopicFollower each : List.copyOf(followers)) {
            if (each.topic().equals(topic)) {
                each.version(version);
            }
        }
    }

    // ---- requests

    /** Returns a new request that ends within this time, and within a ttl. */
    <T> PendingRequest<T> request(String what, Duration within) {
        PendingRequest<T> request = new PendingRequest<>(what, within, ttl, loop, requests);
        CoordinationException why = closing && over == null ? wasClosed() : over;
        if (why != null) {
            request.fail(why);
        }
        return request;
    }

    /** Reads, as often as it takes until the read is answered. */
    private <T> CompletableFuture<T> ask(String what, Kind kind, Consumer<Reply<T>> send) {
        PendingRequest<T> request = request(what, ttl);
        send(request, kind, send);
        return request.answer();
    }

    private <T> void send(PendingRequest<T> request, Kind kind, Consumer<Reply<T>> send) {
        if (!request.isPending()) {
            return;
        }
        Runnable again = () -> send(request, kind, send);
        if (isAttached()) {
            send.accept(calls.expect(kind, request::complete, request::fail, again));
        } else {
            whenAttached(request::isPending, again);
        }
    }

    // ---- for the parts

    StepWire wire() {
        return wire;
    }

    StepCalls calls() {
        return calls;
    }

    Departures departures() {
        return departures;
    }

    Loop loop() {
        return loop;
    }

    SendStamp stamp() {
        return SendStamp.now(loop, 0);
    }

    @Override
    public void troubled(String what, String why) {
        to.troubled(what, why);
    }

    @Override
    public void resolved(String what) {
        to.resolved(what);
    }
}
