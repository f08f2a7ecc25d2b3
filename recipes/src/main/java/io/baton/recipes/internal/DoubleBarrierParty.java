package io.baton.recipes.internal;

import io.baton.CoordinationException;
import io.baton.MembershipState;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.recipe.LineMember;
import io.baton.recipe.Membership;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.Resource;
import io.baton.recipes.BarrierRound;
import io.baton.recipes.DoubleBarrier;
import io.baton.recipes.DoubleBarrierRound;
import io.baton.recipes.GroupMember;
import io.baton.recipes.internal.DoubleBarrierRecord.Round;
import io.baton.recipes.internal.RecordChange.Step;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One party of a double barrier, from before it enters until it has left.
 *
 * <p>As in {@link BarrierWait}, what counts is the record, and whoever sees that something can be decided tries to. A
 * transaction rests on the record as it was read. The one that lets parties enter rests on an entry of each, and leaves
 * them. The one that lets them leave rests on both entries of each, and removes them: an entry that stayed would be
 * counted among the next comers, once its round is not kept any more.
 *
 * <p>Nothing in a transaction can say that an entry is missing. The list may be older than the record, from before the
 * last party came. So before a party is said to have gone from inside, the list is read again.
 *
 * <p>Each entry is joined once. If one has gone without a verdict, the party is out for good.
 *
 * <p>On the loop, except where a method says otherwise.
 */
public final class DoubleBarrierParty {

    private static final byte[] READY = "ready".getBytes(StandardCharsets.UTF_8);
    private static final String NOT_THERE = "its session ended, or it was removed";

    private final RecipeContext context;
    private final Resource barrier;
    private final RecordKey key;
    private final int parties;
    private final GroupMember me;
    private final CompletableFuture<DoubleBarrierRound> entered = new CompletableFuture<>();
    private final CompletableFuture<BarrierRound> ended = new CompletableFuture<>();
    private final SeenParties seen = new SeenParties();
    private final PartyView<DoubleBarrierRecord> view;
    private Subscription closing = () -> {};
    private volatile @Nullable Membership inside;
    private @Nullable Membership ready;
    private Optional<String> goes = Optional.empty();
    private Optional<String> gone = Optional.empty();
    private long joinedBefore;
    private boolean abandoned;

    private DoubleBarrierParty(RecipeContext context, String name, int parties) {
        this.context = context;
        this.barrier = Resource.doubleBarrier(name);
        this.key = new RecordKey(DoubleBarrier.TREE, name);
        this.parties = parties;
        this.me = GroupEntry.ofThisProcess(context, new byte[0]);
        this.view = new PartyView<>(
                context,
                barrier,
                key,
                now -> checked(DoubleBarrierRecord.decode(now)),
                () -> ended.isDone() || gone.isPresent(),
                this::step);
    }

    /** Begins to enter. Any thread. */
    public static PartyWait<DoubleBarrierRound> enter(RecipeContext context, String name, int parties) {
        var party = new DoubleBarrierParty(context, name, parties);
        party.onLoop(party::start);
        return new PartyWait<>(context, party.entered, why -> party.goFrom(party.entered, why), party::abandon);
    }

    /** Begins to leave, or returns the wait that has begun. Any thread. */
    PartyWait<BarrierRound> leave() {
        onLoop(() -> {
            if (!ended.isDone() && !abandoned && gone.isEmpty() && ready == null) {
                ready = join(GroupEntry.with(me, READY));
                step();
            }
        });
        return new PartyWait<>(context, ended, why -> goFrom(ended, why), this::abandon);
    }

    /** Goes, wherever it stands, as its caller does not want to know any more. Any thread. */
    void abandon(String why) {
        onLoop(() -> {
            if (!abandoned && !ended.isDone()) {
                abandoned = true;
                go(why);
            }
        });
    }

    /** Gives up waiting for this, unless it has come. Any thread. */
    private void goFrom(CompletableFuture<?> wait, String why) {
        onLoop(() -> {
            if (!wait.isDone() && goes.isEmpty()) {
                go(why);
            }
        });
    }

    private void go(String why) {
        goes = Optional.of(why);
        if (inside == null && !context.inContact()) {
            fail(new StoreUnavailableException("the store was not reached in the time to wait for " + barrier));
            return;
        }
        CompletableFuture<?> wait = entered.isDone() || abandoned ? ended : entered;
        context.loop().after(context.requestTimeout(), () -> {
            if (!wait.isDone()) {
                fail(new OutcomeUnknownException(barrier + ": " + why + ", and the store did not answer; the others may"
                        + " have passed with this party, or will be told that it has gone"));
            }
        });
        view.lookAround();
    }

