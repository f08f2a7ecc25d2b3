/**
 * A service whose processes share the partitions of a stream. Each partition is served by one process at a time, under a
 * lock of its own; if a process comes or goes, partitions move.
 *
 * <p>Two processes may believe for a while that a partition is theirs: one that was frozen cannot know better. The lock
 * keeps the second one waiting, and the store refuses what the first one writes once the lock has passed on ({@link
 * io.baton.examples.partitions.PartitionWorker}). The position in a partition is written together with what comes of an
 * order, so no order is handled twice or left out.
 */
@NullMarked
package io.baton.examples.partitions;

import org.jspecify.annotations.NullMarked;
