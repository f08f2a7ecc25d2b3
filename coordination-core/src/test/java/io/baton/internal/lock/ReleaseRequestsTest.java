package io.baton.internal.lock;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Item;
import io.baton.KeptLog;
import io.baton.OutcomeUnknownException;
import io.baton.Position;
import io.baton.ReleaseRequest;
import io.baton.Released;
import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.Trouble;
import io.baton.internal.HandLoop;
import io.baton.internal.ScriptedStore;
import io.baton.internal.callback.ClientCallbacks;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.internal.line.EntryInfo;
import io.baton.internal.session.Requests;
import io.baton.internal.telemetry.Troubles;
import io.baton.recipe.Callbacks;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.RecordAccess;
import io.baton.recipe.Resource;
import io.baton.spi.Condition;
import io.baton.spi.Entry;
import io.baton.spi.Peer;
import io.baton.spi.Proof;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A client that asks for a release, on a session whose every word is the test's. */
class ReleaseRequestsTest {

    private static final Resource LOCK = Resource.lock("orders");
    private static final Peer A = new Peer(LOCK.line(), "a", 1);
    private static final Peer B = new Peer(LOCK.line(), "b", 2);

    private final HandLoop loop = new HandLoop();
    private final ScriptedStore store = new ScriptedStore(loop);
    private final DefaultCoordinator baton = DefaultCoordinator.start(store, loop, loop, CoordinatorOptions.defaults());

    private final ClientLoop own = new ClientLoop(loop);

    private Subscription listening = () -> {};
    private String reason = "the nightly run is due";
    private String answer = "not now";

    private CompletableFuture<Released> ask() {
        store.applies = true;
        loop.run();
        store.connect();
        var answer = baton.lock("orders").requestRelease(reason, Duration.ofSeconds(5));
        loop.run();
        return answer;
    }

    private void stands(Peer peer) {
        store.peers.add(peer);
        byte[] payload = EntryInfo.ofThisProcess(peer.name()).encode();
        store.details.put(peer.name(), new Entry(peer, peer.order(), payload, "its session"));
    }

    /** What was written first is read from now on. */
    private void putOnRecord() {
        store.record = Optional.of(
                new Item(LOCK.record("baton.releases"), store.written.get(0).getBytes(UTF_8), () -> 1));
    }

    private static Released.Outcome outcome(CompletableFuture<Released> answer) {
        assertThat(answer).isCompleted();
        return answer.join().outcome();
    }

    @Test
    void ask_nobodyStandsInTheLine_isFree() {
        assertThat(outcome(ask())).isEqualTo(Released.Outcome.FREE);
    }

    @Test
    void ask_firstLeavesAsItIsLookedAt_theNextOneIsAsked() {
        stands(A);
        stands(B);
        store.details.remove("a");

        var answer = ask();

        assertThat(answer).isNotDone();
        assertThat(store.written).singleElement().asString().contains("token=2");
        assertThat(store.conditions).containsExactly(new Condition.Stands(B));
        store.details.remove("b");
        loop.pass(Duration.ofSeconds(1));
        assertThat(outcome(answer)).isEqualTo(Released.Outcome.RELEASED);
    }

    @Test
    void ask_allLeaveAsTheyAreLookedAt_theLineIsReadAgain() {
        stands(A);
        store.details.clear();
        var answer = ask();
        assertThat(answer).isNotDone();
        store.peers.clear();
        stands(B);

        loop.pass(Duration.ofSeconds(1));

        assertThat(store.written).singleElement().asString().contains("token=2");
    }

    @Test
    void ask_lineIsNeverSeenAsItIs_isUnanswered() {
        stands(A);
        store.details.clear();
        var answer = ask();

        loop.pass(Duration.ofSeconds(5));

        assertThat(outcome(answer)).isEqualTo(Released.Outcome.UNANSWERED);
        assertThat(store.written).isEmpty();
    }

    @Test
    void withdrawal_recordCannotBeReadAtFirst_isRepeated() {
        stands(A);
        var answer = ask();
        putOnRecord();
        store.recordFails = new StoreUnavailableException("too many requests");
        loop.pass(Duration.ofSeconds(5));
        assertThat(outcome(answer)).isEqualTo(Released.Outcome.UNANSWERED);
        assertThat(store.written).hasSize(1);

        store.recordFails = null;
        loop.pass(Duration.ofSeconds(30));

        assertThat(store.written).hasSize(2).endsWith("nothing");
    }

