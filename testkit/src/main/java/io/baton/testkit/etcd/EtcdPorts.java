package io.baton.testkit.etcd;

import io.baton.testkit.proxy.Loopback;

/**
 * The ports of one server.
 *
 * @param clients where it listens for clients
 * @param peers where it listens for other servers
 * @param advertised where other servers find it
 * @param metrics where it tells of itself
 * @param secure where it listens for clients that speak TLS, if it does on a port of its own
 */
record EtcdPorts(int clients, int peers, int advertised, int metrics, int secure) {

    /** For a server that others reach directly. */
    static EtcdPorts free() {
        int peers = Loopback.freePort();
        return new EtcdPorts(Loopback.freePort(), peers, peers, Loopback.freePort(), Loopback.freePort());
    }

    /** For a server that others reach on another port than its own. */
    static EtcdPorts behindADoor() {
        return new EtcdPorts(
                Loopback.freePort(),
                Loopback.freePort(),
                Loopback.freePort(),
                Loopback.freePort(),
                Loopback.freePort());
    }

    /** Where other servers find it. */
    String peerUrl() {
        return "http://" + hostAndPort(advertised);
    }

    static String hostAndPort(int port) {
        return "127.0.0.1:" + port;
    }
}
