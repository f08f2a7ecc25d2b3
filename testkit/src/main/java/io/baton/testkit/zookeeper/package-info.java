/**
 * Real ZooKeeper servers to test against: {@link io.baton.testkit.zookeeper.LocalZooKeeper} in the test's own JVM, with
 * {@link io.baton.testkit.zookeeper.ZooKeeperExtension} for JUnit, and
 * {@link io.baton.testkit.zookeeper.ZooKeeperEnsemble}, several servers in processes of their own that can be killed,
 * frozen and cut off from each other.
 *
 * <p>They listen on loopback only, on free ports, and clean up after themselves. They need
 * {@code org.apache.zookeeper:zookeeper}, {@code io.dropwizard.metrics:metrics-core} and
 * {@code org.xerial.snappy:snappy-java} on the class path.
 */
@NullMarked
package io.baton.testkit.zookeeper;

import org.jspecify.annotations.NullMarked;
