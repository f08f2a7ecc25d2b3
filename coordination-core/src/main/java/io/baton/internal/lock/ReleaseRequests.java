package io.baton.internal.lock;

import io.baton.Item;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.PendingRelease;
import io.baton.RecordKey;
import io.baton.ReleaseRequest;
import io.baton.Released;
import io.baton.Released.Outcome;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.internal.line.EntryInfo;
import io.baton.internal.session.Requests;
import io.baton.internal.session.SessionScoped;
import io.baton.internal.telemetry.Troubles;
import io.baton.recipe.Callbacks;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.recipe.ListenerQueue;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.RecordAccess;
import io.baton.recipe.Resource;
import io.baton.recipe.TextLines;
import io.baton.recipe.Texts;
import io.baton.spi.Condition;
import io.baton.spi.Entry;
import io.baton.spi.Loop;
import io.baton.spi.Peer;
import io.baton.spi.Session;
import io.baton.spi.support.Pauses;
import io.baton.spi.support.RepeatedRefusal;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Requests to holders that they release. A request is a record of the lock that names the token of the hold. The holder
 * writes a refusal into it; a release shows by its entry, which is gone. Any thread.
 */
public final class ReleaseRequests implements SessionScoped {

    private static final String TREE = "baton.releases";
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final int MOST_WITHDRAWALS = 20;

    private final ClientLoop loop;
    private final Callbacks callbacks;
    private final Requests requests;
    private final RecordAccess records;
    private final Troubles troubles;
    private final String client;
    /** On the loop. */
    private final Set<Asking> asking = new LinkedHashSet<>();

    private boolean ending;
    private boolean closed;

    /** Creates the requests of a client with this name. */
    public ReleaseRequests(
            ClientLoop loop,
            Callbacks callbacks,
            Requests requests,
            RecordAccess records,
            Troubles troubles,
            String client) {
        this.loop = loop;
        this.callbacks = callbacks;
        this.requests = requests;
        this.records = records;
        this.troubles = troubles;
        this.client = client;
    }

    /** A request as it is on record. */
    private record Note(
            String id,
            long token,
            String by,
            String reason,
            long at,
            @Nullable String refused) {

        static Note of(Item record) {
            Map<String, String> lines = TextLines.decode(record.value());
            return new Note(
                    lines.getOrDefault("id", ""),
                    TextLines.number(lines.getOrDefault("token", "")),
                    lines.getOrDefault("by", ""),
                    lines.getOrDefault("why", ""),
                    TextLines.number(lines.getOrDefault("at", "")),
                    lines.get("refused"));
        }

        Op put(RecordKey key) {
            TextLines lines = new TextLines()
                    .add("id", id)
                    .add("token", Long.toString(token))
                    .add("by", by)
                    .add("why", Texts.shortened(reason))
                    .add("at", Long.toString(at));
            if (refused != null) {
                lines.add("refused", Texts.shortened(refused));
            }
            return Op.put(key, lines.bytes());
        }
    }

    // ---- the holder

    /** Calls the listener with each request to release this hold. */
    Listening listen(Resource of, FencedHold hold, Consumer<ReleaseRequest> listener) {
        return new Listening(of, hold, listener);
    }

    /** A listener of one hold. Any thread, except what says so. */
    final class Listening implements Subscription {

        private final FencedHold hold;
        private final ListenerQueue<ReleaseRequest> queue;
        private final Subscription following;
        // On the loop.
        private final RepeatedRefusal refusals;
        private Runnable stopOthers = () -> {};
        private boolean ended;

        Listening(Resource of, FencedHold hold, Consumer<ReleaseRequest> listener) {
            RecordKey key = of.record(TREE);
            this.hold = hold;
            this.queue = new ListenerQueue<>(callbacks, of, listener, ListenerQueue.Merge.newest());
            this.refusals = new RepeatedRefusal(() -> cannotAnswer(of), troubles::report, troubles::resolved);
            this.following =
                    observe(key, hold.token(), (item, note) -> queue.offer(new Received(of, this, item, note)));
        }

