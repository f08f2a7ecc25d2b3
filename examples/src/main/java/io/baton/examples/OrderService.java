package io.baton.examples;

import io.baton.Coordinator;

/** A process of the order service: it has one item reserved. */
final class OrderService {

    private OrderService() {}

    /**
     * Prints what became of an order: {@code STORE ORDER ITEM}, as {@code zk://zk1:2181/shop order-4711 book}. If this
     * process dies, run it again: the same order has the same answer, and nothing is reserved twice.
     */
    public static void main(String[] args) throws InterruptedException {
        try (Coordinator baton = Reservations.connect(args[0])) {
            System.out.println(args[1] + ": " + Reservations.reserve(baton, args[1], args[2]));
        }
    }
}
