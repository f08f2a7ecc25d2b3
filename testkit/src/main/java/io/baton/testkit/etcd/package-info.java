/**
 * Real etcd servers to test against: {@link io.baton.testkit.etcd.LocalEtcd}, one server, with
 * {@link io.baton.testkit.etcd.EtcdExtension} for JUnit, and {@link io.baton.testkit.etcd.EtcdCluster}, several whose
 * network can be cut.
 *
 * <p>Each runs in a process of its own, on loopback only, on free ports, and nothing stays behind. The programs are those
 * of {@link io.baton.testkit.etcd.EtcdBinaries}.
 */
@NullMarked
package io.baton.testkit.etcd;

import org.jspecify.annotations.NullMarked;
