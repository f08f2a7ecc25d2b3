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
 * A server as the store's URI names it. A name is looked up anew each time, as servers move.
 *
 * @param host name or number
 * @param port its port for clients
 */
public record ServerAddress(String host, int port) {

    private static final int CONNECT_MILLIS = 1_000;

    /** The servers that a connect string names, in its order. */
    static List<ServerAddress> of(String hosts) {
        return new ConnectStringParser(hosts)
                .getServerAddresses().stream()
                        .map(given -> new ServerAddress(given.getHostString(), given.getPort()))
                        .toList();
    }

    /**
     * Where it is now, in any order. Blocks.
     *
     * @throws UnknownHostException if the name is not known here
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
     * A connection to the first of its addresses that accepts one. Blocks for a second at most for each.
     *
     * @throws IOException if none does: why the last one does not
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
