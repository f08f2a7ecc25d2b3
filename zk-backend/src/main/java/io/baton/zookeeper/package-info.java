/**
 * The store interface on ZooKeeper, in two layers: the policy ({@code ZkSession} and what it owns) decides, and the
 * wire ({@code ZkWire}) sends single requests. Found by the URI schemes {@code zk} and {@code zks}; {@link
 * io.baton.zookeeper.ZooKeeperStore} sets one up in the program, or on a client of Curator's that is there already.
 */
@NullMarked
package io.baton.zookeeper;

import org.jspecify.annotations.NullMarked;
