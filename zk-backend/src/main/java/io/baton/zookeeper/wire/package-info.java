/**
 * Single requests to ZooKeeper with their answers and events in one order, on a handle of our own or on somebody
 * else's; how servers are found, and why there is no contact. Nothing is decided here.
 */
@NullMarked
package io.baton.zookeeper.wire;

import org.jspecify.annotations.NullMarked;
