package io.baton.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Guard;
import io.baton.Item;
import io.baton.Op;
import io.baton.Records;
import io.baton.Subscription;
import io.baton.recipes.Asking;
import io.baton.recipes.Question;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The order service asks the stock service to reserve an item, and is told once it is done. Either may be restarted. */
final class Reservations {

    private Reservations() {}

    /** The connection of a process of either service, which may start before the store does. */
    static Coordinator connect(String store) throws InterruptedException {
        return Coordinator.connect(
                store,
                CoordinatorOptions.builder()
                        .connectTimeout(Duration.ofMinutes(1))
                        .build());
    }

    // tag::ask[]
    /** In the order service. After a restart it calls this again for the orders that it has not confirmed. */
    static String reserve(Coordinator baton, String orderId, String item) throws InterruptedException {
        Asking reservations = Asking.named(baton, "reservations");
        byte[] answer = reservations.ask(orderId, item.getBytes(UTF_8), Duration.ofMinutes(5));
        return new String(answer, UTF_8);
    }
    // end::ask[]

    // tag::serve[]
    /** In each process of the stock service. One of them serves, and another takes over if that one dies. */
    static Subscription serve(Coordinator baton) {
        return Asking.named(baton, "reservations").serve(question -> answer(baton, question));
    }

    /** Begun again if a process dies in the middle of it. */
    static byte[] answer(Coordinator baton, Question question) throws InterruptedException {
        Records done = baton.records("reserved");
        Optional<Item> before = done.get(question.id()); // an earlier attempt may have done it
        return (before.isPresent() ? before.get().text() : take(baton, question)).getBytes(UTF_8);
    }

    /** Takes one from the stock for this order: once, whatever becomes of this process. */
    private static String take(Coordinator baton, Question question) throws InterruptedException {
        while (true) {
            Item stock = baton.records("stock").get(question.text()).orElseThrow();
            int left = Integer.parseInt(stock.text());
            String result = left == 0 ? "sold out" : "reserved";
            List<Guard> guards = List.of(Guard.held(question.hold()), Guard.unchanged(stock));
            List<Op> ops = List.of(
                    Op.put(stock.key(), Integer.toString(Math.max(0, left - 1))),
                    Op.put(baton.records("reserved").key(question.id()), result));
            if (baton.transact(guards, ops)) { // throws if the outcome is unknown: the question is begun again
                return result;
            }
            question.hold().ensureValid(Duration.ZERO); // throws if another process serves by now
        }
    }
    // end::serve[]
}
