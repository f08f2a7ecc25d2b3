/**
 * etcd as its operators see it: what members and the cluster tell ({@link io.baton.etcd.inspect.MemberFacts}, {@link
 * io.baton.etcd.inspect.ClusterFacts}), and what follows from that, as a pure function ({@link
 * io.baton.etcd.inspect.EtcdFindings}).
 */
@NullMarked
package io.baton.etcd.inspect;

import org.jspecify.annotations.NullMarked;
