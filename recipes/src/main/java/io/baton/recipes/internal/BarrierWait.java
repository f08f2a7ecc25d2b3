package io.baton.recipes.internal;

import io.baton.CoordinationException;
import io.baton.MembershipState;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.recipe.Membership;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.Resource;
import io.baton.recipes.Barrier;
import io.baton.recipes.BarrierRound;
import io.baton.recipes.GroupMember;
import io.baton.recipes.internal.RecordChange.Step;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One party of a barrier, while it waits.
 *
 * <p>What counts is the record: a party ends with the verdict that names it, and with no other. Whoever sees that a round
 * can be decided tries to. The transaction rests on the record as it was read, and on all entries of the round. So of
 * several that try, one succeeds; what one of them saw too late, or not at all, makes its transaction fail.
 *
 * <p>The entry is joined once. If it has gone without a verdict, the wait has failed. A party that joined again would
 * stand in two rounds.
 *
 * <p>On the loop, except where a method says otherwise.
 */
public final class BarrierWait implements Membership.Listener {

    private final RecipeContext context;
    private final Resource barrier;
    private final RecordKey key;
    private final int parties;
    private final GroupMember me;
    private final CompletableFuture<BarrierRound> outcome = new CompletableFuture<>();
    private final SeenParties seen = new SeenParties();
    private final PartyView<BarrierRecord> view;
    private Subscription closing = () -> {};
    private @Nullable Membership membership;
    private Optional<String> leaving = Optional.empty();
    private Optional<String> gone = Optional.empty();
    private long joinedIn;

    private BarrierWait(RecipeContext context, String name, int parties) {
        this.context = context;
        this.barrier = Resource.barrier(name);
        this.key = new RecordKey(Barrier.TREE, name);
        this.parties = parties;
        this.me = GroupEntry.ofThisProcess(context, new byte[0]);
        this.view = new PartyView<>(
                context,
                barrier,
                key,
                now -> checked(BarrierRecord.decode(now)),
                () -> outcome.isDone() || gone.isPresent(),
                this::step);
    }

    /** Begins to wait. Any thread. */
    public static BarrierWait begin(RecipeContext context, String name, int parties) {
        var wait = new BarrierWait(context, name, parties);
        wait.onLoop(wait::start);
        return wait;
    }

    /** Completes on the loop with the verdict of the round that this party was in. */
    public CompletableFuture<BarrierRound> outcome() {
        return outcome;
    }

    /** Gives up waiting, which breaks the round unless it has been decided. Any thread. */
    public void leave(String why) {
        onLoop(() -> {
            if (outcome.isDone() || leaving.isPresent()) {
                return;
            }
            leaving = Optional.of(why);
            if (membership == null && !context.inContact()) {
                fail(new StoreUnavailableException("the store was not reached in the time to wait for " + barrier));
                return;
            }
            context.loop().after(context.requestTimeout(), this::leaveUndecided);
            view.lookAround();
        });
    }

    /** The store has not confirmed in time that this party is out. The entry is removed as soon as it can be. */
    private void leaveUndecided() {
        fail(new OutcomeUnknownException("round of " + barrier + ": " + leaving.orElse("")
                + ", and the store did not answer; the others may have passed with this party, or will be told that it has"
                + " gone"));
    }

    private void onLoop(Runnable task) {
        ClosedCoordinator.onLoop(context, outcome, task);
    }

    private void start() {
        closing = ClosedCoordinator.fails(context, this::fail);
        enter();
    }

    /** Reads the record, or begins it, and joins if it has the same number of parties. */
    private void enter() {
        RecordChange.beginFor(
                outcome,
                context,
                key,
                now -> {
                    BarrierRecord first = BarrierRecord.begin(parties);
                    return now.isEmpty()
                            ? new Step.Put<>(first.encode(), first)
                            : new Step.Keep<>(checked(BarrierRecord.decode(now.get())));
                },
                record -> {
                    if (leaving.isPresent()) {
                        end(record.broken(List.of(me.id()), me.id(), leaving.get())
                                .verdictOf(me.id()));
                    } else {
                        joinedIn = record.round();
                        join();
                    }
                },
                this::fail);
    }

    private BarrierRecord checked(BarrierRecord record) {
        if (record.parties() != parties) {
            throw new CoordinationException(
                    barrier + " is for " + record.parties() + " parties, and this one waits for " + parties
                            + "; delete " + key + " to change that, while nobody waits");
        }
        return record;
    }

    private void join() {
        Membership joined = context.lines().join(barrier, this);
        membership = joined;
        joined.publish(GroupEntry.encode(me));
        view.observe();
    }

