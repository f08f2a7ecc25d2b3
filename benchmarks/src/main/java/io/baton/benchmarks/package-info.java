/**
 * Baton beside Curator on ZooKeeper, and beside jetcd on etcd: on the same server in the same run. Rounds alternate
 * between the two, so that what else the machine does hits both; what counts is the median of the rounds' ratios. All
 * clients of a round live in this JVM, each with a session and threads of its own: processes of their own would mostly
 * measure the scheduler of a small machine, and both sides gain equally from the shared JVM. The server has a process of
 * its own.
 */
@NullMarked
package io.baton.benchmarks;

import org.jspecify.annotations.NullMarked;
