package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.Item;
import io.baton.testkit.etcd.LocalEtcd;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The examples on real servers: what differs is the URI. */
class ExamplesIT {

    @Test
    void ship_onZooKeeper_ships() throws InterruptedException {
        try (LocalZooKeeper zookeeper = LocalZooKeeper.start()) {
            ships(zookeeper.uri("shop"));
        }
    }

    @Test
    @Tag("etcd")
    void ship_onEtcd_ships() throws InterruptedException {
        try (LocalEtcd etcd = LocalEtcd.start()) {
            ships(etcd.uri("shop"));
        }
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
    void sellOne_fourClientsAtOnceOnZooKeeper_sellExactlyTheStock() throws Exception {
        try (LocalZooKeeper zookeeper = LocalZooKeeper.start()) {
            sellsExactlyTheStock(zookeeper.uri("shop"));
        }
    }

    @Test
    @Tag("etcd")
    void sellOne_fourClientsAtOnceOnEtcd_sellExactlyTheStock() throws Exception {
        try (LocalEtcd etcd = LocalEtcd.start()) {
            sellsExactlyTheStock(etcd.uri("shop"));
        }
    }

    private static void ships(String uri) throws InterruptedException {
        var warehouse = new Warehouse();
        Shipping.ship(uri, warehouse, "order");
        assertThat(warehouse.shipped()).containsExactly("order");
    }

    private static void sellsExactlyTheStock(String uri) throws Exception {
        int stock = 20;
        ExecutorService offices = Executors.newFixedThreadPool(4);
        try (Coordinator observer = Coordinator.connect(uri)) {
            observer.records("stock").put("tickets", Integer.toString(stock));
            List<Future<Integer>> sold = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                sold.add(offices.submit(() -> sellAll(uri)));
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