        /** The store has not taken a refusal. On the loop. */
        private void refused(String why) {
            if (!ended) {
                refusals.refused(why);
            }
        }

        /** Listens to other programs of the line's dialect, too, in the session of the hold. On the loop. */
        void toOthers(Session session) {
            if (!ended) {
                stopOthers = session.observeAskedToRelease(
                        hold.peer(), () -> queue.offer(new Unsigned(Instant.ofEpochMilli(loop.wallMillis()))));
            }
        }

        @Override
        public void close() {
            following.close();
            queue.close();
            loop.post(() -> {
                ended = true;
                refusals.resolved();
                stopOthers.run();
            });
        }
    }

    /** A request of another program, which says nothing but that, and takes no answer. */
    private record Unsigned(Instant at) implements ReleaseRequest {

        @Override
        public String by() {
            return "another program";
        }

        @Override
        public String reason() {
            return "";
        }

        @Override
        public void refuse(String why) {}
    }

    /** Runs the task on the loop at each request to release the hold of this entry. */
    Subscription listenOnLoop(Resource of, Entry hold, Runnable task) {
        return observe(of.record(TREE), hold.token(), (item, note) -> task.run());
    }

    private Subscription observe(RecordKey key, long token, BiConsumer<Item, Note> to) {
        return records.observe(
                key,
                record -> record.ifPresent(item -> {
                    Note note = Note.of(item);
                    if (note.token() == token && note.refused() == null) {
                        to.accept(item, note);
                    }
                }));
    }

    private static String cannotAnswer(Resource of) {
        return "Cannot answer a request to release " + of;
    }

    private final class Received implements ReleaseRequest {

        private final Resource of;
        private final Listening listening;
        private final FencedHold hold;
        private final Item item;
        private final Note note;

        Received(Resource of, Listening listening, Item item, Note note) {
            this.of = of;
            this.listening = listening;
            this.hold = listening.hold;
            this.item = item;
            this.note = note;
        }

        @Override
        public String by() {
            return note.by();
        }

        @Override
        public String reason() {
            return note.reason();
        }

        @Override
        public Instant at() {
            return Instant.ofEpochMilli(note.at());
        }

        @Override
        public void refuse(String why) {
            Objects.requireNonNull(why, "why");
            if (hold.hasEnded()) {
                return; // its place may have passed to another owner of this process
            }
            var refusal = new Note(note.id(), note.token(), note.by(), note.reason(), note.at(), why);
            Op put = refusal.put(item.key());
            loop.post(() -> write(put, 1));
        }

        /** Writes the refusal, again if the store does not take it or does not answer. On the loop. */
        private void write(Op refusal, int attempt) {
            if (isUseless()) {
                return;
            }
            CompletableFuture<Boolean> written = records.transact(
                    "a refusal to release",
                    List.of(new Condition.Stands(hold.peer()), new Condition.Unchanged(item.key(), item.revision())),
                    List.of(refusal),
                    List.of());
            Futures.onDone(written, (done, failure) -> {
                if (failure == null) {
                    listening.refusals.resolved();
                } else if (!isUseless()) {
                    failed(Futures.cause(failure), refusal, attempt);
                }
            });
        }

        /** Whether the answer is of no use any more: the entry goes, which is the answer. */
        private boolean isUseless() {
            return closed || hold.hasEnded();
        }

        private void failed(Throwable failure, Op refusal, int attempt) {
            String why = String.valueOf(failure.getMessage());
            if (Futures.isTransient(failure)) {
                listening.refused(why);
                loop.after(Pauses.afterRefusals(attempt, loop.raw()), () -> write(refusal, attempt + 1));
            } else {
                listening.refusals.resolved();
                troubles.reportFailed(cannotAnswer(of), why);
            }
        }

        @Override
        public String toString() {
            return "request of " + by() + " to release: " + reason();
        }
    }

    // ---- whoever looks