    @Test
    void withdrawal_isRefusedAtFirst_isRepeated() {
        stands(A);
        var answer = ask();
        putOnRecord();
        store.outcomes.add(CompletableFuture.failedStage(new StoreUnavailableException("no space")));
        loop.pass(Duration.ofSeconds(5));
        assertThat(outcome(answer)).isEqualTo(Released.Outcome.UNANSWERED);
        assertThat(store.written).hasSize(2);

        loop.pass(Duration.ofSeconds(30));

        assertThat(store.written).hasSize(3).endsWith("nothing");
    }

    @Test
    void withdrawal_outcomeIsUnknownAtFirst_isRepeated() {
        stands(A);
        var answer = ask();
        putOnRecord();
        store.outcomes.add(CompletableFuture.failedStage(new OutcomeUnknownException("no answer")));
        loop.pass(Duration.ofSeconds(5));
        assertThat(outcome(answer)).isEqualTo(Released.Outcome.UNANSWERED);
        assertThat(store.written).hasSize(2);

        loop.pass(Duration.ofSeconds(30));

        assertThat(store.written).hasSize(3).endsWith("nothing");
    }

    @Test
    void close_requestIsOnRecord_isWithdrawnFirst() {
        stands(A);
        var answer = ask();
        putOnRecord();
        var withdrawal = new CompletableFuture<Boolean>();
        store.outcomes.add(withdrawal);

        var closed = baton.closeAsync();
        loop.run();

        assertThat(answer).isCompletedExceptionally();
        assertThat(store.written).hasSize(2).endsWith("nothing");
        assertThat(closed).isNotDone();
        withdrawal.complete(true);
        loop.run();
        assertThat(closed).isCompleted();
    }

    @Test
    void close_requestIsBeingWritten_isWithdrawnOnceItIs() {
        stands(A);
        var request = new CompletableFuture<Boolean>();
        store.outcomes.add(request);
        var answer = ask();
        putOnRecord();

        var closed = baton.closeAsync();
        loop.run();

        assertThat(answer).isCompletedExceptionally();
        assertThat(closed).isNotDone();
        request.complete(true);
        loop.run();
        assertThat(store.written).hasSize(2).endsWith("nothing");
        assertThat(closed).isCompleted();
    }

    @Test
    void close_rightAfterTheAnswer_waitsForTheWithdrawal() {
        stands(A);
        var answer = ask();
        putOnRecord();
        var withdrawal = new CompletableFuture<Boolean>();
        store.outcomes.add(withdrawal);
        loop.pass(Duration.ofSeconds(5));
        assertThat(outcome(answer)).isEqualTo(Released.Outcome.UNANSWERED);

        var closed = baton.closeAsync();
        loop.run();

        assertThat(closed).isNotDone();
        withdrawal.complete(true);
        loop.run();
        assertThat(closed).isCompleted();
    }

    @Test
    void close_requestIsRefused_isDoneAtOnce() {
        stands(A);
        store.outcomes.add(CompletableFuture.failedStage(new StoreUnavailableException("no space")));
        assertThat(ask()).isCompletedExceptionally();

        var closed = baton.closeAsync();
        loop.run();

        assertThat(closed).isCompleted();
    }

    /** A holder that listens to requests. */
    private Hold holder(Consumer<ReleaseRequest> listener) {
        store.applies = true;
        loop.run();
        store.connect();
        var decision = baton.lock("orders").acquireAsync();
        loop.run();
        store.provenFor(Duration.ofMinutes(5));
        store.clear();
        loop.run();
        assertThat(decision).isCompleted();
        Hold hold = decision.join();
        listening = hold.onReleaseRequested(listener);
        loop.run();
        return hold;
    }

    /** A holder that refuses; the store takes the first refusal in this way. */
    private Hold refusingHolder(CoordinationException first) {
        Hold hold = holder(request -> request.refuse(answer));
        store.outcomes.add(CompletableFuture.failedStage(first));
        requested("id=1", 2);
        assertThat(refusals()).isEqualTo(1);
        return hold;
    }

    /** This request is on record, as of this revision of the tree. */
    private void requested(String id, long revision) {
        store.trees
                .get(store.trees.size() - 1)
                .snapshot(List.of(request(id, revision)), new Position("here", revision));
        loop.run();
    }

