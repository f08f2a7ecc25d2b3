/**
 * A TCP proxy that makes a network misbehave on purpose: {@link io.baton.testkit.proxy.TcpProxy} delays, holds back,
 * cuts and refuses.
 *
 * <p>It works on bytes and connections; told a {@link io.baton.testkit.proxy.Framing}, also on single messages, at which
 * its {@link io.baton.testkit.proxy.Faults} strike. All on loopback, in the test's own JVM, with one daemon thread each.
 */
@NullMarked
package io.baton.testkit.proxy;

import org.jspecify.annotations.NullMarked;
