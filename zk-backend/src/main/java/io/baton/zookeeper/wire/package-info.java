/**
 * Single requests to ZooKeeper, on Baton's own handle or on a shared one. Answers and events arrive in one order. This
 * package also finds servers and diagnoses missing contact. It makes no policy decisions.
 */
@NullMarked
package io.baton.zookeeper.wire;

import org.jspecify.annotations.NullMarked;