    CompletableFuture<BarrierRound> ended() {
        return ended;
    }

    /** Any thread. */
    Duration remaining() {
        Membership entry = inside;
        return entry == null ? Duration.ZERO : entry.remaining();
    }

    private void onLoop(Runnable task) {
        ClosedCoordinator.onLoop(context, ended, task);
        if (ended.isCompletedExceptionally()) {
            entered.completeExceptionally(RecipeContext.closedException());
        }
    }

    private void start() {
        closing = ClosedCoordinator.fails(context, this::fail);
        RecordChange.beginFor(
                ended,
                context,
                key,
                now -> {
                    DoubleBarrierRecord first = DoubleBarrierRecord.begin(parties);
                    return now.isEmpty()
                            ? new Step.Put<>(first.encode(), first)
                            : new Step.Keep<>(checked(DoubleBarrierRecord.decode(now.get())));
                },
                record -> {
                    if (goes.isPresent()) {
                        notEntered(aloneOut(record));
                    } else {
                        joinedBefore = record.next();
                        inside = join(me);
                        view.observe();
                    }
                },
                this::fail);
    }

    private DoubleBarrierRecord checked(DoubleBarrierRecord record) {
        if (record.parties() != parties) {
            throw new CoordinationException(barrier + " is for " + record.parties()
                    + " parties, and this one waits for " + parties + "; delete " + key
                    + " to change that, while nobody waits or is inside");
        }
        return record;
    }

    private Membership join(GroupMember entry) {
        Membership joined = context.lines().join(barrier, new Membership.Listener() {
            @Override
            public void changed(MembershipState state, String why) {}

            @Override
            public void gone(String why) {
                entryGone(why);
            }
        });
        joined.publish(GroupEntry.encode(entry));
        return joined;
    }

    /** An entry has gone. Only the record says whether by a verdict; what is read now was written before. */
    private void entryGone(String why) {
        if (gone.isPresent()) {
            return;
        }
        gone = Optional.of(why);
        leaveLine();
        RecordChange.beginFor(
                ended,
                context,
                key,
                now -> new Step.Keep<>(now.map(DoubleBarrierRecord::decode)),
                record -> {
                    record.flatMap(its -> its.roundOf(me.id())).ifPresent(this::heard);
                    if (!ended.isDone()) {
                        fail(isOutcomeForgotten(record) ? forgotten(why) : lost(why));
                    }
                },
                this::fail);
    }

    /** A party that is inside and not ready to leave knows without the record: its round was not left together. */
    private boolean isOutcomeForgotten(Optional<DoubleBarrierRecord> record) {
        return (ready != null || !entered.isDone())
                && record.filter(its -> its.isForgotten(joinedBefore)).isPresent();
    }

    private OutcomeUnknownException forgotten(String why) {
        return new OutcomeUnknownException("this party is no longer in " + barrier + ": " + why
                + "; its round may have passed with it: as many rounds as are kept have been decided since");
    }

    private SessionLostException lost(String why) {
        return new SessionLostException("this party is no longer in " + barrier + ": " + why
                + "; the round of those that were in it with this one is broken");
    }

    /** Acts on what the record says of the own round, or tries to decide what can be decided. */
    private void step() {
        if (ended.isDone() || gone.isPresent()) {
            return;
        }
        Optional<DoubleBarrierRecord> known;
        try {
            known = view.record();
        } catch (CoordinationException other) {
            fail(other);
            return;
        }
        known.ifPresent(this::step);
    }

    private void step(DoubleBarrierRecord record) {
        Optional<Round> round = record.roundOf(me.id());
        round.ifPresent(this::heard);
        Optional<List<StandingParty>> standing = view.standing(goes.isPresent());
        if (!ended.isDone() && !view.isBusy() && standing.isPresent()) {
            decide(record, round, standing.get());
        }
    }

    private void decide(DoubleBarrierRecord record, Optional<Round> round, List<StandingParty> standing) {
        Optional<Round> inside = record.inside();
        if (inside.isPresent() && missing(inside.get(), standing).isPresent()) {
            if (inTurn(!standing.isEmpty() && standing.get(0).id().equals(me.id()))) {
                breakIfMissing(record, inside.get());
            }
        } else if (round.isPresent()) {
            decideEnd(record, round.get(), ofRound(round.get(), standing));
        } else {
            decideEntry(
                    record,
                    standing.stream()
                            .filter(each ->
                                    !isReady(each) && record.roundOf(each.id()).isEmpty())
                            .toList());
        }
    }

    private void heard(Round round) {
        if (!round.entered()) {
            notEntered(round);
            return;
        }
        if (!entered.isDone()) {
            if (!abandoned) {
                goes = Optional.empty();
            }
            entered.complete(new PartyRound(context, this, round.entry(me.id())));
        }
        if (round.ended()) {
            ended.complete(round.end(me.id()));
            cleanUp();
        }
    }

