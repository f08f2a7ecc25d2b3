package io.baton.recipes.internal;

import io.baton.Guard;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.Subscription;
import io.baton.recipe.Futures;
import io.baton.recipe.LineMember;
import io.baton.recipe.LineMembers;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one party of a barrier sees: the record, and who stands in the line. A write of it rests on the record as it is
 * seen. On the loop.
 *
 * @param <R> what the record says
 */
final class PartyView<R> {

    private static final int MOST_READINGS = 20;

    private final RecipeContext context;
    private final Resource barrier;
    private final RecordKey key;
    private final Function<Item, R> decode;
    private final BooleanSupplier over;
    private final Runnable step;
    private final DecisionTurn turn;
    private final StoreRefusals unread;
    private final StoreRefusals unwritten;
    private final List<Subscription> subscriptions = new ArrayList<>();
    private Optional<Item> item = Optional.empty();
    private @Nullable R decoded;
    private Optional<LineMembers> line = Optional.empty();
    private List<StandingParty> standing = List.of();
    private long timesTold;
    private boolean lookedAround;
    private boolean busy;

    /**
     * Creates the view of a party that has not joined yet.
     *
     * @param decode throws a {@link io.baton.CoordinationException} at a foreign record
     * @param over whether the party looks at nothing any more
     * @param step called with each change, and when a decision has to be tried again
     */
    PartyView(
            RecipeContext context,
            Resource barrier,
            RecordKey key,
            Function<Item, R> decode,
            BooleanSupplier over,
            Runnable step) {
        this.context = context;
        this.barrier = barrier;
        this.key = key;
        this.decode = decode;
        this.over = over;
        this.step = step;
        this.turn = new DecisionTurn(context.loop());
        this.unread = new StoreRefusals(context, "Cannot see who waits in " + barrier);
        this.unwritten = new StoreRefusals(context, "Cannot decide on " + barrier);
    }

    void observe() {
        subscriptions.add(context.records().observe(key, now -> {
            item = now;
            decoded = null;
            step.run();
        }));
        subscriptions.add(context.lines().observeMembers(barrier, now -> {
            timesTold++;
            see(now);
            step.run();
        }));
    }

    void close() {
        subscriptions.forEach(Subscription::close);
        subscriptions.clear();
        unread.over();
        unwritten.over();
    }

    private void see(LineMembers now) {
        line = Optional.of(now);
        standing = StandingParty.of(now.members());
    }

    /** Returns what the record says; empty if it is not known. */
    Optional<R> record() {
        if (decoded == null && item.isPresent()) {
            decoded = decode.apply(item.get());
        }
        return Optional.ofNullable(decoded);
    }

    /**
     * Returns those that stand, in the order of the line; empty if they are not known.
     *
     * @param goes whether the party goes, and has to have looked around before
     */
    Optional<List<StandingParty>> standing(boolean goes) {
        return line.filter(now -> now.current() && (lookedAround || !goes)).map(now -> standing);
    }

    /** Reads who stands: those that were there when this party went are told, also if it had not seen them. */
    void lookAround() {
        lookedAround = false;
        if (over.getAsBoolean()) {
            return;
        }
        Futures.onDone(readLine(), (members, failure) -> {
            if (failure != null) {
                unread.failed(failure);
                turn.later(unread, this::lookAround);
                return;
            }
            unread.over();
            lookedAround = true;
            see(new LineMembers(members, true));
            step.run();
        });
    }

    /** Reads who stands, as the list that was told may be older than the record; one that is read now is not. */
    void readAgain(Consumer<List<StandingParty>> then) {
        busy = true;
        Optional<Item> rests = item;
        Futures.onDone(readLine(), (members, failure) -> {
            busy = false;
            if (over.getAsBoolean()) {
                return;
            }
            if (failure != null) {
                unread.failed(failure);
                turn.later(unread, step);
                return;
            }
            unread.over();
            if (!item.equals(rests)) {
                turn.later(step);
                return;
            }
            see(new LineMembers(members, true));
            then.accept(standing);
        });
    }

    /**
     * Reads who stands. A list that was told while the answer was on its way may be newer than the answer, and nothing
     * may be told again to correct that. So the line is read once more then; but not for ever in a line that changes all
     * the time, of which more is told.
     */
    private CompletableFuture<List<LineMember>> readLine() {
        return readLine(MOST_READINGS);
    }

    private CompletableFuture<List<LineMember>> readLine(int most) {
        long before = timesTold;
        return context.lines()
                .members(barrier)
                .thenCompose(members -> timesTold == before || most == 1 || over.getAsBoolean()
                        ? CompletableFuture.completedFuture(members)
                        : readLine(most - 1));
    }

    /** Returns whether to decide now. If not, the step comes again a little later. */
    boolean inTurn(boolean myTurn) {
        return turn.comes(myTurn, List.of(item, line), step);
    }

    /** Whether a write or a reading of the line is under way, so that nothing else is to be decided. */
    boolean isBusy() {
        return busy;
    }

    /** Writes, on condition that nothing else was decided and that these entries stand, and removes some. */
    void write(List<Op> ops, List<LineMember> standing, List<LineMember> removed, Runnable then) {
        busy = true;
        Optional<Item> rests = item;
        List<Guard> unchanged = List.of(Guard.unchanged(rests.orElseThrow()));
        Futures.onDone(
                context.records().write("the verdict of " + barrier, unchanged, standing, ops, removed),
                (applied, failure) -> {
                    busy = false;
                    if (failure != null) {
                        unwritten.failed(failure);
                        turn.later(unwritten, step);
                        return;
                    }
                    unwritten.over();
                    if (applied) {
                        then.run();
                        if (!item.equals(rests)) {
                            step.run(); // what was told while the answer was on its way
                        }
                    } else {
                        turn.later(step); // something has changed, which will be told
                    }
                });
    }
}