    private static Item request(String id, long revision) {
        byte[] text = (id + "\ntoken=7\nby=web-1\nwhy=it is due\nat=1\n").getBytes(UTF_8);
        return new Item(LOCK.record("baton.releases"), text, () -> revision);
    }

    private long refusals() {
        return store.written.stream()
                .filter(each -> each.contains("refused=" + answer.substring(0, 7)))
                .count();
    }

    @Test
    void refusal_storeIsOutOfReachAtFirst_isRepeatedUntilItIsWritten() {
        Hold hold = refusingHolder(new StoreUnavailableException("no contact"));
        store.outcomes.add(CompletableFuture.failedStage(new OutcomeUnknownException("no answer")));

        loop.pass(Duration.ofSeconds(60));

        assertThat(refusals()).isEqualTo(3);
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void refusal_holdHasEndedMeanwhile_isNotRepeated() {
        Hold hold = refusingHolder(new StoreUnavailableException("no contact"));
        Callbacks.within(hold::close);

        loop.pass(Duration.ofSeconds(60));

        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        assertThat(refusals()).isEqualTo(1);
    }

    @Test
    void refusal_storeRefusesIt_isReported() {
        refusingHolder(new StoreUnavailableException("no space"));
        store.outcomes.add(CompletableFuture.failedStage(new StoreUnavailableException("no space")));
        store.outcomes.add(CompletableFuture.failedStage(new StoreUnavailableException("no space")));

        loop.pass(Duration.ofSeconds(7)); // the pauses: one to two seconds, and two to four

        assertThat(refusals()).isEqualTo(3);
        assertThat(baton.trouble())
                .singleElement()
                .extracting(Trouble::what, Trouble::why)
                .containsExactly("Cannot answer a request to release lock 'orders'", "no space");
        loop.pass(Duration.ofSeconds(30));
        assertThat(refusals()).isEqualTo(4);
        assertThat(baton.trouble()).isEmpty();
    }

    @Test
    void refusal_holdEndsWhileItIsRefused_isNoTroubleAnyMore() {
        Hold hold = refusingHolder(new StoreUnavailableException("no space"));
        store.outcomes.add(CompletableFuture.failedStage(new StoreUnavailableException("no space")));
        store.outcomes.add(CompletableFuture.failedStage(new StoreUnavailableException("no space")));
        loop.pass(Duration.ofSeconds(7));
        assertThat(baton.trouble()).hasSize(1);

        Callbacks.within(hold::close);
        loop.run();

        assertThat(baton.trouble()).isEmpty();
        loop.pass(Duration.ofSeconds(30));
        assertThat(refusals()).isEqualTo(3);
        assertThat(baton.trouble()).isEmpty();
    }

    @Test
    void refusal_newerRequestIsAnsweredWhileTheOlderIsRefused_isNoTroubleAnyMore() {
        refusingHolder(new StoreUnavailableException("no space"));
        store.outcomes.add(CompletableFuture.failedStage(new StoreUnavailableException("no space")));
        store.outcomes.add(CompletableFuture.failedStage(new StoreUnavailableException("no space")));
        loop.pass(Duration.ofSeconds(7));
        assertThat(baton.trouble()).hasSize(1);

        requested("id=2", 3);

        assertThat(refusals()).isEqualTo(4);
        assertThat(baton.trouble()).isEmpty();
        store.outcomes.add(CompletableFuture.failedStage(new StoreUnavailableException("no contact")));
        loop.pass(Duration.ofSeconds(10));
        assertThat(refusals()).as("with the older one's next attempt").isEqualTo(5);
        assertThat(baton.trouble()).isEmpty();
    }

    @Test
    void refusal_listenerIsClosedWhileItIsRefused_isRepeatedAndNoTroubleAnyMore() {
        refusingHolder(new StoreUnavailableException("no space"));
        for (int i = 0; i < 9; i++) {
            store.outcomes.add(CompletableFuture.failedStage(new StoreUnavailableException("no space")));
        }
        loop.pass(Duration.ofSeconds(7));
        assertThat(baton.trouble()).hasSize(1);

        listening.close();
        loop.run();

        assertThat(baton.trouble()).isEmpty();
        loop.pass(Duration.ofSeconds(60));
        assertThat(refusals()).isGreaterThanOrEqualTo(6);
        assertThat(baton.trouble()).isEmpty();
    }

    /** Records whose every write ends in this way, and which hand over this request when observed. */
    private static RecordAccess ending(
            Supplier<CompletableFuture<Boolean>> outcome, Item request, List<String> written) {
        return (RecordAccess) Proxy.newProxyInstance(
                ReleaseRequestsTest.class.getClassLoader(), new Class<?>[] {RecordAccess.class}, (own, call, with) -> {
                    if (call.getName().equals("observe")) {
                        @SuppressWarnings("unchecked")
                        var listener = (Consumer<Optional<Item>>) with[1];
                        listener.accept(Optional.of(request));
                        return (Subscription) () -> {};
                    }
                    written.add((String) with[0]);
                    return outcome.get();
                });
    }

    @Test
    void refusal_coordinatorClosesDuringItsThirdAttempt_isNotReported() {
        List<String> written = new ArrayList<>();
        var third = new CompletableFuture<Boolean>();
        var log = new KeptLog();
        RecordAccess records = ending(
                () -> written.size() < 3
                        ? CompletableFuture.failedFuture(new StoreUnavailableException("no contact"))
                        : third,
                request("id=1", 1),
                written);
        var requests = requests(records, log);
        var listening = requests.listen(LOCK, hold(), request -> request.refuse("not now"));
        loop.pass(Duration.ofSeconds(7));
        assertThat(written).hasSize(3);

        requests.close();
        third.completeExceptionally(new OutcomeUnknownException("the coordinator was closed during a refusal"));
        loop.pass(Duration.ofSeconds(60));

        assertThat(log.lines()).isEmpty();
        assertThat(written).hasSize(3);
        listening.close();
    }

    private ReleaseRequests requests(RecordAccess records, KeptLog log) {
        var troubles = new Troubles("here", () -> Instant.EPOCH, () -> 0, log);
        return new ReleaseRequests(
                own, ClientCallbacks.on(loop), new Requests(own, Duration.ofSeconds(1)), records, troubles, "test");
    }

    private FencedHold hold() {
        Proof proof = new Proof(loop.nanoTime(), loop.wallMillis(), loop.nanoTime() + 300_000_000_000L, 1);
        return new FencedHold(
                LOCK,
                store.entry(),
                proof,
                own,
                ClientCallbacks.on(loop),
                Duration.ofSeconds(1),
                store.guarantees(),
                null,
                0);
    }

    @Test
    void refusal_storeRefusesItForGood_isLoggedOnceAndNotRepeated() {
        List<String> written = new ArrayList<>();
        RecordAccess records = ending(
                () -> CompletableFuture.failedFuture(new CoordinationException("no permission")),
                request("id=1", 1),
                written);
        var log = new KeptLog();

        var listening = requests(records, log).listen(LOCK, hold(), request -> request.refuse("not now"));
        loop.pass(Duration.ofSeconds(60));

        assertThat(written).containsExactly("a refusal to release");
        assertThat(log.lines())
                .containsExactly("WARN here: Cannot answer a request to release lock 'orders': no permission");
        listening.close();
    }

    @Test
    void refuse_veryLongText_isCutAndWritten() {
        answer = "x".repeat(200_000);

        refusingHolder(new StoreUnavailableException("no contact"));
        loop.pass(Duration.ofSeconds(60));

        assertThat(refusals()).isEqualTo(2);
        assertThat(store.written).allMatch(each -> each.length() < 3_000);
    }

    @Test
    void ask_veryLongReason_isCutAndWritten() {
        stands(A);
        reason = "x".repeat(200_000);

        ask();

        assertThat(store.written).singleElement().asString().contains("why=xxx").hasSizeLessThan(3_000);
    }

    @Test
    void ask_withoutAReason_throwsAtOnceAndNothingIsLeft() {
        stands(A);
        reason = null;

        assertThatThrownBy(this::ask).isInstanceOf(NullPointerException.class);

        loop.run();
        assertThat(store.written).isEmpty();
        var closed = baton.closeAsync();
        loop.run();
        assertThat(closed).isCompleted();
    }

    @Test
    void refuse_withoutAReason_throwsAtOnceAndNothingIsWritten() {
        List<ReleaseRequest> requests = new ArrayList<>();
        holder(requests::add);
        requested("id=1", 2);
        assertThat(requests).hasSize(1);

        assertThatThrownBy(() -> requests.get(0).refuse(null)).isInstanceOf(NullPointerException.class);

        loop.run();
        assertThat(store.written).isEmpty();
    }
}
