/**
 * ZooKeeper and etcd in containers, for tests of services. {@link io.baton.testkit.containers.ZooKeeperContainer} and
 * {@link io.baton.testkit.containers.EtcdContainer} are for Testcontainers.
 * {@link io.baton.testkit.containers.StoreExtension} is for JUnit, and uses a container if this machine has no server.
 *
 * <p>A server of {@code io.baton.testkit.zookeeper} or {@code io.baton.testkit.etcd} starts sooner, and can be killed,
 * frozen and cut off.
 */
@NullMarked
package io.baton.testkit.containers;

import org.jspecify.annotations.NullMarked;
