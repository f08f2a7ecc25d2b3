package io.baton.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.Item;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The examples on a real ZooKeeper. */
class ExamplesIT {

    @Test
    void ship_onZooKeeper_ships() throws InterruptedException {
        var warehouse = new Warehouse();
        try (LocalZooKeeper zookeeper = LocalZooKeeper.start()) {
            Shipping.ship(zookeeper.uri("shop"), warehouse, "order");
        }
        assertThat(warehouse.shipped()).containsExactly("order");
    }

    @Test
    void report_onZooKeeper_holdsTheLockAtItsPath() throws InterruptedException {
        List<String> held = new ArrayList<>();
        try (LocalZooKeeper zookeeper = LocalZooKeeper.start()) {
            Migration.report(zookeeper.uri("shop"), hold -> held.add(hold.name()));
        }
        assertThat(held).containsExactly("/legacy/locks/report");
    }

    @Test
    void sellOne_fourClientsAtOnce_sellExactlyTheStock() throws Exception {
        int stock = 20;
        ExecutorService offices = Executors.newFixedThreadPool(4);
        try (LocalZooKeeper zookeeper = LocalZooKeeper.start();
                Coordinator observer = Coordinator.connect(zookeeper.uri("shop"))) {
            observer.records("stock").put("tickets", Integer.toString(stock).getBytes(UTF_8));
            List<Future<Integer>> sold = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                sold.add(offices.submit(() -> sellAll(zookeeper.uri("shop"))));
            }
            int sum = 0;
            for (Future<Integer> one : sold) {
                sum += one.get();
            }
            assertThat(sum).isEqualTo(stock);
            assertThat(observer.records("stock").get("tickets").map(Item::text)).contains("0");
        } finally {
            offices.shutdownNow();
        }
    }

    private static int sellAll(String uri) throws InterruptedException {
        try (Coordinator baton = Coordinator.connect(uri)) {
            int sold = 0;
            while (BoxOffice.sellOne(baton)) {
                sold++;
            }
            return sold;
        }
    }
}
