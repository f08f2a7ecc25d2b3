package io.baton.benchmarks;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Stream;

/** The server or servers that both sides use, in processes apart, which end with this one. */
public final class Server implements AutoCloseable {

    private static final List<String> JVM_FLAGS =
            List.of("-Xms512m", "-Xmx512m", "-Dzookeeper.admin.enableServer=false");

    private final JvmProcess process;
    private final String what;
    private final long pid;
    private final List<InetSocketAddress> addresses;

    private Server(JvmProcess process) throws IOException {
        this.process = process;
        this.what = process.answer();
        this.pid = Long.parseLong(process.answer());
        this.addresses = Stream.of(process.answer().split(" ", -1))
                .map(port -> new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port)))
                .toList();
    }

    /** Starts one that forces nothing to disk: the clients are compared, and what they ask for. */
    public static Server start(String scheme) throws IOException {
        return start(scheme, 1, false);
    }

    /**
     * Starts servers.
     *
     * @param scheme of the store's URIs
     * @param servers how many; several form an ensemble or a cluster
     * @param forced whether they force their logs to disk
     */
    static Server start(String scheme, int servers, boolean forced) throws IOException {
        JvmProcess process = JvmProcess.start(
                ServerMain.class,
                JVM_FLAGS,
                List.of(scheme, Integer.toString(servers), Boolean.toString(forced)),
                Redirect.INHERIT);
        try {
            return new Server(process);
        } catch (IOException | RuntimeException broken) {
            process.close();
            throw broken;
        }
    }

    /** Where clients connect. */
    List<InetSocketAddress> addresses() {
        return addresses;
    }

    /** Where clients of the first one connect. */
    public InetSocketAddress address() {
        return addresses.get(0);
    }

    /** What it is, for people. */
    public String what() {
        return what;
    }

    /** How many requests there have been. Heartbeats are left out, except the pings of a ZooKeeper ensemble. */
    public long requests() throws IOException {
        process.tell("");
        return Long.parseLong(process.answer());
    }

    /** The number of the process that serves, if there is one server. */
    public long pid() {
        return pid;
    }

    @Override
    public void close() {
        process.close();
    }
}
