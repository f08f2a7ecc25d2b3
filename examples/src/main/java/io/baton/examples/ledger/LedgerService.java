package io.baton.examples.ledger;

import io.baton.election.Leadership;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The service of one process, active or not. One request at a time, so that when it has been demoted nothing is under way.
 *
 * <p><b>Threads.</b> Any thread may call any method.
 */
final class LedgerService {

    private final Ledger ledger;
    private final ReentrantLock turn = new ReentrantLock(true);
    private volatile @Nullable Leadership active;

    LedgerService(Ledger ledger) {
        this.ledger = ledger;
    }

    /** Active from now on. */
    void promote(Leadership leadership) {
        active = leadership;
    }

    /** Not active any more; returns when nothing is under way. */
    void demote() throws InterruptedException {
        active = null;
        turn.lockInterruptibly();
        turn.unlock();
    }

    Ledger ledger() {
        return ledger;
    }

    /** The term in which this process is active, if it is. */
    Optional<Leadership> active() {
        return Optional.ofNullable(active);
    }

    /**
     * Appends as {@link Ledger#append}.
     *
     * @throws NotActiveException nothing was stored
     * @throws io.baton.StoreUnavailableException nothing was stored
     * @throws io.baton.CoordinationException it may have been stored
     */
    LedgerEntry append(String key, String text) throws NotActiveException, InterruptedException {
        turn.lockInterruptibly();
        try {
            // No look at what is left of the term: the store looks, at the very moment of writing.
            return ledger.append(leadership(), key, text).orElseThrow(NotActiveException::new);
        } finally {
            turn.unlock();
        }
    }

    /**
     * Reads. Whoever is active knows all that was stored in terms before; a former active, which may know less, does not
     * answer.
     *
     * @throws NotActiveException if it may be another's to answer by now
     */
    Optional<LedgerEntry> get(long number) throws NotActiveException, InterruptedException {
        Leadership leadership = leadership();
        Optional<LedgerEntry> entry = ledger.get(number);
        if (leadership.remaining().isZero()) {
            throw new NotActiveException();
        }
        return entry;
    }

    private Leadership leadership() throws NotActiveException {
        Leadership now = active;
        if (now == null) {
            throw new NotActiveException();
        }
        return now;
    }
}
