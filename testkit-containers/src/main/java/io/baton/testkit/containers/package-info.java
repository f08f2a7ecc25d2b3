/**
 * ZooKeeper and etcd in containers, for tests of services: {@link io.baton.testkit.containers.ZooKeeperContainer} and
 * {@link io.baton.testkit.containers.EtcdContainer} for Testcontainers, and
 * {@link io.baton.testkit.containers.StoreExtension} for JUnit, which takes a container where this machine has no server
 * of its own.
 *
 * <p>A server of {@code io.baton.testkit.zookeeper} or {@code io.baton.testkit.etcd} starts sooner, and can be killed,
 * frozen and cut off.
 */
@NullMarked
package io.baton.testkit.containers;

import org.jspecify.annotations.NullMarked;
