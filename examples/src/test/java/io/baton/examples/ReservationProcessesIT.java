package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.recipes.Asking;
import io.baton.recipes.StandingQuestion;
import io.baton.recipes.StandingQuestion.State;
import io.baton.testkit.etcd.LocalEtcd;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One service asks another one, and processes of both are killed in the middle. */
@Timeout(180)
class ReservationProcessesIT {

    private static final Duration TTL = Duration.ofSeconds(3);
    private static final String ORDER = "order-4711";
    private static final String ITEM = "book";
    private static final String ANSWER = ORDER + ": reserved";

    @Test
    void reserve_bothServicesKilledOnZooKeeper_isAnsweredOnceAndTakesOne() throws Exception {
        try (LocalZooKeeper zookeeper = LocalZooKeeper.start()) {
            reservesOne(zookeeper.uri("shop"));
        }
    }

    @Test
    @Tag("etcd")
    @Tag("long")
    void reserve_bothServicesKilledOnEtcd_isAnsweredOnceAndTakesOne() throws Exception {
        try (LocalEtcd etcd = LocalEtcd.start()) {
            reservesOne(etcd.uri("shop"));
        }
    }

    private static void reservesOne(String store) throws Exception {
        try (Coordinator baton = Reservations.connect(store)) {
            baton.records("stock").put(ITEM, "2");
            try (ProgramProcess orders = orders(store);
                    ProgramProcess stock = hesitantStock(store)) {
                stock.await(HesitantStock.BEGUN);
                orders.kill();
                stock.kill();
            }
            assertThat(left(baton)).isEqualTo("2");
            try (ProgramProcess stock = hesitantStock(store)) {
                stock.await(HesitantStock.RESERVED);
                stock.kill();
            }
            assertThat(left(baton)).isEqualTo("1");
            assertThat(question(baton).state()).isEqualTo(State.BEGUN);

            try (ProgramProcess stock = start(StockService.class, List.of(store));
                    ProgramProcess orders = orders(store);
                    ProgramProcess again = orders(store)) {
                orders.await(ANSWER);
                again.await(ANSWER);
                stock.terminate();
            }
            assertThat(question(baton).state()).isEqualTo(State.ANSWERED);
            assertThat(question(baton).attempts()).isGreaterThanOrEqualTo(3);
            assertThat(left(baton)).isEqualTo("1");
        }
    }

    private static ProgramProcess orders(String store) throws IOException {
        return start(OrderService.class, List.of(store, ORDER, ITEM));
    }

    private static ProgramProcess hesitantStock(String store) throws IOException {
        return start(HesitantStock.class, List.of(store, Long.toString(TTL.toMillis())));
    }

    private static ProgramProcess start(Class<?> program, List<String> arguments) throws IOException {
        return ProgramProcess.start(program, "reservations/" + program.getSimpleName(), arguments);
    }

    private static String left(Coordinator baton) throws InterruptedException {
        return baton.records("stock").get(ITEM).orElseThrow().text();
    }

    /** The only one. */
    private static StandingQuestion question(Coordinator baton) throws InterruptedException {
        List<StandingQuestion> all = Asking.named(baton, "reservations").questions();
        assertThat(all).hasSize(1);
        return all.get(0);
    }
}
