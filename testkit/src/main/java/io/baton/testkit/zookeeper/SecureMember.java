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
 * What runs in the process of a server with TLS. It takes sessions to end from standard input, one a line, and ends with
 * it, that is with the process that started it.
 */
final class SecureMember {

    private SecureMember() {}

    /**
     * Serves; says so on standard output once it does.
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
