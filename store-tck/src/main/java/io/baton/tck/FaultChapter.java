package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Guard;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Item;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.Records;
import io.baton.StoreUnavailableException;
import io.baton.spi.Condition;
import io.baton.spi.Peer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Cuts the contact at each single message. Every act runs repeatedly, with the cut at its first message, its second,
 * and so on, in both directions, before and after the message is forwarded. After any cut, no two clients hold at once,
 * no entry stays behind and no waiter waits in vain. A transaction reports its outcome correctly.
 */
abstract class FaultChapter extends CutChapter {

    @Test
    void open_cutAtEachMessage_isInContactInTheEnd() throws Exception {
        atEachMessage(Act.OPEN, stage -> {
            stage.arm();
            stage.troubled();
            stage.awaitQuiet();
        });
    }

    @Test
    void join_cutAtEachMessage_hasOneEntryAndIsGranted() throws Exception {
        atEachMessage(Act.JOIN, stage -> {
            stage.troubled();
            stage.arm();
            Hold hold = outcome(stage.acquire(stage.troubled()));
            stage.disarm();

            stage.awaitQueue(1);
            CompletableFuture<Hold> next = stage.acquire(stage.steady());
            stage.awaitQueue(2);
            assertThat(next).isNotDone();
            hold.close();
            outcome(next).close();
        });
    }

    @Test
    void joinAndCancel_cutAtEachMessage_leavesNoEntry() throws Exception {
        atEachMessage(Act.JOIN_AND_CANCEL, FaultChapter::joinAndCancel);
    }

    @Test
    void joinAndCancel_inDoubtAndCutAgain_leavesNoEntry() throws Exception {
        atEachMessage(Act.CANCEL_IN_DOUBT, FaultChapter::joinAndCancel);
    }

    private static void joinAndCancel(Stage stage) throws Exception {
        outcome(stage.acquire(stage.troubled())).close();
        stage.arm();
        CompletableFuture<Hold> asked = stage.acquire(stage.troubled());
        if (!asked.cancel(true)) {
            outcome(asked).close(); // granted already
        }
        stage.awaitQuiet();
        stage.awaitQueue(0);
        stage.awaitQuiet();
    }

    @Test
    void wait_cutAtEachMessage_keepsThePlaceAndIsWoken() throws Exception {
        atEachMessage(Act.WAIT, FaultChapter::waitBehindSomebody);
    }

    @Test
    void wait_inDoubtAndCutAgain_keepsThePlaceAndIsWoken() throws Exception {
        atEachMessage(Act.WAIT_IN_DOUBT, FaultChapter::waitBehindSomebody);
    }

    private static void waitBehindSomebody(Stage stage) throws Exception {
        // A client that has read the line sends the join as its first message.
        outcome(stage.acquire(stage.troubled())).close();
        Hold first = outcome(stage.acquire(stage.steady()));
        stage.arm();
        CompletableFuture<Hold> waiting = stage.acquire(stage.troubled());
        stage.awaitQueue(2);
        stage.awaitQuiet();
        stage.disarm();

        CompletableFuture<Hold> behind = stage.acquire(stage.steady());
        stage.awaitQueue(3);
        assertThat(waiting).isNotDone();
        first.close();
        Hold second = outcome(waiting);
        assertThat(behind).isNotDone();
        second.close();
        outcome(behind).close();
    }

    @Test
    void handOff_cutAtEachMessage_isGrantedAndTheNextWaits() throws Exception {
        atEachMessage(Act.HAND_OFF, stage -> {
            Hold first = outcome(stage.acquire(stage.steady()));
            CompletableFuture<Hold> waiting = stage.acquire(stage.troubled());
            stage.awaitQueue(2);
            CompletableFuture<Hold> behind = stage.acquire(stage.steady());
            stage.awaitQueue(3);
            stage.arm();
            first.close();
            Hold second = outcome(waiting);
            stage.disarm();

            assertThat(behind).isNotDone();
            second.close();
            outcome(behind).close();
        });
    }

