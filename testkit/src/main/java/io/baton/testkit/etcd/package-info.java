/**
 * Real etcd servers for tests. {@link io.baton.testkit.etcd.LocalEtcd} is one server, with
 * {@link io.baton.testkit.etcd.EtcdExtension} for JUnit. {@link io.baton.testkit.etcd.EtcdCluster} is several servers
 * whose network can be cut.
 *
 * <p>Each server runs in its own process, on free ports of loopback, and leaves nothing behind.
 * {@link io.baton.testkit.etcd.EtcdBinaries} finds the programs.
 */
@NullMarked
package io.baton.testkit.etcd;

import org.jspecify.annotations.NullMarked;
