package io.baton.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.baton.testkit.etcd.LocalEtcd;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/** A server that tests of commands use, of either kind. */
public interface TestStore extends AutoCloseable {

    /** Its address, with the path below which the client works. */
    String uri(String root);

    /** Stops serving; sessions and data stay. */
    void stop();

    /** Stops serving, and serves again on the same port. */
    void restart();

    /** A number that rises with everything that is written. */
    long written();

    /** Has a client that is not ours stand in the line at this path; it goes when that is closed. */
    AutoCloseable stand(String path, String payload) throws Exception;

    @Override
    void close();

    /** A ZooKeeper. */
    static TestStore zookeeper() {
        LocalZooKeeper server = LocalZooKeeper.start();
        return new TestStore() {

            @Override
            public String uri(String root) {
                return server.uri(root);
            }

            @Override
            public void stop() {
                server.stop();
            }

            @Override
            public long written() {
                return Stream.of("create", "create2", "createContainer", "delete", "setData", "multi")
                        .mapToLong(server::requests)
                        .sum();
            }

            @Override
            public AutoCloseable stand(String path, String payload) throws Exception {
                ZooKeeper foreign = new ZooKeeper(server.connectString(), 10_000, event -> {});
                for (int end = path.indexOf('/', 1); end >= 0; end = path.indexOf('/', end + 1)) {
                    made(foreign, path.substring(0, end));
                }
                made(foreign, path);
                foreign.create(
                        path + "/lock-", payload.getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
                return foreign;
            }

            private void made(ZooKeeper client, String path) throws Exception {
                if (client.exists(path, false) == null) {
                    client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
                }
            }

            @Override
            public void restart() {
                server.restart();
            }

            @Override
            public void close() {
                server.close();
            }
        };
    }

    /** An etcd. */
    static TestStore etcd() {
        LocalEtcd server = LocalEtcd.start();
        return new TestStore() {

            @Override
            public String uri(String root) {
                return server.uri(root);
            }

            @Override
            public void stop() {
                server.kill();
            }

            @Override
            public long written() {
                return server.revision();
            }

            @Override
            public AutoCloseable stand(String path, String payload) {
                // As etcdctl and Go's library do it: the key ends with the number of a lease.
                String key = path + "/694d7c5d5a3c2b10";
                server.ctl().run("put", key, payload);
                return () -> server.delete(key);
            }

            @Override
            public void restart() {
                server.restart();
            }

            @Override
            public void close() {
                server.close();
            }
        };
    }
}
