package io.baton.config.internal;

import io.baton.config.ConfigValue;
import io.baton.config.Rejection;
import io.baton.config.internal.active.Activation;
import io.baton.config.internal.active.ActiveConfig;
import io.baton.config.internal.active.ActiveConfig.Telling;
import io.baton.config.internal.active.Bound;
import io.baton.config.internal.active.CandidateState;
import io.baton.config.internal.active.ConsentRound;
import io.baton.config.internal.active.Current;
import io.baton.config.internal.active.Outcomes;
import io.baton.config.internal.active.Refused;
import io.baton.config.internal.active.SlowWatch;
import io.baton.config.internal.active.Turn;
import io.baton.config.internal.follow.StoreState;
import io.baton.config.internal.follow.StoreUpdate;
import io.baton.config.internal.record.CanaryRecord;
import io.baton.config.internal.record.Differences;
import io.baton.config.internal.record.FrozenMap;
import io.baton.config.internal.record.SpaceHead;
import io.baton.config.internal.rollout.CanaryChoice;
import io.baton.config.values.Bundled;
import io.baton.config.values.Layers;
import io.baton.config.values.SecretPaths;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.ListenerQueue;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes each revision a candidate, and puts it in use if all bindings accept it. It handles one update after the other,
 * on callback threads. Any other code that replaces the state does so in {@link Turn turn} with it, so that bindings
 * judge one state at a time. Users' code runs within that turn, and may bind.
 */
final class Applier implements ListenerQueue.Taker<StoreUpdate> {

    private static final Logger log = LoggerFactory.getLogger(Applier.class);

    /** How many states beside a canary are kept; each may have to be judged when the canary ends. */
    private static final int MOST_BESIDE = 32;

    private final Current inUse;
    private final Parts parts;
    private final SlowWatch slow;
    private final Turn turn;
    private volatile String asking = "";
    private volatile StoreState known;
    private volatile boolean answered;
    private String refusedCanary = "";
    private Optional<Rejection> canarysRejection = Optional.empty();
    /** The common values, without a canary, that were last in use. */
    private Optional<CandidateState> lastBase = Optional.empty();
    /**
     * The later ones beside a canary, newest first. They were judged only together with it, so they may be bad by
     * themselves.
     */
    private final Deque<CandidateState> besideCanary = new ArrayDeque<>();

    private Telling last = Telling.NONE;

    /**
     * What it depends on.
     *
     * @param secrets paths that are secret in any case
     * @param canaries chooses the canary for this instance
     */
    record Parts(
            ClientLoop loop,
            Bundled bundled,
            SecretPaths secrets,
            StoreState.Scope scope,
            CanaryChoice canaries,
            Outcomes outcomes) {}

    /** Starts from an earlier process's state. {@code onReady} runs when updates that had to wait can be taken. */
    Applier(Current inUse, StoreState known, Parts parts, Runnable onReady) {
        this.inUse = inUse;
        this.known = known;
        this.parts = parts;
        this.turn = new Turn(onReady);
        this.slow = new SlowWatch(
                parts.loop(),
                Duration.ofSeconds(10),
                running -> parts.outcomes().slow(asking, running));
    }

    @Override
    public boolean ready() {
        return turn.tryTake();
    }

    /**
     * Handles the next update from the store.
     *
     * @return notifies one listener, while callback threads notify the others; null if none is left
     */
    @Override
    public @Nullable Runnable take(StoreUpdate update) {
        try {
            consider(update);
        } catch (Throwable broken) {
            rest().runOnCallbacks();
            throw broken;
        } finally {
            turn.giveBack();
        }
        Telling rest = rest();
        return rest == Telling.NONE ? null : rest::runHere;
    }

    /** Returns the store's state after the updates handled so far. Any thread. */
    StoreState known() {
        return known;
    }

    /** Returns whether the store has sent a snapshot. Any thread. */
    boolean answered() {
        return answered;
    }

    /**
     * Runs this while no update is handled, or within the update of the calling thread. Updates wait meanwhile; no
     * thread does.
     *
     * @return false if it did not run, as others took too long or the caller was interrupted; the interrupt status is
     *     kept
     */
    boolean runExclusively(String who, Runnable action, Duration patience) {
        if (turn.isMine()) {
            action.run();
            return true;
        }
        return turn.run(() -> runWatched(who, action), patience);
    }

    private void runWatched(String who, Runnable action) {
        asking(who);
        slow.begin();
        try {
            action.run();
        } finally {
            slow.end();
        }
    }

    private Telling rest() {
        Telling rest = last;
        last = Telling.NONE;
        return rest;
    }