    @Override
    public void changed(MembershipState state, String why) {}

    /** The entry has gone. Only the record says whether by a verdict; what is read now was written before. */
    @Override
    public void gone(String why) {
        if (gone.isEmpty()) {
            gone = Optional.of(why);
            leaveLine();
            lookOnceMore();
        }
    }

    private void lookOnceMore() {
        RecordChange.beginFor(
                outcome,
                context,
                key,
                now -> new Step.Keep<>(now.map(BarrierRecord::decode)),
                record -> {
                    Optional<BarrierRecord.Verdict> verdict = record.flatMap(its -> its.verdictOf(me.id()));
                    if (verdict.isPresent()) {
                        end(verdict);
                    } else if (record.filter(its -> its.isForgotten(joinedIn)).isPresent()) {
                        fail(new OutcomeUnknownException("this party is no longer in " + barrier + ": "
                                + gone.orElse("")
                                + "; its round may have passed with it: as many rounds as are kept have"
                                + " been decided since"));
                    } else {
                        fail(new SessionLostException("this party is no longer in " + barrier + ": " + gone.orElse("")
                                + "; the round of those that waited with it is broken"));
                    }
                },
                this::fail);
    }

    /** Ends with the verdict if there is one, and tries to decide the round if it can be decided. */
    private void step() {
        if (outcome.isDone() || gone.isPresent()) {
            return;
        }
        Optional<BarrierRecord> known;
        try {
            known = view.record();
        } catch (CoordinationException other) {
            fail(other);
            return;
        }
        known.ifPresent(this::step);
    }

    private void step(BarrierRecord record) {
        Optional<BarrierRecord.Verdict> verdict = record.verdictOf(me.id());
        if (verdict.isPresent()) {
            end(verdict);
        } else {
            view.standing(leaving.isPresent()).ifPresent(standing -> decide(record, undecided(record, standing)));
        }
    }

    private static List<StandingParty> undecided(BarrierRecord record, List<StandingParty> standing) {
        return standing.stream()
                .filter(each -> record.verdictOf(each.id()).isEmpty())
                .toList();
    }

    private void decide(BarrierRecord record, List<StandingParty> standing) {
        Optional<GroupMember> missing = seen.missing(record.round(), StandingParty.parties(standing), record::explains);
        int mine = StandingParty.ids(standing).indexOf(me.id());
        if (mine < 0 || view.isBusy()) {
            return;
        }
        if (standing.size() >= parties) {
            List<StandingParty> round = standing.subList(0, parties);
            if (mine >= parties) {
                if (leaving.isPresent()) {
                    leaveAlone(record, standing.get(mine));
                }
            } else if (inTurn(mine == parties - 1)) {
                write(record.passed(StandingParty.ids(round)), round);
            }
        } else if (leaving.isPresent()) {
            write(
                    record.broken(
                            StandingParty.ids(standing), me.id(), SeenParties.name(me) + " has gone: " + leaving.get()),
                    standing);
        } else if (missing.isPresent() && inTurn(mine == 0)) {
            String why = SeenParties.name(missing.get()) + " has gone: its session ended, or it was removed";
            write(record.broken(StandingParty.ids(standing), missing.get().id(), why), standing);
        }
    }

    private boolean inTurn(boolean myTurn) {
        return view.inTurn(myTurn || leaving.isPresent());
    }

    /** Writes the verdict, on condition that all of the round stand and nothing else was decided, and removes them. */
    private void write(BarrierRecord decided, List<StandingParty> round) {
        List<Op> verdict = List.of(Op.put(key, decided.encode()));
        view.write(verdict, List.of(), StandingParty.entries(round), () -> end(decided.verdictOf(me.id())));
    }

    /** Others pass before this party's round comes; it leaves that. */
    private void leaveAlone(BarrierRecord record, StandingParty mine) {
        String why = SeenParties.name(me) + " has gone: " + leaving.orElse("");
        view.write(
                List.of(),
                List.of(),
                List.of(mine.entry()),
                () -> end(record.broken(List.of(me.id()), me.id(), why).verdictOf(me.id())));
    }

    private void end(Optional<BarrierRecord.Verdict> verdict) {
        verdict.ifPresent(its -> outcome.complete(its.of(me.id())));
        cleanUp();
    }

    private void fail(Throwable why) {
        outcome.completeExceptionally(why);
        cleanUp();
    }

    private void cleanUp() {
        closing.close();
        view.close();
        leaveLine();
    }

    private void leaveLine() {
        if (membership != null) {
            var unused = membership.close();
        }
    }
}
