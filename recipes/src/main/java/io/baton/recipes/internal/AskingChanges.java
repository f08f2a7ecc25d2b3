package io.baton.recipes.internal;

import com.google.common.hash.Hashing;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Item;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.RecordConflictException;
import io.baton.recipes.StandingQuestion;
import io.baton.recipes.StandingQuestion.State;
import io.baton.recipes.internal.AskingChanges.Withdrawal.Became;
import io.baton.recipes.internal.RecordChange.Decision;
import io.baton.recipes.internal.RecordChange.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The steps of the questions of one asking. Each is a change of the asking's record, by which it is recognised if its
 * outcome is unknown. On the loop.
 */
public final class AskingChanges {

    private static final long NONE = 0;

    private final String name;
    private final RecipeContext context;
    private final Limits limits;
    private final RecordKey key;

    /**
     * Where the records are, and how many.
     *
     * @param tree the tree of the records of askings
     * @param texts the tree of the records of texts
     * @param unanswered how many questions without an answer there may be
     * @param remembered how many answered questions stay
     */
    public record Limits(String tree, String texts, int unanswered, int remembered) {}

    /** What became of an attempt to put a question on record. */
    sealed interface Asked {

        /** It is on record. */
        record There(AskedQuestion question) implements Asked {}

        /** It is not: there are too many. */
        record TooMany() implements Asked {}

        /** It may have been on record, and has gone. Trying again would not tell. */
        record PerhapsOver() implements Asked {}
    }

    /**
     * What became of an attempt to withdraw a question.
     *
     * @param there the question, if it is on record, or was until now
     */
    record Withdrawal(Became what, Optional<AskedQuestion> there) {

        /** What became of it. */
        enum Became {
            WITHDRAWN,
            BEGUN,
            ASKED_BY_ANOTHER,
            OVER,
            ANSWERED
        }
    }

    /** Creates the steps of the asking of this name. */
    public AskingChanges(String name, RecipeContext context, Limits limits) {
        this.name = name;
        this.context = context;
        this.limits = limits;
        this.key = new RecordKey(limits.tree(), name);
        var unused = text(Long.MAX_VALUE);
    }

    String name() {
        return name;
    }

    RecordKey key() {
        return key;
    }

    private RecordKey text(long number) {
        return new RecordKey(limits.texts(), name + "/" + number);
    }

    boolean isFull(AskingRecord now) {
        return now.unanswered() >= limits.unanswered();
    }

    /** Reads which questions are on record. Any thread. */
    public CompletableFuture<List<StandingQuestion>> read() {
        return Futures.callOnLoop(
                context.loop(),
                () -> change(now -> new Step.Keep<>(AskingRecord.of(now).standing())));
    }

    /** Reads whether a question of this id is on record. */
    CompletableFuture<Optional<AskedQuestion>> find(String id) {
        return change(now -> new Step.Keep<>(AskingRecord.of(now).byId(id)));
    }

    /** Reads the question, or its answer once it is answered; empty if it is no longer on record. */
    CompletableFuture<Optional<byte[]>> readText(AskedQuestion question) {
        return RecordChange.begin(context, text(question.number()), now -> new Step.Keep<>(now.map(Item::value)));
    }

    /**
     * A question that is to be put on record. The same one is used until that is settled.
     *
     * @param call names the call that asks
     */
    Decision<Asked> asking(String call, String id, byte[] question, Duration patience) {
        return new Asking(
                call, id, question, Hashing.murmur3_128().hashBytes(question).toString(), patience);
    }

    /** Puts a question on record unless it is there, or there are too many. */
    CompletableFuture<Asked> ask(Decision<Asked> asking) {
        return change(asking);
    }

    private final class Asking implements Decision<Asked> {

        private final String call;
        private final String id;
        private final byte[] question;
        private final String hash;
        private final Duration patience;
        private long tried = NONE;
        private long inDoubt = NONE;

        Asking(String call, String id, byte[] question, String hash, Duration patience) {
            this.call = call;
            this.id = id;
            this.question = question;
            this.hash = hash;
            this.patience = patience;
        }

        @Override
        public Step<Asked> on(Optional<Item> now) {
            AskingRecord asking = AskingRecord.of(now);
            Optional<AskedQuestion> there = asking.byId(id);
            if (there.isPresent()) {
                return again(asking, there.get());
            }
            if (inDoubt != NONE && asking.isOver(inDoubt)) {
                return new Step.Keep<>(new Asked.PerhapsOver());
            }
            inDoubt = NONE;
            if (isFull(asking)) {
                return new Step.Keep<>(new Asked.TooMany());
            }
            tried = asking.asked() + 1;
            var added = new AskedQuestion(tried, id, hash, call, patience, State.ASKED, 0, 0);
            return new Step.Put<>(
                    asking.with(added).encode(),
                    List.of(),
                    List.of(Op.put(text(tried), question)),
                    new Asked.There(added));
        }

        private Step<Asked> again(AskingRecord asking, AskedQuestion there) {
            if (!there.hash().equals(hash)) {
                throw new RecordConflictException(
                        "question '" + id + "' of asking '" + name + "' is on record with another text");
            }
            AskedQuestion mine = there.isAsked() ? there.askedBy(call, patience) : there;
            return mine.equals(there)
                    ? new Step.Keep<>(new Asked.There(there))
                    : new Step.Put<>(asking.with(mine).encode(), new Asked.There(mine));
        }

