package io.baton.tck.mutation;

/** Bugs of live configuration in code that is common to all stores. */
public final class ConfigBugs {

    /** Source text of a consent round's result that changes nothing bound. */
    private static final String AS_BOUND =
            "new ConsentRound.Result(was.bound(), was.apart(), java.util.Map.of(), Optional.empty())";

    private ConfigBugs() {}

    /** Plants all bugs except those of {@link #plantDoubts}. */
    public static void plant(PlantedBugs bugs) {
        inApplying(bugs);
        inFollowing(bugs);
        inTelling(bugs);
        inWriting(bugs);
        inCanaries(bugs);
    }

    private static void inApplying(PlantedBugs bugs) {
        bugs.inConfiguration(
                        "Applier",
                        "a listener is told before the swap",
                        "if (activate(was, new Activation(now, shown(was, layers, differences), result.changed()))) {",
                        "Activation early = new Activation(now, shown(was, layers, differences), result.changed());"
                                + " was.audiences().forEach(each -> each.applied(early).runHere());"
                                + " if (inUse.replace(was, now)) {")
                .inConfiguration(
                        "Applier",
                        "what is not bound is swapped before everybody has agreed",
                        "ConsentRound.Result result = ask(was, poll::of, layers);",
                        "ConsentRound.Result result; try { result = ask(was, poll::of, layers); } catch (Refused why) {"
                                + " inUse.replace(was, was.next(candidate, layers, " + AS_BOUND
                                + ", rejection)); throw why; }")
                .inConfiguration(
                        "Applier",
                        "what is bound is left behind",
                        "was.next(candidate, layers, result, rejection.or(() -> apart))",
                        "was.next(candidate, layers, " + AS_BOUND + ", rejection.or(() -> apart))")
                .inConfiguration(
                        "Applier",
                        "what was rejected counts as applied",
                        "done = inUse.replace(was, was.rejecting(Optional.of(rejection)));",
                        "done = inUse.replace(was, was.next(newest, was.layers(), " + AS_BOUND
                                + ", Optional.of(rejection)));")
                .inConfiguration(
                        "Applier",
                        "a rejection is never over",
                        "} else { apply(CandidateState.live(known), Optional.empty()); }",
                        "} else { apply(CandidateState.live(known), inUse.get().rejection()); }")
                .inConfiguration("ConsentRound", "nobody is asked to prepare", "answer.prepare();", "")
                .inConfiguration("Conditions", "values are not validated", "if (!good) {", "if (false) {");
    }

    private static void inFollowing(PlantedBugs bugs) {
        bugs.inConfiguration(
                        "Follower",
                        "a snapshot after a gap is not compared with what was known",
                        "to.accept(StoreUpdate.Whole.of(gap, before, at, all));",
                        "if (gap == StoreUpdate.Gap.NONE) { to.accept(StoreUpdate.Whole.of(gap, before, at, all)); }")
                .inConfiguration(
                        "StoreState",
                        "what a snapshot does not show any more is kept",
                        "return of(whole.at(), FrozenMap.empty(), SpaceHead.NONE).after(whole.at(), all, scope);",
                        "return of(whole.at(), values, SpaceHead.NONE).after(whole.at(), all, scope);")
                .inConfiguration(
                        "StoreState",
                        "the number of the change is left behind",
                        "changes.containsKey(SpaceHead.KEY) ? with(changes.getOrDefault(SpaceHead.KEY, Optional.empty())) : this;",
                        "this;")
                .inConfiguration(
                        "Follower",
                        "where the store is is not noted with a change",
                        "seen = new Seen(at, change(part.changes().getOrDefault(SpaceHead.KEY, Optional.empty()), seen.change()));",
                        "")
                .inCore(
                        "internal.SessionRegistry",
                        "it is not followed in the next session",
                        "if (another) { member.begin(now); }",
                        "");
    }

    private static void inTelling(PlantedBugs bugs) {
        bugs.inConfiguration(
                        "ListenerDispatcher",
                        "what waits for a slow listener is not replaced by the newest",
                        "D merged = all.then(next);",
                        "D merged = all;")
                .inConfiguration(
                        "ListenerDispatcher",
                        "what comes while a listener is told is lost",
                        "add(next); if (busy || pending.isEmpty()) {",
                        "if (!busy) { add(next); } if (busy || pending.isEmpty()) {")
                .inConfiguration(
                        "KeyDelta",
                        "a listener is told the revision of the first of several changes",
                        "new KeyDelta(differences.then(next.differences), next.revision, first)",
                        "new KeyDelta(differences.then(next.differences), revision, first)")
                .inConfiguration(
                        "Differences",
                        "of several changes of a key the first is told",
                        "return new Difference(before, next.now, secret || next.secret);",
                        "return this;")
                .inConfiguration(
                        "Differences",
                        "that a key has gone is not told",
                        "if (!same(was, is)) {",
                        "if (is != null && !same(was, is)) {");
    }

    private static void inWriting(PlantedBugs bugs) {
        bugs.inConfiguration(
                "Commit",
                "a lost answer to a write is taken for failure",
                "if (RetryLoop.uncertain(Futures.cause(failure))) { unknown = plan.number(); }",
                "");
    }

    private static void inCanaries(PlantedBugs bugs) {
        bugs.inConfiguration(
                        "CanaryRecord",
                        "whoever bears the labels tries a canary, whether it was chosen or not",
                        "return chosen == null ? shown().chooses(instance, bears) : chosen.containsKey(process);",
                        "return shown().chooses(instance, bears);")
                .inConfiguration(
                        "CanaryClock",
                        "a canary never ends",
                        "restart(here ? from : from.plus(loop.jittered(SPARE)), () -> onOver.accept(its));",
                        "")
                .inConfiguration(
                        "CanaryHold",
                        "a rejected canary is not held",
                        "} else if (found.isPresent() && found.get().canary().mayBeHeld(id)) {",
                        "} else if (false) {")
                .inConfiguration(
                        "CanaryAsk",
                        "a canary is promoted whatever the instances say",
                        "objections = CanaryRecord.of(asked).shown().objections(fleet);",
                        "objections = List.of();")
                .inConfiguration(
                        "CanaryPromotion",
                        "a canary is promoted though its keys have been written since",
                        "expected.put(key, to.base());",
                        "");
    }

    /** Plants a bug that shows only if a canary ends just as a change that is bad for all arrives. */
    public static void plantAtCanaryEnds(PlantedBugs bugs) {
        bugs.inConfiguration(
                "Applier",
                "what came into use beside a canary is not kept as that ends",
                "besideCanary.addFirst(beside);",
                "");
    }

    /** Plants the bugs that show only in runs with many changes of unknown outcome. */
    public static void plantDoubts(PlantedBugs bugs) {
        bugs.inConfiguration(
                        "Commit",
                        "a lost answer to a write is taken for success",
                        "tries.failed(this, failure, this::begin); } else if (applied) {",
                        "revision(plan.number()); } else if (applied) {")
                .inConfiguration(
                        "Commit",
                        "a change in doubt is that of this number, whosever it is",
                        "} else if (id.equals(record.get().id())) {",
                        "} else if (true) {");
    }
}
