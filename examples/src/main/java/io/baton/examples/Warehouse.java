package io.baton.examples;

import java.util.ArrayList;
import java.util.List;

/** A resource of your own that a lock protects: it remembers the largest token, and refuses smaller ones. */
final class Warehouse {

    private final List<String> shipped = new ArrayList<>();
    private long largest = Long.MIN_VALUE;

    /**
     * Ships an order.
     *
     * @throws IllegalStateException if somebody with a larger token was here: then the caller's lock has passed on
     */
    synchronized void ship(String order, long token) {
        if (token < largest) {
            throw new IllegalStateException("token " + token + " is older than " + largest);
        }
        largest = token;
        shipped.add(order);
    }

    synchronized List<String> shipped() {
        return List.copyOf(shipped);
    }
}