    @Test
    void leave_cutAtEachMessage_removesTheEntryAndTheNextIsWoken() throws Exception {
        atEachMessage(Act.LEAVE, stage -> {
            Hold first = outcome(stage.acquire(stage.steady()));
            CompletableFuture<Hold> waiting = stage.acquire(stage.troubled());
            stage.awaitQueue(2);
            CompletableFuture<Hold> behind = stage.acquire(stage.steady());
            stage.awaitQueue(3);
            stage.arm();
            assertThat(waiting.cancel(true)).isTrue();
            stage.awaitQueue(2);
            stage.awaitQuiet();
            stage.disarm();

            assertThat(behind).isNotDone();
            first.close();
            outcome(behind).close();
        });
    }

    @Test
    void release_cutAtEachMessage_removesTheEntryAndTheNextIsGranted() throws Exception {
        atEachMessage(Act.RELEASE, FaultChapter::releaseWhileSomebodyWaits);
    }

    @Test
    void release_inDoubtAndCutAgain_removesTheEntryAndTheNextIsGranted() throws Exception {
        atEachMessage(Act.RELEASE_IN_DOUBT, FaultChapter::releaseWhileSomebodyWaits);
    }

    private static void releaseWhileSomebodyWaits(Stage stage) throws Exception {
        Hold hold = outcome(stage.acquire(stage.troubled()));
        CompletableFuture<Hold> next = stage.acquire(stage.steady());
        stage.awaitQueue(2);
        stage.arm();
        CompletableFuture<Void> released = hold.releaseAsync();

        outcome(next).close();
        outcome(released);
    }

    @Test
    void heartbeat_cutAtEachMessage_keepsTheHold() throws Exception {
        atEachMessage(Act.HEARTBEAT, stage -> {
            Hold hold = outcome(stage.acquire(stage.troubled()));
            CompletableFuture<Hold> next = stage.acquire(stage.steady());
            stage.awaitQueue(2);
            stage.arm();
            awaitProof(hold);
            stage.awaitQuiet();
            stage.disarm();

            awaitProof(hold); // and it goes on
            soon().until(() -> hold.state() == HoldState.HELD);
            assertThat(next).isNotDone();
            hold.close();
            outcome(next).close();
        });
    }

    @Test
    void write_cutAtEachMessage_isAppliedAtMostOnceAndSaysSo() throws Exception {
        atEachMessage(Act.WRITE, stage -> {
            stage.steady().records(stage.name()).put("a", bytes("old"));
            transact(stage, List.of(), "a", "old");
        });
    }

    @Test
    void create_cutAtEachMessage_isAppliedAtMostOnceAndSaysSo() throws Exception {
        atEachMessage(Act.CREATE, stage -> {
            Records records = stage.steady().records(stage.name());
            records.put("b", bytes("another"));
            transact(stage, List.of(Guard.absent(records.key("a"))), "a", "");
        });
    }

    @Test
    void compare_cutAtEachMessage_isAppliedAtMostOnceAndSaysSo() throws Exception {
        atEachMessage(Act.COMPARE, stage -> {
            Records records = stage.steady().records(stage.name());
            records.put("a", bytes("old"));
            records.put("b", bytes("another"));
            Item seen = records.get("a").orElseThrow();
            records.delete("b");
            transact(stage, List.of(Guard.unchanged(seen)), "a", "old");
        });
    }

    /**
     * Writes {@code new} with the contact cut. As soon as it is visible, another client writes {@code newer}, which
     * must not be overwritten. No guard can fail, so reporting a refusal is as wrong as denying a write that was
     * applied.
     */
    private static void transact(Stage stage, List<Guard> guards, String name, String before) throws Exception {
        Records records = stage.steady().records(stage.name());
        Hold hold = outcome(stage.acquire(stage.troubled()));
        CompletableFuture<Hold> next = stage.acquire(stage.steady());
        stage.awaitQueue(2);
        List<Guard> all = new ArrayList<>(guards);
        all.add(Guard.held(hold));
        RecordKey key = records.key(name);

        stage.arm();
        CompletableFuture<Boolean> writing = stage.troubled().transactAsync(all, List.of(Op.put(key, "new")));
        soon().until(() -> writing.isDone() || text(records, name).equals("new"));
        boolean overwritten = text(records, name).equals("new");
        if (overwritten) {
            records.put(name, bytes("newer"));
        }
        String told = told(writing);
        stage.awaitQuiet();
        stage.disarm();

        hold.close();
        outcome(next).close();
        String then = text(records, name);
        if (overwritten) {
            assertThat(then).as("was applied again").isEqualTo("newer");
            assertThat(told).isIn("applied", "unknown");
        } else if (told.equals("unknown")) {
            assertThat(then).isIn(before, "new");
        } else {
            assertThat(told).isEqualTo("unavailable");
            assertThat(then).as("was told as not applied").isEqualTo(before);
        }
    }

