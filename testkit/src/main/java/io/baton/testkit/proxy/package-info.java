/**
 * A TCP proxy for fault tests: {@link io.baton.testkit.proxy.TcpProxy} delays, holds, cuts and refuses connections.
 *
 * <p>It works on bytes and connections. With a {@link io.baton.testkit.proxy.Framing} it works on messages too, at
 * which its {@link io.baton.testkit.proxy.Faults} strike. Each proxy runs on loopback in the test's own JVM, with one
 * daemon thread.
 */
@NullMarked
package io.baton.testkit.proxy;

import org.jspecify.annotations.NullMarked;
