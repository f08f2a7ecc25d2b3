/**
 * Real ZooKeeper servers for tests. {@link io.baton.testkit.zookeeper.LocalZooKeeper} runs in the test's own JVM, with
 * {@link io.baton.testkit.zookeeper.ZooKeeperExtension} for JUnit. {@link io.baton.testkit.zookeeper.ZooKeeperEnsemble}
 * is several servers in their own processes, which can be killed, frozen and cut off from each other.
 *
 * <p>They listen on free ports of loopback only, and clean up after themselves. They need
 * {@code org.apache.zookeeper:zookeeper}, {@code io.dropwizard.metrics:metrics-core} and
 * {@code org.xerial.snappy:snappy-java} on the class path.
 */
@NullMarked
package io.baton.testkit.zookeeper;

import org.jspecify.annotations.NullMarked;