    /** Before the store's first snapshot there is nothing to decide: an earlier process's state is not live. */
    private void consider(StoreUpdate update) {
        if (!answered && update instanceof StoreUpdate.Again) {
            return;
        }
        StoreState before = known;
        known = before.after(update, parts.scope());
        if (update instanceof StoreUpdate.Whole told) {
            answered = true;
            StoreUpdate.Whole whole = known.contradicts(before) ? told.rewound() : told;
            if (whole.gap() != StoreUpdate.Gap.NONE) {
                parts.outcomes().gap(whole, known.at(), differences(before, known));
            }
        }
        try {
            applyNewest();
        } catch (Refused why) {
            dropCanary();
            reject(why);
        }
        parts.outcomes().updateProcessed(known);
    }

    private Differences differences(StoreState before, StoreState now) {
        Layers present = inUse.get().layers();
        Layers next = parts.bundled().with(now.values(), present);
        return Differences.between(before.values(), now.values()).secretAt(key -> secret(key, present, next));
    }

    private boolean secret(String key, Layers before, Layers now) {
        return before.secretKey(key, parts.secrets()) || now.secretKey(key, parts.secrets());
    }

    private void applyNewest() throws Refused {
        if (known.unreadable().isPresent()) {
            throw new Refused(SpaceHead.KEY, known.unreadable().get());
        }
        Optional<CanaryRecord> canary = parts.canaries().of(known);
        if (canary.isPresent() && canary.get().id().equals(refusedCanary)) {
            apply(CandidateState.live(known), canarysRejection);
        } else {
            refusedCanary = "";
            if (canary.isPresent() && mayUse(canary.get())) {
                tryCanary(canary.get());
            } else {
                apply(CandidateState.live(known), Optional.empty());
            }
        }
    }

    /** An instance that uses a held canary continues with it; no other starts. */
    private boolean mayUse(CanaryRecord canary) {
        return canary.held().isEmpty() || canary.id().equals(inUse.get().canary());
    }

    /** If the canary is at fault, the common values are applied without it. */
    private void tryCanary(CanaryRecord canary) throws Refused {
        try {
            Optional<Refused> verdict = parts.canaries().rejection(canary);
            if (verdict.isPresent()) {
                refuse(canary, verdict.get());
                throw verdict.get();
            }
            apply(parts.canaries().with(canary, known, inUse.get()), Optional.empty());
        } catch (Refused why) {
            Rejection rejection = rejection(canary, why);
            apply(CandidateState.live(known), Optional.of(rejection));
            refuse(canary, why);
            rejected(rejection);
        }
    }

    private Rejection rejection(CanaryRecord canary, Refused why) {
        return rejection(new Refused(why.key(), "canary " + canary.id() + ": " + why.reason()));
    }

    private void refuse(CanaryRecord canary, Refused why) {
        refusedCanary = canary.id();
        canarysRejection = Optional.of(rejection(canary, why));
        parts.canaries().refused(canary, why.key() + ": " + why.reason());
    }

    /**
     * Runs when the common values are rejected. An instance that must leave its canary keeps the newest common values
     * beside it that are accepted, or else returns to those in use before it.
     */
    private void dropCanary() {
        String used = inUse.get().canary();
        boolean goesOn = parts.canaries()
                .of(known)
                .filter(canary -> canary.id().equals(used) && !used.equals(refusedCanary))
                .filter(canary -> parts.canaries().rejection(canary).isEmpty())
                .isPresent();
        if (used.isEmpty() || goesOn) {
            return;
        }
        List<CandidateState> earlier =
                Stream.concat(besideCanary.stream(), lastBase.stream()).toList();
        if (earlier.stream().noneMatch(this::goBack)) {
            log.warn("The values of canary {} stay in use: no earlier ones without it are accepted", used);
        }
    }

    /** Returns false if these are refused. The rejection of the newest follows, so this is no recovery. */
    private boolean goBack(CandidateState earlier) {
        try {
            apply(earlier.marked(known, parts.scope()), inUse.get().rejection());
            return true;
        } catch (Refused norThat) {
            log.debug("Nor does the state of change {} fit: {}", earlier.change(), norThat.reason());
            return false;
        }
    }

    /** Keeps the state, except for independent bindings that accept the new one. */
    private void reject(Refused why) {
        Rejection rejection = rejection(why);
        inUse.change(this::marked);
        if (known.unreadable().isPresent()) {
            inUse.change(state -> state.rejecting(Optional.of(rejection)));
        } else {
            goOnApart(rejection);
        }
        rejected(rejection);
    }

    /** A mark is no value that could be rejected: what is in use has it at once. */
    private ActiveConfig marked(ActiveConfig state) {
        FrozenMap<ConfigValue> values = known.marking(state.values(), parts.scope());
        return values.is(state.values())
                ? state
                : state.marked(values, parts.bundled().with(values, state.layers(), List.of()));
    }

