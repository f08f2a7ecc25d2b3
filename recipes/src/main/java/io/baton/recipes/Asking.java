package io.baton.recipes;

import io.baton.CheckReturnValue;
import io.baton.Coordinator;
import io.baton.Subscription;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.Texts;
import io.baton.recipes.internal.AskOutcome;
import io.baton.recipes.internal.AskRequest;
import io.baton.recipes.internal.AskingChanges;
import io.baton.recipes.internal.AskingServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Asks another service to do something, and waits until it is done: "tell me when you have finished with my order". A
 * question is answered once, by a process that serves.
 *
 * <pre>{@code
 * Asking reservations = Asking.named(baton, "reservations");
 * try (Subscription serving = reservations.serve(question -> stock.reserve(question.text(), question.token()))) ...
 *
 * byte[] answer = reservations.ask("order-4711", order, Duration.ofMinutes(1));   // another process
 * }</pre>
 *
 * <p><b>For a few questions a second at most,</b> of which each matters. Every question takes three writes of the store.
 * It is neither a call of a remote procedure nor a queue.
 *
 * <p><b>Ids.</b> Questions of the same id are the same question: a process that asks again after its restart gets the
 * answer to what it asked before, and the work is not ordered twice. The latest {@link #REMEMBERED} answered questions
 * stay on record for that. The process that answers removes those before them.
 *
 * <p><b>Serving.</b> One process at a time serves, under the lock {@code asking/NAME}; others stand by. Questions are
 * begun in the order of asking, one after the other. If the process dies or loses the lock in the middle of a question,
 * the next one begins the same question again. So a handler runs <i>at least once</i>: it should give {@link
 * Question#token()} to what it changes, or {@code Guard.held(question.hold())} to the store, or recognise the id.
 *
 * <p><b>Guarantees.</b> A question has one answer at most: it is written only while the process that began the question
 * still has the lock, also if that process was paused. All that ask a question get the same answer. Waiting continues
 * across breaks of contact and sessions.
 *
 * <p><b>When the time to wait is over,</b> the question is withdrawn unless a process has begun with it, or another call
 * still waits for it: {@link NotAnsweredException#mayHaveBegun()} says whether it was. One that has begun stays until it
 * is answered. A question whose asker has died is served as any other one. It is removed if it has not begun for as long
 * as its asker would have waited, by the processes that serve or ask: each counts from when it saw the question first, by
 * its own clock. So it stays for as long as there are no such processes.
 *
 * <p><b>Failures.</b> {@link io.baton.StoreUnavailableException} says that the question was not asked: the store was
 * not reached in time, or took no writes. If it takes none for a while, {@link Coordinator#trouble()} says so. {@link
 * io.baton.CoordinatorClosedException} says that the coordinator is closed; the question stays.
 *
 * <p><b>Cost.</b> Asking takes one read and one write, and one read of the answer. Serving takes two writes and three
 * reads for each question. All of them write one record, so they wait for each other.
 */
public final class Asking {

    /** The tree of records of which each lists the questions of one asking; they stay there. */
    public static final String TREE = "baton.askings";

    /** The tree of records with the text of each question, and then of its answer. They go with the question. */
    public static final String TEXTS = "baton.questions";

    /** The most bytes of a question, and of an answer. */
    public static final int MAX_BYTES = 8_192;

    /** The longest id, in bytes of UTF-8. */
    public static final int MAX_ID_BYTES = 64;

    /** The most questions of one asking that are on record without an answer. More wait until there is room. */
    public static final int MAX_UNANSWERED = 64;

    /** How many answered questions of one asking stay on record. */
    public static final int REMEMBERED = 64;

    /** The longest time to wait for an answer. */
    public static final Duration MAX_TIMEOUT = Duration.ofDays(7);

    private final String name;
    private final RecipeContext context;
    private final AskingChanges changes;

    private Asking(String name, RecipeContext context, AskingChanges changes) {
        this.name = name;
        this.context = context;
        this.changes = changes;
    }

    /**
     * Returns the asking of this name. Does not contact the store.
     *
     * @param name any non-empty string; with 20 more it has at most {@link io.baton.spi.Names#MAX_BYTES} bytes in UTF-8
     * @throws IllegalArgumentException if the store may lose acknowledged writes, unless {@code acceptLoss} is set in
     *     the coordinator's options
     */
    public static Asking named(Coordinator coordinator, String name) {
        RecipeContext context = RecipeContext.of(coordinator, "askings");
        context.requireNoLoss("an asking");
        var limits = new AskingChanges.Limits(TREE, TEXTS, MAX_UNANSWERED, REMEMBERED);
        return new Asking(name, context, new AskingChanges(name, context, limits));
    }

    /** Returns the asking's name. */
    public String name() {
        return name;
    }

    /**
     * Asks, with an id that no other question has, and waits for the answer. A process that is restarted meanwhile
     * cannot ask the same question again: give an id for that.
     *
     * @see #ask(String, byte[], Duration)
     */
    public byte[] ask(byte[] question, Duration timeout) throws InterruptedException {
        return ask(newId(), question, timeout);
    }

    /** {@link #ask(byte[], Duration)} without waiting. */
    @CheckReturnValue
    public CompletableFuture<byte[]> askAsync(byte[] question, Duration timeout) {
        return askAsync(newId(), question, timeout);
    }

    /**
     * Asks, and waits for the answer. If the question has been asked already, waits for its answer, or returns it.
     *
     * @param id names the question, for all processes: 1 to {@link #MAX_ID_BYTES} bytes of UTF-8, not blank
     * @param question what is asked, {@link #MAX_BYTES} bytes at most
     * @param timeout how long to wait for the answer, up to {@link #MAX_TIMEOUT}; withdrawing the question may take the
     *     request timeout more
     * @throws QuestionFailedException if the handler has failed
     * @throws NotAnsweredException if the time has passed
     * @throws io.baton.CoordinationException if a question of this id is on record with another text
     * @throws InterruptedException if interrupted while waiting; the question is withdrawn unless it has begun
     */
    public byte[] ask(String id, byte[] question, Duration timeout) throws InterruptedException {
        AskRequest request = begin(id, question, timeout);
        try {
            return Futures.interruptibly(request.outcome()).get();
        } catch (InterruptedException interrupted) {
            request.giveUp();
            throw interrupted;
        }
    }

    /**
     * {@link #ask(String, byte[], Duration)} without waiting. The future completes on a callback thread. Cancelling it
     * withdraws the question unless a process has begun with it, or another call waits for it.
     */
    @CheckReturnValue
    public CompletableFuture<byte[]> askAsync(String id, byte[] question, Duration timeout) {
        AskRequest request = begin(id, question, timeout);
        CompletableFuture<byte[]> users =
                context.callbacks().completeInCallback(request.outcome().thenApply(AskOutcome::get));
        Futures.onDone(users, (answer, failure) -> request.giveUp());
        return users;
    }

    private AskRequest begin(String id, byte[] question, Duration timeout) {
        checkId(id);
        if (question.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "a question has at most " + MAX_BYTES + " bytes; this one has " + question.length);
        }
        if (timeout.isZero() || timeout.isNegative() || timeout.compareTo(MAX_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "the time to wait for an answer is above 0 and at most 7 days, not " + timeout);
        }
        return AskRequest.begin(context, changes, id, question.clone(), timeout);
    }

    /**
     * Serves from now on whenever this process has the lock, until the subscription is closed or the coordinator is.
     *
     * <p>Closing it interrupts the handler. It waits until the handler has returned and the lock is released, up to the
     * coordinator's close timeout.
     */
    @CheckReturnValue
    public Subscription serve(QuestionHandler handler) {
        return AskingServer.begin(context, changes, "asking/" + name, handler);
    }

    /**
     * Withdraws a question, whichever process has asked it.
     *
     * @return false if there is no such question, or a process has begun with it
     * @throws io.baton.OutcomeUnknownException if it may have been withdrawn or answered: the store did not acknowledge
     *     the withdrawal, and the question has gone
     */
    public boolean withdraw(String id) throws InterruptedException {
        return Futures.interruptibly(changes.withdraw(checkId(id)));
    }

    /** {@link #withdraw} without waiting. */
    public CompletableFuture<Boolean> withdrawAsync(String id) {
        return context.callbacks().completeInCallback(changes.withdraw(checkId(id)));
    }

    /** Reads which questions are on record, in the order of asking. */
    @CheckReturnValue
    public List<StandingQuestion> questions() throws InterruptedException {
        return Futures.interruptibly(changes.read());
    }

    /** {@link #questions} without waiting. */
    @CheckReturnValue
    public CompletableFuture<List<StandingQuestion>> questionsAsync() {
        return context.callbacks().completeInCallback(changes.read());
    }

    private static String newId() {
        return UUID.randomUUID().toString();
    }

    private static String checkId(String id) {
        int bytes = id.getBytes(StandardCharsets.UTF_8).length;
        if (id.isBlank() || bytes > MAX_ID_BYTES || !Texts.isWellFormed(id)) {
            throw new IllegalArgumentException("an id is not blank and has at most " + MAX_ID_BYTES
                    + " bytes of well-formed UTF-8; this one has " + bytes);
        }
        return id;
    }

    @Override
    public String toString() {
        return "asking '" + name + "'";
    }
}
