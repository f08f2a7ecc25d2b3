package io.baton.internal.lock;

import io.baton.RecordKey;
import io.baton.internal.telemetry.Troubles;
import io.baton.recipe.ClientLoop;
import io.baton.spi.Claim;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.Session;
import io.baton.spi.support.RepeatedRefusal;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Contends for permits of a semaphore; see {@link PermitPlace}.
 *
 * @param name the semaphore's name
 * @param declares the size that the program declares
 * @param wanted the number of permits
 * @param queue the line in which contenders queue
 * @param permits the line of those that hold permits, and of the first of the queue
 * @param size the record of the size
 * @param checked the most permits that an earlier contender was found to be able to get, by the sizes that were seen
 * @param pace how often the size is read while the first of the queue waits
 * @param troubles what goes wrong for longer
 * @param loop the client's loop
 */
record PermitContender(
        String name,
        int declares,
        int wanted,
        Line queue,
        Line permits,
        RecordKey size,
        AtomicInteger checked,
        SizePace pace,
        Troubles troubles,
        ClientLoop loop)
        implements Entrant {

    @Override
    public CompletionStage<Boolean> isFree(Session session) {
        return declaredSize(session)
                .thenCompose(size -> session.isFree(queue)
                        .toCompletableFuture()
                        .thenCompose(nobodyWaits ->
                                nobodyWaits ? fits(session, size) : CompletableFuture.completedFuture(false)));
    }

    /** Read after the queue, which databases may look at for a while. */
    private CompletableFuture<Boolean> fits(Session session, SemaphoreSize size) {
        return session.peers(permits).toCompletableFuture().thenApply(out -> sum(out) + wanted <= size.size());
    }

    @Override
    public Place join(Session session, byte[] payload, PlaceListener to) {
        return new PermitPlace(this, session, payload, to).begin();
    }

    /** Returns what reports that the store refuses the requests of one place again and again. */
    RepeatedRefusal refused() {
        return new RepeatedRefusal(
                () -> "Cannot acquire permits of the semaphore '" + name + "'", troubles::report, troubles::resolved);
    }

    Claim claim() {
        return Claim.permits(wanted);
    }

    /** Returns the size. Fails if the program may not declare another one, or wants more than there is. */
    CompletableFuture<SemaphoreSize> declaredSize(Session session) {
        return SemaphoreSize.declare(session, size, declares).thenApply(known -> {
            known.checkDeclared(name, declares);
            checkWanted(known);
            checked.accumulateAndGet(wanted, Math::max);
            return known;
        });
    }

    /** Returns the size. Fails if the contender wants more than there is. */
    CompletableFuture<SemaphoreSize> presentSize(Session session) {
        return SemaphoreSize.declare(session, size, declares).thenApply(known -> {
            checkWanted(known);
            return known;
        });
    }

    /** A later contender that wants more than this size checks it first. */
    private void checkWanted(SemaphoreSize known) {
        checked.accumulateAndGet(known.size(), Math::min);
        known.checkWanted(name, wanted);
    }

    /** Returns the number of permits that these contenders hold or claim. */
    static long sum(List<Peer> peers) {
        return peers.stream().mapToLong(peer -> peer.claim().permits()).sum();
    }
}