    private void goOnApart(Rejection rejection) {
        CandidateState newest = newest();
        boolean done = false;
        while (!done) {
            ConsentRound poll = new ConsentRound(parts.secrets(), this::asking);
            ActiveConfig was = inUse.get();
            if (was.bound().keySet().stream().noneMatch(Bound::independent)) {
                done = inUse.replace(was, was.rejecting(Optional.of(rejection)));
            } else {
                Differences differences = Differences.between(was.values(), newest.values());
                ConsentRound.Result result = ask(was, poll::independent, layers(was, newest, differences));
                ActiveConfig now = was.apart(result, Optional.of(rejection));
                done = was.closed() || activate(was, new Activation(now, Differences.NONE, result.changed()));
            }
        }
    }

    /** Returns the newest state, with the canary in use. */
    private CandidateState newest() {
        return parts.canaries()
                .of(known)
                .filter(canary -> canary.id().equals(inUse.get().canary()))
                .map(canary -> parts.canaries().with(canary, known, inUse.get()))
                .orElseGet(() -> CandidateState.live(known));
    }

    private void rejected(Rejection rejection) {
        ActiveConfig now = inUse.get();
        if (!now.closed()) {
            parts.outcomes().rejected(now, rejection);
        }
    }

    private Rejection rejection(Refused why) {
        return new Rejection(known.at().revision(), known.space().change(), why.key(), why.reason());
    }

    /** Replaces the state in one step once all bindings accept it; bindings added meanwhile are asked too. */
    private void apply(CandidateState candidate, Optional<Rejection> rejection) throws Refused {
        ConsentRound poll = new ConsentRound(parts.secrets(), this::asking);
        Layers asked = inUse.get().layers();
        while (true) {
            ActiveConfig was = inUse.get();
            if (was.layers() != asked) {
                // A binding added by the code being asked has sent all bindings back to an earlier state, so the
                // differences have changed.
                poll = new ConsentRound(parts.secrets(), this::asking);
                asked = was.layers();
            }
            if (was.closed() || was.is(candidate, rejection)) {
                return;
            }
            Differences differences = Differences.between(was.values(), candidate.values());
            Layers layers = layers(was, candidate, differences);
            ConsentRound.Result result = ask(was, poll::of, layers);
            Optional<Rejection> apart = result.refused().map(this::rejection);
            if (apart.isPresent() && !candidate.canary().isEmpty()) {
                throw result.refused().get();
            }
            ActiveConfig now = was.next(candidate, layers, result, rejection.or(() -> apart));
            if (activate(was, new Activation(now, shown(was, layers, differences), result.changed()))) {
                keepCommonValues(candidate);
                parts.outcomes().applied(was, now);
                apart.filter(why -> !isReported(was, why)).ifPresent(this::rejected);
                return;
            }
        }
    }

    private void keepCommonValues(CandidateState applied) {
        if (applied.canary().isEmpty()) {
            lastBase = Optional.of(applied);
            besideCanary.clear();
            return;
        }
        CandidateState beside = CandidateState.live(known);
        besideCanary.removeIf(before -> before.values().is(beside.values()));
        besideCanary.addFirst(beside);
        if (besideCanary.size() > MOST_BESIDE) {
            besideCanary.removeLast();
        }
    }

    /** An independent binding that stays behind is reported once, not with each change of others. */
    private static boolean isReported(ActiveConfig was, Rejection why) {
        return was.rejection()
                .filter(last -> last.key().equals(why.key()) && last.reason().equals(why.reason()))
                .isPresent();
    }

    private Differences shown(ActiveConfig was, Layers now, Differences differences) {
        return was.audiences().isEmpty() ? differences : differences.secretAt(key -> secret(key, was.layers(), now));
    }

    /** Returns false if the former state is no longer in use. */
    private boolean activate(ActiveConfig was, Activation swap) {
        Optional<List<Telling>> told = inUse.replace(was, swap);
        told.ifPresent(all -> all.forEach(this::dispatch));
        return told.isPresent();
    }

    /** Notifies on callback threads, except for the last listener, which waits until this revision is done. */
    private void dispatch(Telling next) {
        last.runOnCallbacks();
        last = next;
    }

    private Layers layers(ActiveConfig was, CandidateState candidate, Differences differences) {
        if (was.values().is(candidate.values())) {
            return was.layers();
        }
        return parts.bundled()
                .with(candidate.values(), was.layers(), differences.byKey().keySet());
    }

    private interface Question<E extends Exception> {
        ConsentRound.Result ask(ActiveConfig state, Layers layers) throws E;
    }

    private <E extends Exception> ConsentRound.Result ask(ActiveConfig was, Question<E> question, Layers layers)
            throws E {
        slow.begin();
        try {
            return question.ask(was, layers);
        } finally {
            slow.end();
        }
    }

    private void asking(String who) {
        asking = who;
    }
}
