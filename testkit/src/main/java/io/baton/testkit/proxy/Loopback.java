package io.baton.testkit.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Addresses on the loopback network, and free ports, for servers whose port is fixed before they start or over a
 * restart.
 *
 * <p>Free ports lie below the range of local ports for outgoing connections. Any client could take a port of that range
 * between two starts of the server. A client that keeps reconnecting to an unused port of that range may also get it as
 * its own local port. It is then connected to itself.
 *
 * <p>Several JVMs run tests at a time, so each takes free ports from blocks of its own ({@link PortBlocks}).
 */
public final class Loopback {

    private static final int FIRST = 11_000;
    private static final int BLOCK = 300;
    private static final int BLOCKS = 70;
    private static final int COUNT = BLOCK * BLOCKS;

    private static final PortBlocks blocks =
            new PortBlocks(temporary().resolve(".baton-ports-" + System.getProperty("user.name")), BLOCKS);

    private static int block = ThreadLocalRandom.current().nextInt(BLOCKS);
    private static int given = BLOCK;

    private Loopback() {}

    /**
     * Returns a port that is free on every address of this host. This JVM does not get it again for a long time. No
     * other JVM of this user gets it while this JVM runs.
     */
    public static synchronized int freePort() {
        for (int tries = 0; tries < COUNT; tries++) {
            int port = next();
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no port between " + FIRST + " and " + (FIRST + COUNT) + " is free");
    }

    /** Whether 127.0.0.1 accepts connections on this port. */
    public static boolean isOpen(int port) {
        try (Socket probe = new Socket()) {
            probe.connect(at(port));
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    /** 127.0.0.1 and this port. Always IPv4, since some servers listen on nothing else. */
    public static InetSocketAddress at(int port) {
        return at(0, 0, 1, port);
    }

    /** 127.a.b.c and this port. The system decides which of these addresses exist, other than 127.0.0.1. */
    public static InetSocketAddress at(int a, int b, int c, int port) {
        try {
            byte[] bytes = {127, (byte) a, (byte) b, (byte) c};
            return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
        } catch (UnknownHostException fourBytesAreAlwaysAnAddress) {
            throw new IllegalStateException(fourBytesAreAlwaysAnAddress);
        }
    }

    /** The same for all JVMs, also for those with a {@code java.io.tmpdir} of their own. */
    private static Path temporary() {
        String told = System.getenv("TMPDIR");
        return Path.of(told == null || told.isBlank() ? "/tmp" : told);
    }

    private static int next() {
        if (given == BLOCK) {
            block = blocks.from((block + 1) % BLOCKS);
            given = 0;
        }
        return FIRST + block * BLOCK + given++;
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port)) {
            return probe.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
