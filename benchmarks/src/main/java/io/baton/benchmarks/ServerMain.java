package io.baton.benchmarks;

import io.baton.testkit.zookeeper.LocalZooKeeper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/** What runs in the server's process: prints its port, then for each line that it reads how many requests it has had. */
final class ServerMain {

    private ServerMain() {}

    /** Serves until standard input ends. */
    public static void main(String[] args) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (LocalZooKeeper server =
                LocalZooKeeper.builder().tickTime(Duration.ofSeconds(2)).start()) {
            System.out.println(server.port());
            while (lines.readLine() != null) {
                System.out.println(server.requests().entrySet().stream()
                        .filter(kind -> !kind.getKey().equals("ping"))
                        .mapToLong(Map.Entry::getValue)
                        .sum());
            }
        }
    }
}
