package io.baton.cli.ls;

import io.baton.QueueEntry;
import io.baton.election.Leader;
import io.baton.spi.Entry;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What there is below the store's root.
 *
 * @param locks those with a holder or waiters
 * @param readWriteLocks those with a holder or waiters
 * @param semaphores those with a holder or waiters
 * @param elections those with candidates, or with nodes in contact
 * @param configurations those that were written to, or are followed
 * @param more behind which name there are others, for each kind of which there are; that one may be idle and not shown
 */
record StoreContents(
        List<Lock> locks,
        List<ReadWriteLock> readWriteLocks,
        List<Semaphore> semaphores,
        List<Election> elections,
        List<Configuration> configurations,
        Map<Kind, String> more) {

    /** What is listed. */
    enum Kind {
        locks,
        rwlocks,
        semaphores,
        elections,
        configurations
    }

    /**
     * A lock.
     *
     * @param first the entry that holds it; empty if its line has entries of other programs that cannot be put in order
     * @param length how many hold it or wait for it
     */
    record Lock(String name, Optional<QueueEntry> first, long length) {

        static Lock of(String name, Optional<Entry> first, long length) {
            return new Lock(name, first.map(entry -> QueueEntry.of(entry, true)), length);
        }
    }

    /**
     * A read/write lock.
     *
     * @param first the entry that stands first, which holds it; empty as of a {@link Lock}. Other readers may hold it, too
     * @param contenders how many hold it or wait for it
     */
    record ReadWriteLock(String name, Optional<QueueEntry> first, long contenders) {

        static ReadWriteLock of(String name, Optional<Entry> first, long contenders) {
            return new ReadWriteLock(name, first.map(entry -> QueueEntry.of(entry, true)), contenders);
        }
    }

    /**
     * A semaphore.
     *
     * @param holders how many hold permits
     * @param waiting how many wait for permits
     */
    record Semaphore(String name, long holders, long waiting) {

        /** Counts the entries of its lines. The first of a queue stands among the permits, too, until its own fit. */
        static Semaphore of(String name, long queue, long permits) {
            return new Semaphore(name, Math.max(0, queue > 0 ? permits - 1 : permits), queue);
        }
    }

    /**
     * An election.
     *
     * @param leader the candidate that leads; empty if none does
     * @param candidates how many stand for it, the leader among them
     * @param nodes how many nodes of an active and standby service are in contact; zero if it is none
     */
    record Election(String name, Optional<Leader> leader, long candidates, long nodes) {}

    /**
     * A configuration.
     *
     * @param space the tree that holds its values
     * @param change the number of its last change; zero if its history says none
     * @param keys how many there are
     * @param instances how many follow it and have a name
     */
    record Configuration(String space, long change, long keys, long instances) {}
}
