package io.baton.examples;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.zookeeper.ZooKeeperDialects;
import java.util.function.Consumer;

/** Takes a lock that clients of Apache Curator take as well, at the path where they have it. */
public final class Migration {

    private Migration() {}

    /** Reports once; the argument is the store, {@code zk://localhost:2181/shop} if it is left out. */
    public static void main(String[] args) throws InterruptedException {
        String store = args.length > 0 ? args[0] : "zk://localhost:2181/shop";
        report(store, hold -> System.out.println("reported under token " + hold.token()));
    }

    static void report(String store, Consumer<Hold> report) throws InterruptedException {
        // tag::beside[]
        try (Coordinator baton = Coordinator.connect(store);
                Hold hold = baton.lockAt("/legacy/locks/report", ZooKeeperDialects.CURATOR)
                        .acquire()) { // or KAZOO
            report.accept(hold);
        }
        // end::beside[]
    }
}
