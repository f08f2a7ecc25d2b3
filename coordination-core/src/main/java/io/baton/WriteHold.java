package io.baton;

import java.util.concurrent.CompletableFuture;

/** A writer's hold of a {@link DistributedReadWriteLock}. */
public interface WriteHold extends Hold {

    /**
     * Becomes a reader's hold, in one step that keeps the place in the line and the token. No other writer is granted
     * in between. Readers directly behind are granted with it. Waits for the store's confirmation.
     *
     * <p>This object is {@link HoldState#RELEASED} from the call on, and closing it has no effect any more.
     * Later requests to release go to listeners of the reader's hold only. Guarded writes that begin later are not
     * applied. Those that are under way are waited for, so that none is applied beside readers.
     *
     * @return the reader's hold, which must be closed
     * @throws LockLostException if this hold was lost, closed or downgraded before
     * @throws CoordinationException if the store refuses it, or if the outcome of a guarded write is unknown; then nothing
     *     is held. A break of contact and a store that is too busy are waited for, and on databases whatever else may
     *     pass, such as a full disk
     * @throws InterruptedException if interrupted while waiting; then nothing is held
     */
    @CheckReturnValue
    Hold downgrade() throws InterruptedException;

    /**
     * As {@link #downgrade()}, without waiting. If the returned future fails or is cancelled, nothing is held. It fails
     * at once, without an effect, if this hold was lost, closed or downgraded before.
     */
    @CheckReturnValue
    CompletableFuture<Hold> downgradeAsync();
}