    /** Returns the request to the first contender that is not answered. Completes on the loop. */
    CompletableFuture<Optional<PendingRelease>> pending(Resource of) {
        return requests.send(
                "a look at the requests to release " + of,
                session -> session.get(of.record(TREE))
                        .thenCompose(record -> record.map(Note::of)
                                .filter(note -> note.refused() == null)
                                .map(note -> standing(session, of, note))
                                .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()))));
    }

    /** Only the first is asked, and a record may outlast it. */
    private static CompletionStage<Optional<PendingRelease>> standing(Session session, Resource of, Note note) {
        return session.peers(of.line())
                .thenCompose(line -> line.isEmpty()
                        ? CompletableFuture.completedFuture(Optional.<Entry>empty())
                        : session.details(line.get(0)))
                .thenApply(first -> first.filter(entry -> entry.token() == note.token())
                        .map(asked -> new PendingRelease(
                                note.token(), note.by(), note.reason(), Instant.ofEpochMilli(note.at()))));
    }

    // ---- the client that asks

    /** Asks the holder of this lock, and completes on a callback thread with what became of it. */
    CompletableFuture<Released> ask(Resource of, String reason, Duration timeout) {
        Objects.requireNonNull(reason, "reason");
        Duration limit = Acquirer.bounded(timeout);
        return callbacks.completeInCallback(Futures.callOnLoop(loop, () -> new Asking(of, limit).begin(reason)));
    }

    @Override
    public void connected(Session now) {}

    @Override
    public void lost() {}

    /** Gives up all requests. Completes once none of them is on record. On the loop. */
    public CompletionStage<Void> withdraw() {
        ending = true;
        List<Asking> all = List.copyOf(asking);
        all.forEach(each -> each.outcome.completeExceptionally(RecipeContext.closedException()));
        return CompletableFuture.allOf(all.stream().map(each -> each.over).toArray(CompletableFuture<?>[]::new));
    }

    /** What is not withdrawn by now stays. On the loop. */
    @Override
    public void close() {
        closed = true;
    }

    /** One request. On the loop. */
    private final class Asking {

        private final Resource of;
        private final Duration timeout;
        private final RecordKey key;
        private final CompletableFuture<Released> outcome = new CompletableFuture<>();
        /** Completes once the outcome is known and the request is not on record. */
        private final CompletableFuture<Void> over = new CompletableFuture<>();

        /** Whether it is, or may be. */
        private boolean onRecord;

        Asking(Resource of, Duration timeout) {
            this.of = of;
            this.timeout = timeout;
            this.key = of.record(TREE);
        }

        CompletableFuture<Released> begin(String reason) {
            if (ending) {
                return CompletableFuture.failedFuture(RecipeContext.closedException());
            }
            asking.add(this);
            Loop.Timer late = loop.after(timeout, () -> complete(Outcome.UNANSWERED, ""));
            Futures.onDone(outcome, (done, failure) -> {
                late.cancel();
                endIfOver();
            });
            find(reason);
            return outcome;
        }

        private void endIfOver() {
            if (outcome.isDone() && !onRecord) {
                asking.remove(this);
                over.complete(null);
            }
        }

        private void offRecord() {
            onRecord = false;
            endIfOver();
        }

        /** Reads the line, and asks its first contender. */
        private void find(String reason) {
            read(session -> session.peers(of.line()), line -> {
                if (line.isEmpty()) {
                    complete(Outcome.FREE, "");
                } else {
                    ask(line, 0, reason);
                }
            });
        }

        /** Asks this contender of the line; those ahead of it have gone since that was read. */
        private void ask(List<Peer> line, int number, String reason) {
            if (number == line.size()) {
                loop.after(LOOK, () -> find(reason)); // others may have come, and hold
                return;
            }
            read(session -> session.details(line.get(number)), entry -> {
                if (entry.isEmpty()) {
                    ask(line, number + 1, reason);
                } else if (EntryInfo.decode(entry.get().payload()).client().isEmpty()) {
                    askAnotherProgram(entry.get().peer());
                } else {
                    write(entry.get(), reason);
                }
            });
        }

        private <T> void read(Function<Session, CompletionStage<T>> call, Consumer<T> then) {
            if (outcome.isDone()) {
                return;
            }
            Futures.onDone(requests.send("a look at " + of, call), (answer, failure) -> {
                if (failure == null) {
                    then.accept(answer);
                } else {
                    outcome.completeExceptionally(Futures.cause(failure));
                }
            });
        }

        private void askAnotherProgram(Peer holder) {
            Futures.onDone(
                    requests.sendWrite(
                            "a request to release " + of, (session, within) -> session.askToRelease(holder, within)),
                    (done, failure) -> {
                        if (failure != null && !unknown(failure)) {
                            outcome.completeExceptionally(Futures.cause(failure));
                        } else {
                            look(holder);
                        }
                    });
        }

        private void write(Entry holder, String reason) {
            if (outcome.isDone()) {
                return;
            }
            String id = Long.toHexString(loop.randomLong());
            var note = new Note(id, holder.token(), client, reason, loop.wallMillis(), null);
            Op put = note.put(key);
            Peer peer = holder.peer();
            onRecord = true;
            Futures.onDone(
                    records.transact(
                            "a request to release " + of, List.of(new Condition.Stands(peer)), List.of(put), List.of()),
                    (applied, failure) -> {
                        if (failure != null && !unknown(failure)) {
                            outcome.completeExceptionally(Futures.cause(failure));
                            offRecord();
                        } else if (failure == null && !applied) {
                            complete(Outcome.RELEASED, "");
                            offRecord();
                        } else {
                            await(peer, id);
                        }
                    });
        }

        private static boolean unknown(Throwable failure) {
            return Futures.cause(failure) instanceof OutcomeUnknownException;
        }

        private void await(Peer asked, String id) {
            Subscription answers = records.observe(
                    key,
                    record -> record.map(Note::of)
                            .filter(note -> note.id().equals(id) && note.refused() != null)
                            .ifPresent(note -> complete(Outcome.REFUSED, String.valueOf(note.refused()))));
            Futures.onDone(outcome, (done, failure) -> {
                answers.close();
                withdraw(id, 1);
            });
            look(asked);
        }

        /** Removes the request, unless another one has taken its place. */
        private void withdraw(String id, int attempt) {
            Futures.onDone(records.read(key), (record, failure) -> {
                if (failure != null) {
                    withdrawAgain(id, attempt, failure);
                } else if (record.isEmpty() || !Note.of(record.get()).id().equals(id)) {
                    offRecord();
                } else {
                    CompletableFuture<Boolean> gone = records.transact(
                            "the withdrawal of a request to release",
                            List.of(new Condition.Unchanged(key, record.get().revision())),
                            List.of(Op.delete(key)),
                            List.of());
                    Futures.onDone(gone, (done, refused) -> {
                        if (refused != null || !done) { // it may have been answered in between
                            withdrawAgain(id, attempt, refused);
                        } else {
                            offRecord();
                        }
                    });
                }
            });
        }

        private void withdrawAgain(String id, int attempt, @Nullable Throwable failure) {
            boolean passes = failure == null || Futures.isTransient(Futures.cause(failure));
            if (!closed && passes && attempt < MOST_WITHDRAWALS) {
                loop.after(Pauses.afterRefusals(attempt, loop.raw()), () -> withdraw(id, attempt + 1));
            } else {
                offRecord(); // given up
            }
        }

        /** Looks again and again whether the hold has ended, as often as matters to people. */
        private void look(Peer asked) {
            if (outcome.isDone()) {
                return;
            }
            Futures.onDone(requests.send("a look at " + of, session -> session.details(asked)), (entry, failure) -> {
                if (failure == null && entry.isEmpty()) {
                    complete(Outcome.RELEASED, "");
                } else if (failure == null || passes(Futures.cause(failure))) {
                    loop.after(LOOK, () -> look(asked));
                } else {
                    outcome.completeExceptionally(Futures.cause(failure));
                }
            });
        }

        /** Whether a later look may be answered: the request stands whatever becomes of this client's session. */
        private static boolean passes(Throwable failure) {
            return failure instanceof StoreUnavailableException || failure instanceof SessionLostException;
        }

        private void complete(Outcome how, String answer) {
            outcome.complete(new Released(how, answer));
        }
    }
}
