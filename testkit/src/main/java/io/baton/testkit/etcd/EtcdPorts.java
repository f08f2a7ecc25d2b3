package io.baton.testkit.etcd;

import io.baton.testkit.proxy.Loopback;

/**
 * The ports of one server.
 *
 * @param clients the port for clients
 * @param peers the port for other servers
 * @param advertised the port at which other servers find it
 * @param metrics the port of its metrics
 * @param secure the separate port for clients that use TLS, if it has one
 */
record EtcdPorts(int clients, int peers, int advertised, int metrics, int secure) {

    /** Ports of a server that others reach directly. */
    static EtcdPorts free() {
        int peers = Loopback.freePort();
        return new EtcdPorts(Loopback.freePort(), peers, peers, Loopback.freePort(), Loopback.freePort());
    }

    /** Ports of a server that others reach through a door on another port. */
    static EtcdPorts behindADoor() {
        return new EtcdPorts(
                Loopback.freePort(),
                Loopback.freePort(),
                Loopback.freePort(),
                Loopback.freePort(),
                Loopback.freePort());
    }

    /** The URL at which other servers find it. */
    String peerUrl() {
        return "http://" + hostAndPort(advertised);
    }

    static String hostAndPort(int port) {
        return "127.0.0.1:" + port;
    }
}
