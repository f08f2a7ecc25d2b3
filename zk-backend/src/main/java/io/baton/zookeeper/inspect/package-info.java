/**
 * ZooKeeper as its operators see it: what servers and the ensemble tell ({@link io.baton.zookeeper.inspect.ServerFacts},
 * {@link io.baton.zookeeper.inspect.EnsembleFacts}), and what follows from that, as a pure function ({@link
 * io.baton.zookeeper.inspect.ZkFindings}).
 */
@NullMarked
package io.baton.zookeeper.inspect;

import org.jspecify.annotations.NullMarked;
