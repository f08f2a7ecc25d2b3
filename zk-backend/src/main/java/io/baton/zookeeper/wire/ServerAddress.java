package io.baton.zookeeper.wire;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.zookeeper.client.ConnectStringParser;

/**
 * A server as the store's URI names it. Its host name is resolved again each time, as servers move.
 *
 * @param host host name or IP address
 * @param port the client port
 */
public record ServerAddress(String host, int port) {

    private static final int CONNECT_MILLIS = 1_000;

    /** Returns the servers of a connect string, in its order. */
    static List<ServerAddress> of(String hosts) {
        return new ConnectStringParser(hosts)
                .getServerAddresses().stream()
                        .map(given -> new ServerAddress(given.getHostString(), given.getPort()))
                        .toList();
    }

    /**
     * Resolves the current addresses, in random order. Blocks.
     *
     * @throws UnknownHostException if the name cannot be resolved
     */
    List<InetSocketAddress> addresses() throws UnknownHostException {
        var addresses = new ArrayList<InetSocketAddress>();
        for (InetAddress address : InetAddress.getAllByName(host)) {
            addresses.add(new InetSocketAddress(address, port));
        }
        Collections.shuffle(addresses);
        return addresses;
    }

    /**
     * Connects to the first address that accepts. Blocks for at most one second per address.
     *
     * @throws IOException if no address accepts; it gives the reason of the last one
     */
    Socket connect() throws IOException {
        IOException last = new UnknownHostException(host);
        for (InetSocketAddress address : addresses()) {
            var socket = new Socket();
            try {
                socket.connect(address, CONNECT_MILLIS);
                return socket;
            } catch (IOException failed) {
                socket.close();
                last = failed;
            }
        }
        throw last;
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
