package io.baton.chaos.servers;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * How a client process gets to the servers, and what it says there of itself.
 *
 * @param secure whether it speaks TLS
 * @param address where a member listens for it
 * @param uri the address for {@code Coordinator.connect}, of a cluster that is reached at these addresses
 */
public record Entrance(
        boolean secure, IntFunction<InetSocketAddress> address, Function<List<InetSocketAddress>, String> uri) {}
