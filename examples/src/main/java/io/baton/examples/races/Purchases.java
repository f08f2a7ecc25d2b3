package io.baton.examples.races;

import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.LockLostException;
import io.baton.fence.jdbc.FencedTable;
import io.baton.recipes.FencedResource;
import io.baton.recipes.StripedLocks;
import java.sql.SQLException;
import java.time.Duration;

/** Ways to buy: each returns whether there was enough. */
final class Purchases {

    static final FencedTable FENCED = FencedTable.of("race_stock", "id", "fence");

    private Purchases() {}

    // tag::unprotected[]
    /** Wrong: two who have read before either writes take the same. */
    static boolean unprotected(StockTable stock, Purchase wanted) throws SQLException, InterruptedException {
        int left = stock.amount(wanted.row());
        wanted.work().run(wanted.row());
        if (left < wanted.amount()) {
            stock.connection().rollback();
            return false;
        }
        stock.write(wanted.row(), left - wanted.amount());
        return stock.take(wanted.id(), wanted.amount());
    }
    // end::unprotected[]

    // tag::conditional[]
    /** The check and the write are one statement. */
    static boolean conditional(StockTable stock, Purchase wanted) throws SQLException, InterruptedException {
        wanted.work().run(wanted.row());
        if (stock.update(
                        "update race_stock set amount = amount - ? where id = ? and amount >= ?",
                        wanted.amount(),
                        wanted.row(),
                        wanted.amount())
                == 0) {
            stock.connection().rollback();
            return false;
        }
        return stock.take(wanted.id(), wanted.amount());
    }
    // end::conditional[]

    // tag::optimistic[]
    /** The write applies to what was read, or to nothing; then the work is done again. */
    static boolean optimistic(StockTable stock, Purchase wanted) throws SQLException, InterruptedException {
        while (true) {
            int version = stock.version(wanted.row()); // before the amount: an older version is refused
            int left = stock.amount(wanted.row());
            wanted.work().run(wanted.row());
            if (left < wanted.amount()) {
                stock.connection().rollback();
                return false;
            }
            if (stock.update(
                            "update race_stock set amount = ?, version = version + 1 where id = ? and version = ?",
                            left - wanted.amount(),
                            wanted.row(),
                            version)
                    == 1) {
                return stock.take(wanted.id(), wanted.amount());
            }
            stock.connection().rollback(); // or MariaDB shows the old version again
        }
    }
    // end::optimistic[]

    // tag::forUpdate[]
    /** The row is locked from the reading until the commit, also while the work is done. */
    static boolean forUpdate(StockTable stock, Purchase wanted) throws SQLException, InterruptedException {
        int left = stock.amountForUpdate(wanted.row());
        wanted.work().run(wanted.row());
        if (left < wanted.amount()) {
            stock.connection().rollback();
            return false;
        }
        stock.write(wanted.row(), left - wanted.amount());
        return stock.take(wanted.id(), wanted.amount());
    }
    // end::forUpdate[]

    // tag::locked[]
    /** Wrong as soon as a holder is frozen: it wakes after its lock has passed on, and writes. */
    static boolean locked(DistributedLock lock, StockTable stock, Purchase wanted)
            throws SQLException, InterruptedException {
        try (Hold hold = lock.acquire()) {
            hold.ensureValid(Duration.ofMillis(1)); // does not help: the pause may come after it
            return unprotected(stock, wanted);
        }
    }
    // end::locked[]

    // tag::fenced[]
    /** The row keeps the token of the latest holder, and refuses those of former ones. */
    static boolean fenced(DistributedLock lock, StockTable stock, Purchase wanted)
            throws SQLException, InterruptedException {
        while (true) {
            try (Hold hold = lock.acquire()) {
                if (!FENCED.claim(stock.connection(), hold, wanted.row())) {
                    throw new IllegalArgumentException("there is no row " + wanted.row());
                }
                int left = stock.amount(wanted.row());
                stock.connection().commit(); // nothing is locked in the database while the work is done
                wanted.work().run(wanted.row());
                if (left < wanted.amount()) {
                    return false;
                }
                int rest = left - wanted.amount();
                if (FENCED.update(stock.connection(), hold, wanted.row(), "amount = ?", rest)) {
                    return stock.take(wanted.id(), wanted.amount());
                }
            } catch (LockLostException stale) {
                stock.connection().rollback(); // nothing was written: buy again, with a lock of one's own
            }
        }
    }
    // end::fenced[]

    // tag::claimed[]
    /** The name of the lock is claimed in each transaction, which refuses former holders. */
    static boolean claimed(DistributedLock lock, StockTable stock, Purchase wanted)
            throws SQLException, InterruptedException {
        while (true) {
            try (Hold hold = lock.acquire()) {
                stock.fences().claim(stock.connection(), lock.name(), hold);
                int left = stock.amount(wanted.row());
                stock.connection().commit(); // nothing is locked in the database while the work is done
                wanted.work().run(wanted.row());
                if (left < wanted.amount()) {
                    return false;
                }
                stock.fences().claim(stock.connection(), lock.name(), hold); // another one may have claimed meanwhile
                stock.write(wanted.row(), left - wanted.amount());
                return stock.take(wanted.id(), wanted.amount());
            } catch (LockLostException stale) {
                stock.connection().rollback(); // nothing was written: buy again, with a lock of one's own
            }
        }
    }
    // end::claimed[]

    // tag::resource[]
    /** The stock is an object in memory that only the latest holder may use. */
    static boolean resource(DistributedLock lock, FencedResource<MemoryStock> stock, Purchase wanted)
            throws InterruptedException {
        while (true) {
            try (Hold hold = lock.acquire()) {
                int left = stock.call(hold, MemoryStock::left); // keeps former holders out from now on
                if (left < wanted.amount()) {
                    return false;
                }
                wanted.work().run(wanted.row());
                return stock.call(hold, all -> all.take(left, wanted.amount()));
            } catch (LockLostException stale) {
                // nothing was taken: buy again, with a lock of one's own
            }
        }
    }
    // end::resource[]

    // tag::segments[]
    /** The stock lies in rows with a lock each. A buyer begins at its own and moves on when that is empty. */
    static boolean segments(Coordinator baton, int rows, StockTable stock, Purchase wanted)
            throws SQLException, InterruptedException {
        for (int passed = 0; passed < rows; passed++) {
            int row = (wanted.row() + passed) % rows;
            if (fenced(segment(baton, row), stock, wanted.from(row))) {
                return true;
            }
        }
        return false;
    }

    static DistributedLock segment(Coordinator baton, int row) {
        return StripedLocks.named(baton, "race-stock", 64).forKey("segment-" + row);
    }
    // end::segments[]
}
