/**
 * ZooKeeper from an operator's view. {@link io.baton.zookeeper.inspect.ServerFacts} and {@link
 * io.baton.zookeeper.inspect.EnsembleFacts} hold what servers and the ensemble report. {@link
 * io.baton.zookeeper.inspect.ZkFindings} derives the findings from them as a pure function.
 */
@NullMarked
package io.baton.zookeeper.inspect;

import org.jspecify.annotations.NullMarked;
