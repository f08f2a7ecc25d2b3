package io.baton.testkit.zookeeper;

import io.baton.testkit.proxy.Loopback;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.apache.zookeeper.server.NettyServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/**
 * Main program of a server with TLS. It reads ids of sessions to expire from standard input, one a line. It ends when
 * standard input does, and so with its parent process.
 */
final class SecureMember {

    private SecureMember() {}

    /**
     * Serves, and prints a line to standard output once it does.
     *
     * @param args port, directory, tick in milliseconds
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        var directory = new File(args[1]);
        var server = new ZooKeeperServer(directory, directory, Integer.parseInt(args[2]));
        server.setMaxSessionTimeout(60_000);
        System.setProperty(ServerCnxnFactory.ZOOKEEPER_SERVER_CNXN_FACTORY, NettyServerCnxnFactory.class.getName());
        ServerCnxnFactory connections = ServerCnxnFactory.createFactory();
        connections.configure(Loopback.at(Integer.parseInt(args[0])), 0, -1, true);
        connections.startup(server);
        System.out.println("serving");
        var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String session = commands.readLine(); session != null; session = commands.readLine()) {
            server.expire(Long.parseUnsignedLong(session, 16));
        }
        Runtime.getRuntime().halt(0);
    }
}
