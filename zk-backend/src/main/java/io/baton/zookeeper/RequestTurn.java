package io.baton.zookeeper;

import io.baton.spi.Loop;
import io.baton.spi.support.AdaptiveLimit.Kind;
import io.baton.spi.support.PendingRequest;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.apache.zookeeper.KeeperException.Code;

/**
 * The turn of a session's single request in their window. Its room is given back once the request has ended and all that
 * was sent for it has been answered: what a caller no longer waits for still delays the requests behind it.
 */
final class RequestTurn {

    private final PendingRequest<?> ask;
    private final Loop clock;
    private final Runnable broken;
    private final RequestWindow.Turn turn;
    private int unanswered;
    private int breaks;

    /**
     * A turn of this line, or of {@link SessionRequests#RECORDS}.
     *
     * @param bytes the size of the request or of its answer, asked for when the turn begins
     * @param broken runs at each answer that the connection has broken
     * @param begin runs when the turn begins, if the request is still wanted
     */
    RequestTurn(
            RequestWindow window,
            String line,
            IntSupplier bytes,
            PendingRequest<?> ask,
            Loop clock,
            Runnable broken,
            Consumer<RequestTurn> begin) {
        this.ask = ask;
        this.clock = clock;
        this.broken = broken;
        // What a connection broke under is perhaps the reason. It runs alone, so that others do not break with it
        // again.
        this.turn = window.turn(
                line, () -> breaks > 0 ? RequestWindow.MOST_BYTES + 1 : bytes.getAsInt(), () -> begin.accept(this));
        ask.answer().whenComplete((value, failed) -> finishIfOver());
    }

    /** Begins as soon as there is room. */
    void enqueue() {
        turn.enqueue();
    }

    /** Gives the room back, to begin again ahead of the others. */
    void again() {
        turn.finish();
        if (ask.isPending()) {
            turn.enqueueFirst();
        }
    }

    /** The number of breaks of the connection while it was under way, since its last answer. */
    int breaks() {
        return breaks;
    }

    /** A request of this kind is being sent. Its answer's code goes to the result first of all. */
    Consumer<Code> sent(Kind kind) {
        long sent = clock.nanoTime();
        unanswered++;
        return code -> {
            unanswered--;
            turn.answered(kind, code, sent);
            breaks = code == Code.CONNECTIONLOSS ? breaks + 1 : 0;
            if (code == Code.CONNECTIONLOSS) {
                broken.run();
            }
            finishIfOver();
        };
    }

    private void finishIfOver() {
        if (!ask.isPending() && unanswered == 0) {
            turn.finish();
        }
    }
}
