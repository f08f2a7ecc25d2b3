package io.baton.config;

import io.baton.config.InUse.Telling;
import io.baton.config.values.Bundled;
import io.baton.config.values.Layers;
import io.baton.config.values.SecretPaths;
import io.baton.internal.OwnLoop;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes each revision a candidate, and puts it in place of what is in use if everybody agrees. One piece of news after the
 * other, on callback threads; that is all that keeps it serial.
 */
final class Applier {

    private final Current inUse;
    private final Parts parts;
    private final SlowWatch slow;
    private volatile String asking = "";
    private Known known;
    private String refusedCanary = "";
    private Telling last = Telling.NONE;

    /**
     * What it works with.
     *
     * @param secrets what is secret whatever the store says
     * @param canaries who tries which canary
     */
    record Parts(
            OwnLoop loop,
            Bundled bundled,
            SecretPaths secrets,
            Known.Scope scope,
            CanaryChoice canaries,
            Outcomes outcomes) {}

    /** Begins with what was known to an earlier process. */
    Applier(Current inUse, Known known, Parts parts) {
        this.inUse = inUse;
        this.known = known;
        this.parts = parts;
        this.slow = new SlowWatch(
                parts.loop(),
                Duration.ofSeconds(10),
                running -> parts.outcomes().slow(asking, running));
    }

    /**
     * The next that the store has told.
     *
     * @return tells one listener of it, the others are being told by others; null if nobody is left to be told
     */
    @Nullable
    Runnable take(News news) {
        try {
            consider(news);
        } catch (Throwable broken) {
            rest().elsewhere();
            throw broken;
        }
        Telling rest = rest();
        return rest == Telling.NONE ? null : rest::here;
    }

    private Telling rest() {
        Telling rest = last;
        last = Telling.NONE;
        return rest;
    }

    private void consider(News news) {
        Known before = known;
        known = before.after(news, parts.scope());
        if (news instanceof News.Whole told) {
            News.Whole whole = known.contradicts(before) ? told.rewound() : told;
            if (whole.gap() != News.Gap.NONE) {
                parts.outcomes().gap(whole, known.at(), differences(before, known));
            }
        }
        try {
            settle();
        } catch (Refused why) {
            reject(why);
        }
    }

    private Differences differences(Known before, Known now) {
        Layers present = inUse.get().layers();
        Layers next = parts.bundled().with(now.values(), present);
        return Differences.between(before.values(), now.values()).secretAt(key -> secret(key, present, next));
    }

    private boolean secret(String key, Layers before, Layers now) {
        return before.secretKey(key, parts.secrets()) || now.secretKey(key, parts.secrets());
    }

    private void settle() throws Refused {
        if (known.unreadable().isPresent()) {
            throw new Refused(SpaceHead.KEY, known.unreadable().get());
        }
        Optional<CanaryRecord> canary = parts.canaries().of(known);
        if (canary.isPresent() && canary.get().id().equals(refusedCanary)) {
            apply(base(), inUse.get().rejection());
        } else {
            refusedCanary = "";
            if (canary.isPresent() && goesOn(canary.get())) {
                tryCanary(canary.get());
            } else {
                apply(base(), Optional.empty());
            }
        }
    }

    /** Who uses a canary that is held goes on; nobody else begins. */
    private boolean goesOn(CanaryRecord canary) {
        return canary.held().isEmpty() || canary.id().equals(inUse.get().canary());
    }

    /** If it is the canary that is at fault, all goes on without it. */
    private void tryCanary(CanaryRecord canary) throws Refused {
        try {
            apply(parts.canaries().with(canary, known, inUse.get()), Optional.empty());
        } catch (Refused why) {
            Rejection rejection = rejection(new Refused(why.key(), "canary " + canary.id() + ": " + why.reason()));
            apply(base(), Optional.of(rejection));
            refusedCanary = canary.id();
            parts.canaries().refused(canary, why.key() + ": " + why.reason());
            rejected(rejection);
        }
    }

    private Candidate base() {
        return new Candidate(known.at(), known.space().change(), known.values(), "");
    }

    private void reject(Refused why) {
        Rejection rejection = rejection(why);
        inUse.change(state -> state.rejecting(Optional.of(rejection)));
        rejected(rejection);
    }

    private void rejected(Rejection rejection) {
        InUse now = inUse.get();
        if (!now.closed()) {
            parts.outcomes().rejected(now, rejection);
        }
    }

    private Rejection rejection(Refused why) {
        return new Rejection(known.at().revision(), known.space().change(), why.key(), why.reason());
    }

    /** Once all have agreed it takes one write; if somebody has bound something meanwhile, he is asked, too. */
    private void apply(Candidate candidate, Optional<Rejection> rejection) throws Refused {
        Poll poll = new Poll(parts.secrets(), this::asking);
        while (true) {
            InUse was = inUse.get();
            if (was.closed() || was.is(candidate, rejection)) {
                return;
            }
            Differences differences = Differences.between(was.values(), candidate.values());
            Layers layers = layers(was, candidate, differences);
            Poll.Result result = ask(poll, was, layers);
            InUse now = was.next(candidate, layers, result.bound(), rejection);
            if (inUse.replace(was, now)) {
                tell(was, now, differences, result);
                parts.outcomes().applied(was, now);
                return;
            }
        }
    }

    private void tell(InUse was, InUse now, Differences differences, Poll.Result result) {
        if (!was.audiences().isEmpty()) {
            Differences shown = differences.secretAt(key -> secret(key, was.layers(), now.layers()));
            Swap swap = new Swap(now, shown, result.changed());
            was.audiences().forEach(audience -> tell(audience.applied(swap)));
        }
    }

    /** By somebody else, but for the last one, who waits until all else has been done for this revision. */
    private void tell(Telling next) {
        if (next != Telling.NONE) {
            last.elsewhere();
            last = next;
        }
    }

    private Layers layers(InUse was, Candidate candidate, Differences differences) {
        if (was.values().is(candidate.values())) {
            return was.layers();
        }
        return parts.bundled()
                .with(candidate.values(), was.layers(), differences.byKey().keySet());
    }

    private Poll.Result ask(Poll poll, InUse was, Layers layers) throws Refused {
        slow.begin();
        try {
            return poll.of(was, layers);
        } finally {
            slow.end();
        }
    }

    private void asking(String who) {
        asking = who;
    }
}
