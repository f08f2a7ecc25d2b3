/**
 * The store interface on ZooKeeper, in two layers: the policy ({@code ZkSession} and what it owns) decides, and the
 * wire ({@code ZkWire}) sends single requests. Found by the URI scheme {@code zk}; nothing here is meant to be called
 * directly.
 */
@NullMarked
package io.baton.zookeeper;

import org.jspecify.annotations.NullMarked;
