package io.baton.examples;

import io.baton.Coordinator;
import io.baton.Guard;
import io.baton.Item;
import io.baton.Op;
import io.baton.Position;
import io.baton.Records;
import io.baton.RecordsListener;
import io.baton.Subscription;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The seats of a theatre: records that are written if they are still as they were read, and followed as they change. */
final class Theatre {

    private final Coordinator baton;
    private final Records seats;

    Theatre(Coordinator baton) {
        this.baton = baton;
        this.seats = baton.records("seats");
    }

    // tag::compare[]
    /** Gives a seat to a customer; false if it is taken. */
    boolean reserve(String seat, String customer) throws InterruptedException {
        return seats.create(seat, customer);
    }

    /** Gives a seat to another customer; false if it is not taken, or another process was faster. */
    boolean pass(String seat, String customer) throws InterruptedException {
        Optional<Item> taken = seats.get(seat);
        return taken.isPresent() && seats.compareAndSet(taken.get(), customer);
    }
    // end::compare[]

    // tag::list[]
    /** How many seats of a row are taken, as they all were at one moment. */
    int taken(String row) throws InterruptedException {
        return seats.list(row).size();
    }
    // end::list[]

    // tag::transact[]
    /** Moves a customer to another seat; false if that is taken, or the present one is not as it was read. */
    boolean move(String from, String to) throws InterruptedException {
        Optional<Item> present = seats.get(from);
        if (present.isEmpty()) {
            return false;
        }
        return baton.transact(
                List.of(Guard.unchanged(present.get()), Guard.absent(seats.key(to))),
                List.of(
                        Op.delete(seats.key(from)),
                        Op.put(seats.key(to), present.get().text())));
    }
    // end::transact[]

    // tag::observe[]
    /** Keeps the customers of a row up to date until the subscription is closed. */
    Subscription follow(String row, Map<String, String> customers) {
        return seats.observe(row, new RecordsListener() {
            @Override
            public void snapshot(Map<String, Item> all, Position at) { // first, and after each gap
                customers.keySet().retainAll(all.keySet());
                all.forEach((seat, item) -> customers.put(seat, item.text()));
            }

            @Override
            public void changed(List<Item> put, List<String> deleted, long revision) { // one transaction at once
                put.forEach(item -> customers.put(item.key().name(), item.text()));
                deleted.forEach(customers::remove);
            }
        });
    }
    // end::observe[]
}