        @Override
        public void unknown() {
            inDoubt = tried;
        }
    }

    /**
     * Takes these calls off a question, and the question off the record if no process has begun with it, and no other
     * call asks it.
     */
    CompletableFuture<Withdrawal> withdraw(long number, String calls) {
        return change(now -> {
            AskingRecord asking = AskingRecord.of(now);
            Optional<AskedQuestion> there = asking.byNumber(number);
            if (there.isEmpty()) {
                return new Step.Keep<>(new Withdrawal(Became.OVER, there));
            }
            if (there.get().isAnswered()) {
                return new Step.Keep<>(new Withdrawal(Became.ANSWERED, there));
            }
            if (!there.get().isAsked()) {
                return new Step.Keep<>(new Withdrawal(Became.BEGUN, there));
            }
            Optional<AskedQuestion> left = there.get().without(calls);
            if (left.isEmpty()) {
                return remove(asking, there.get(), new Withdrawal(Became.WITHDRAWN, there));
            }
            var byAnother = new Withdrawal(Became.ASKED_BY_ANOTHER, left);
            return left.equals(there)
                    ? new Step.Keep<>(byAnother)
                    : new Step.Put<>(asking.with(left.get()).encode(), byAnother);
        });
    }

    /** Takes a question off the record if no process has begun with it, whoever asks. Any thread. */
    public CompletableFuture<Boolean> withdraw(String id) {
        return Futures.callOnLoop(context.loop(), () -> change(new Withdrawing(id)));
    }

    private final class Withdrawing implements Decision<Boolean> {

        private final String id;
        private long tried = NONE;
        private long inDoubt = NONE;

        Withdrawing(String id) {
            this.id = id;
        }

        @Override
        public Step<Boolean> on(Optional<Item> now) {
            AskingRecord asking = AskingRecord.of(now);
            return asking.byId(id)
                    .filter(AskedQuestion::isAsked)
                    .map(there -> remove(asking, there))
                    .orElseGet(() -> new Step.Keep<>(isWithdrawn(asking)));
        }

        private Step<Boolean> remove(AskingRecord asking, AskedQuestion there) {
            tried = there.number();
            return AskingChanges.this.remove(asking, there, true);
        }

        /** Whether a write that was not answered, or another process, has withdrawn the question. */
        private boolean isWithdrawn(AskingRecord asking) {
            if (inDoubt == NONE || !asking.isOver(inDoubt)) {
                return false;
            }
            if (asking.mayHaveForgotten(limits.remembered())) {
                throw new OutcomeUnknownException(
                        "question '" + id + "' may have been withdrawn, or answered: the write"
                                + " was not acknowledged, and its record has gone");
            }
            return true;
        }

        @Override
        public void unknown() {
            inDoubt = tried;
        }
    }

    private <R> Step<R> remove(AskingRecord asking, AskedQuestion gone, R result) {
        return new Step.Put<>(
                asking.without(List.of(gone)).encode(), List.of(), List.of(Op.delete(text(gone.number()))), result);
    }

    /** Begins with the next question under this hold; empty if there is none, or the hold is lost or released. */
    CompletableFuture<Optional<AskedQuestion>> begin(Hold hold) {
        return change(now -> {
            AskingRecord asking = AskingRecord.of(now);
            Optional<AskedQuestion> next = asking.next();
            if (next.isEmpty() || hasEnded(hold)) {
                return new Step.Keep<>(Optional.empty());
            }
            if (next.get().isBegunUnder(hold.token())) {
                return new Step.Keep<>(next);
            }
            AskedQuestion begun = next.get().begunUnder(hold.token());
            return new Step.Put<>(
                    asking.with(begun).encode(), List.of(Guard.held(hold)), List.of(), Optional.of(begun));
        });
    }

    /** Answers a question that was begun under this hold; false once another process has begun with it. */
    CompletableFuture<Boolean> answer(Hold hold, AskedQuestion begun, State how, byte[] answer) {
        return change(now -> {
            AskingRecord asking = AskingRecord.of(now);
            Optional<AskedQuestion> there =
                    asking.byNumber(begun.number()).filter(each -> each.isBegunUnder(hold.token()));
            if (there.isEmpty() || hasEnded(hold)) {
                return new Step.Keep<>(false);
            }
            AskingRecord answered = asking.with(there.get().answered(how));
            List<AskedQuestion> forgotten = answered.beyond(limits.remembered());
            List<Op> texts = new ArrayList<>();
            texts.add(Op.put(text(begun.number()), answer));
            forgotten.forEach(each -> texts.add(Op.delete(text(each.number()))));
            return new Step.Put<>(answered.without(forgotten).encode(), List.of(Guard.held(hold)), texts, true);
        });
    }

    private static boolean hasEnded(Hold hold) {
        return hold.state() == HoldState.LOST || hold.state() == HoldState.RELEASED;
    }

    private <R> CompletableFuture<R> change(Decision<R> decision) {
        return RecordChange.begin(context, key, decision);
    }
}
