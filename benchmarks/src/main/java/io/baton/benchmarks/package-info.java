/**
 * Baton beside Curator on ZooKeeper, and beside jetcd on etcd: on the same servers in the same run. Rounds alternate
 * between the two, so that what else the machine does hits both; what counts is the median of the rounds' ratios. Each
 * client has a session and threads of its own. All clients of a side live in this JVM, or each has one of its own, as in
 * services; on a small machine the latter also measures the scheduler. The servers are in processes apart.
 */
@NullMarked
package io.baton.benchmarks;

import org.jspecify.annotations.NullMarked;
