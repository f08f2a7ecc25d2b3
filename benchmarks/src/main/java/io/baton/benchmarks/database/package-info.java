/** Baton beside what is common as a lock on PostgreSQL: rows that are polled, row locks, advisory locks, ShedLock. */
@NullMarked
package io.baton.benchmarks.database;

import org.jspecify.annotations.NullMarked;