    private void notEntered(Round round) {
        entered.complete(new PartyRound(context, this, round.entry(me.id())));
        fail(new CoordinationException("round " + round.number() + " was not entered: " + round.why()));
    }

    /** @param standing those that wait to enter */
    private void decideEntry(DoubleBarrierRecord record, List<StandingParty> standing) {
        Optional<GroupMember> missing = seen.missing(record.next(), StandingParty.parties(standing), record::explains);
        List<String> ids = StandingParty.ids(standing);
        int mine = ids.indexOf(me.id());
        if (mine < 0) {
            return;
        }
        if (record.inside().isEmpty() && mine < parties && standing.size() >= parties) {
            if (inTurn(mine == parties - 1)) {
                List<LineMember> round = StandingParty.entries(standing.subList(0, parties));
                write(record.entered(ids.subList(0, parties)), round, List.of());
            }
        } else if (goes.isPresent() && standing.size() > parties) {
            List<LineMember> own = List.of(standing.get(mine).entry());
            view.write(List.of(), List.of(), own, () -> notEntered(aloneOut(record)));
        } else if (goes.isPresent()) {
            write(
                    record.notEntered(ids, me.id(), hasGone(SeenParties.name(me), goes.get())),
                    List.of(),
                    StandingParty.entries(standing));
        } else if (missing.isPresent() && standing.size() < parties && inTurn(mine == 0)) {
            write(
                    record.notEntered(ids, missing.get().id(), hasGone(SeenParties.name(missing.get()), NOT_THERE)),
                    List.of(),
                    StandingParty.entries(standing));
        }
    }

    /** @param standing both entries of those that are inside, as far as they stand */
    private void decideEnd(DoubleBarrierRecord record, Round round, List<StandingParty> standing) {
        List<String> ready = StandingParty.ids(
                standing.stream().filter(DoubleBarrierParty::isReady).toList());
        if (goes.isPresent()) {
            write(
                    record.broken(round, me.id(), hasGone(SeenParties.name(me), goes.get())),
                    List.of(),
                    StandingParty.entries(standing));
        } else if (ready.size() == parties && inTurn(ready.get(parties - 1).equals(me.id()))) {
            write(record.left(round), List.of(), StandingParty.entries(standing));
        }
    }

    private static boolean isReady(StandingParty standing) {
        return Arrays.equals(standing.party().data(), READY);
    }

    private static String hasGone(String party, String why) {
        return party + " has gone: " + why;
    }

    private static List<StandingParty> ofRound(Round round, List<StandingParty> line) {
        return line.stream().filter(each -> round.parties().contains(each.id())).toList();
    }

    /** Returns the id of a party of the round whose first entry, which stays until the end, does not stand. */
    private static Optional<String> missing(Round round, List<StandingParty> standing) {
        List<String> there = StandingParty.ids(
                standing.stream().filter(each -> !isReady(each)).toList());
        return round.parties().stream().filter(id -> !there.contains(id)).findFirst();
    }

    private void breakIfMissing(DoubleBarrierRecord record, Round round) {
        view.readAgain(line -> {
            List<StandingParty> standing = ofRound(round, line);
            Optional<String> missing = missing(round, standing);
            if (missing.isPresent()) {
                write(
                        record.broken(round, missing.get(), hasGone("party " + missing.get(), NOT_THERE)),
                        List.of(),
                        StandingParty.entries(standing));
            } else {
                step();
            }
        });
    }

    private Round aloneOut(DoubleBarrierRecord record) {
        return new Round(
                record.next(), List.of(me.id()), false, true, me.id(), hasGone(SeenParties.name(me), goes.orElse("")));
    }

    private boolean inTurn(boolean myTurn) {
        return view.inTurn(myTurn || goes.isPresent());
    }

    /** Writes a verdict, on condition that nothing else was decided and that these entries stand. */
    private void write(DoubleBarrierRecord decided, List<LineMember> standing, List<LineMember> removed) {
        List<Op> verdict = List.of(Op.put(key, decided.encode()));
        view.write(verdict, standing, removed, () -> decided.roundOf(me.id()).ifPresent(this::heard));
    }

    private void fail(Throwable why) {
        entered.completeExceptionally(why);
        ended.completeExceptionally(why);
        cleanUp();
    }

    private void cleanUp() {
        closing.close();
        view.close();
        leaveLine();
    }

    private void leaveLine() {
        for (Membership each : new Membership[] {ready, inside}) {
            if (each != null) {
                var unused = each.close();
            }
        }
    }
}
