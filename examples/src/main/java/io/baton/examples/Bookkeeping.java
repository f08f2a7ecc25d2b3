package io.baton.examples;

import io.baton.Coordinator;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.election.ActiveStandby;
import io.baton.election.Leadership;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One of several processes keeps the books; when it fails, another one goes on, and the books know of one writer only. */
public final class Bookkeeping {

    private Bookkeeping() {}

    /** Takes part; the arguments are the store, this process's id and the address where it can be reached. */
    public static void main(String[] args) throws InterruptedException {
        try (Coordinator baton = Coordinator.connect(args[0])) {
            Consumer<String> powerSwitch = address -> System.out.println("power off: " + address);
            try (ActiveStandby node = start(baton, args[1], args[2], new Books(baton), powerSwitch)) {
                node.onState(state -> System.out.println(args[1] + " is " + state));
                Thread.currentThread().join();
            }
        }
    }

    static ActiveStandby start(
            Coordinator baton, String id, String address, Books books, Consumer<String> powerSwitch) {
        // tag::start[]
        ActiveStandby node = ActiveStandby.builder(baton, "books", id)
                .address(address)
                .onPromote(leadership -> books.open(leadership), Duration.ofSeconds(5))
                .onDemote(leadership -> books.shut(), Duration.ofSeconds(1))
                .health(() -> books.areWritable())
                .fencer(
                        last -> {
                            // An earlier process of this machine has ended: its service manager starts one at a time.
                            if (!last.address().equals(address)) {
                                powerSwitch.accept(last.address());
                            }
                        },
                        Duration.ofSeconds(10))
                .build();
        System.out.println(node.describe()); // among other things how long a failover takes at worst
        node.start();
        // end::start[]
        return node;
    }

    /** Written to under the guard of whoever is active. */
    static final class Books {

        private final Coordinator baton;
        private final AtomicReference<@Nullable Leadership> active = new AtomicReference<>();

        Books(Coordinator baton) {
            this.baton = baton;
        }

        void open(Leadership leadership) {
            active.set(leadership);
        }

        void shut() {
            active.set(null);
        }

        boolean areWritable() {
            return true;
        }

        /** False if this process is not the active one, as the store checks in the same transaction. */
        boolean enter(String number, String text) throws InterruptedException {
            Leadership leadership = active.get();
            RecordKey line = baton.records("books").key(number);
            return leadership != null && baton.transact(List.of(leadership.guard()), List.of(Op.put(line, text)));
        }
    }
}
