package io.baton.zookeeper;

import io.baton.zookeeper.SimRequest.Answer;
import io.baton.zookeeper.SimTree.Edit;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A transaction as a leader has decided it, with nothing left to decide; also one that failed has a number, and changes
 * nothing.
 *
 * @param index how many transactions are before it in its leader's history
 * @param session the session that it opens or ends, or 0
 * @param timeout in nanoseconds if it opens the session, 0 if it ends it
 * @param origin the server whose client waits for the answer
 * @param onCommit run just before it takes effect
 */
record SimZkTxn(
        long zxid,
        int index,
        List<Edit> edits,
        long session,
        long timeout,
        Answer answer,
        @Nullable SimZkServer origin,
        Consumer<Answer> done,
        Runnable onCommit) {

    static final Runnable NOTHING = () -> {};

    boolean opensSession() {
        return session != 0 && timeout > 0;
    }

    boolean closesSession() {
        return session != 0 && timeout == 0;
    }

    static long epochOf(long zxid) {
        return zxid >>> 32;
    }
}
