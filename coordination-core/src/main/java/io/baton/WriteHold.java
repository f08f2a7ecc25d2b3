package io.baton;

import java.util.concurrent.CompletableFuture;

/** A writer's hold of a {@link DistributedReadWriteLock}. */
public interface WriteHold extends Hold {

    /**
     * Becomes a reader's hold, in one step that keeps the place in the line and the token. No other writer is granted
     * in between. Readers directly behind are granted with it. Waits for the store's confirmation.
     *
     * <p>This object is {@link HoldState#RELEASED} from the call on, and closing it has no effect any more. Complete
     * guarded writes before: those with a guard of this object are not applied any more.
     *
     * @return the reader's hold, which must be closed
     * @throws LockLostException if this hold was lost, closed or downgraded before
     * @throws CoordinationException if the store refuses it; then nothing is held. What may pass, such as a full disk, is
     *     waited for
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
