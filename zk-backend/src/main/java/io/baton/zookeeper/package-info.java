/**
 * The store interface on ZooKeeper, in two layers. The policy ({@code ZkSession} and the objects it owns) decides. The
 * wire ({@code ZkWire}) sends single requests.
 *
 * <p>The URI schemes {@code zk} and {@code zks} select this store. {@link io.baton.zookeeper.ZooKeeperStore} sets one
 * up in program code, or on an existing Curator client.
 */
@NullMarked
package io.baton.zookeeper;

import org.jspecify.annotations.NullMarked;
