/**
 * etcd from an operator's view. {@link io.baton.etcd.inspect.MemberFacts} and {@link
 * io.baton.etcd.inspect.ClusterFacts} hold what members and the cluster report. {@link
 * io.baton.etcd.inspect.EtcdFindings} derives the findings from them as a pure function.
 */
@NullMarked
package io.baton.etcd.inspect;

import org.jspecify.annotations.NullMarked;