    @Test
    void remove_cutAtEachMessage_isAppliedAsAWholeOrNotAndSaysSo() throws Exception {
        atEachMessage(Act.REMOVE, stage -> {
            Records records = stage.steady().records(stage.name());
            records.put("a", bytes("old"));
            TckClient remover = stage.session();
            TckContender first = remover.join(stage.line());
            first.awaitClear();
            List<CompletableFuture<Hold>> behind = new ArrayList<>();
            for (int i = 2; i <= 4; i++) {
                behind.add(stage.acquire(stage.steady()));
                stage.awaitQueue(i);
            }
            List<Peer> line = remover.peers(stage.line());
            List<Condition> stand = List.of(new Condition.Stands(line.get(0)), new Condition.Stands(line.get(3)));
            List<Op> write = List.of(Op.put(records.key("a"), "new"));

            stage.arm();
            CompletableFuture<Boolean> removing =
                    remover.asking(session -> session.transact(stand, write, line.subList(1, 3)));
            soon().until(() -> removing.isDone() || text(records, "a").equals("new"));
            String told = told(removing);
            boolean removed = text(records, "a").equals("new");
            stage.disarm();

            assertThat(told).isIn(removed ? List.of("applied", "unknown") : List.of("unavailable", "unknown"));
            assertThat(remover.peers(stage.line())).isEqualTo(removed ? List.of(line.get(0), line.get(3)) : line);
            assertThat(behind).noneMatch(FaultChapter::isGranted);
            first.leave();
            for (CompletableFuture<Hold> waiting : removed ? behind.subList(2, 3) : behind) {
                outcome(waiting).close();
            }
            stage.awaitQueue(0);
            assertThat(first.told()).containsExactly("clear");
        });
    }

    @Test
    void removeItself_cutAtEachMessageAndThenLeaving_removesNobodyElse() throws Exception {
        atEachMessage(Act.REMOVE_ITSELF, stage -> {
            TckClient remover = stage.session();
            TckContender first = remover.join(stage.line());
            Peer mine = first.peer();
            CompletableFuture<Hold> next = stage.acquire(stage.steady());
            stage.awaitQueue(2);
            Peer standing = remover.peers(stage.line()).get(1);

            stage.arm();
            CompletableFuture<Boolean> removing = remover.asking(
                    session -> session.transact(List.of(new Condition.Stands(standing)), List.of(), List.of(mine)));
            String told = told(removing);
            outcome(first.leaving());
            stage.disarm();

            Hold hold = outcome(next);
            assertThat(told).isIn("applied", "unknown", "unavailable");
            if (told.equals("applied")) {
                assertThat(first.told()).containsExactly("clear", "gone");
            }
            assertThat(remover.peers(stage.line())).containsExactly(standing);
            hold.close();
        });
    }

    private static boolean isGranted(CompletableFuture<Hold> asked) {
        return asked.isDone() && !asked.isCompletedExceptionally();
    }

    private static String told(CompletableFuture<Boolean> writing) throws InterruptedException {
        try {
            return outcome(writing) ? "applied" : "refused";
        } catch (OutcomeUnknownException unknown) {
            return "unknown";
        } catch (StoreUnavailableException unavailable) {
            return "unavailable";
        }
    }

    /** Waits until the hold is certain for longer than before. */
    private static void awaitProof(Hold hold) {
        Duration[] last = {hold.remaining()};
        soon().until(() -> {
            Duration before = last[0];
            last[0] = hold.remaining();
            return last[0].compareTo(before) > 0;
        });
    }

    private static String text(Records records, String name) throws InterruptedException {
        return records.get(name).map(Item::text).orElse("");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
