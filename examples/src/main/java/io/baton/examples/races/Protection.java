package io.baton.examples.races;

import io.baton.Coordinator;
import io.baton.DistributedLock;
import java.sql.SQLException;
import java.util.Optional;

/** What keeps buyers from taking the same. */
enum Protection {
    NONE("no protection", 1),
    CONDITIONAL("conditional UPDATE", 1),
    OPTIMISTIC("optimistic version", 1),
    FOR_UPDATE("SELECT ... FOR UPDATE", 1),
    LOCK("lock, no fence", 1),
    FENCED_LOCK("lock and fence", 1),
    FENCES("lock and table of fences", 1),
    SEGMENTS("lock and fence, 8 segments", 8);

    private static final String ONE_LOCK = "race-stock";

    private final String label;
    private final int rows;

    Protection(String label, int rows) {
        this.label = label;
        this.rows = rows;
    }

    String label() {
        return label;
    }

    /** Over how many rows the stock is spread. */
    int rows() {
        return rows;
    }

    boolean buy(Coordinator baton, StockTable stock, Purchase wanted) throws SQLException, InterruptedException {
        return switch (this) {
            case NONE -> Purchases.unprotected(stock, wanted);
            case CONDITIONAL -> Purchases.conditional(stock, wanted);
            case OPTIMISTIC -> Purchases.optimistic(stock, wanted);
            case FOR_UPDATE -> Purchases.forUpdate(stock, wanted);
            case LOCK -> Purchases.locked(baton.lock(ONE_LOCK), stock, wanted);
            case FENCED_LOCK -> Purchases.fenced(baton.lock(ONE_LOCK), stock, wanted);
            case FENCES -> Purchases.claimed(baton.lock(ONE_LOCK), stock, wanted);
            case SEGMENTS -> Purchases.segments(baton, rows, stock, wanted);
        };
    }

    /** The lock that is held while a row is worked on. */
    Optional<DistributedLock> lock(Coordinator baton, int row) {
        return switch (this) {
            case NONE, CONDITIONAL, OPTIMISTIC, FOR_UPDATE -> Optional.empty();
            case LOCK, FENCED_LOCK, FENCES -> Optional.of(baton.lock(ONE_LOCK));
            case SEGMENTS -> Optional.of(Purchases.segment(baton, row));
        };
    }
}
