package io.baton.cli.demo;

import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/** Guarded sales reported by the workers, in the order of their fencing tokens. */
final class Sales {

    /**
     * One sale.
     *
     * @param who the worker
     * @param token the fencing token of its hold
     * @param left the stock after the sale
     */
    record Sale(String who, long token, long left) {}

    private final TreeSet<Sale> all = new TreeSet<>(Comparator.comparingLong(Sale::token)
            .thenComparing(Comparator.comparingLong(Sale::left).reversed())
            .thenComparing(Sale::who));

    void add(String who, long token, long left) {
        all.add(new Sale(who, token, left));
    }

    int count() {
        return all.size();
    }

    long of(String who) {
        return all.stream().filter(sale -> sale.who().equals(who)).count();
    }

    List<Sale> first(int howMany) {
        return all.stream().limit(howMany).toList();
    }

    /** The number of sales whose token is not larger than the one before, or whose stock is not one ticket less. */
    int astray(long stock) {
        int astray = 0;
        long token = Long.MIN_VALUE;
        long left = stock;
        for (Sale sale : all) {
            if (sale.token() <= token || sale.left() != left - 1) {
                astray++;
            }
            token = sale.token();
            left = sale.left();
        }
        return astray;
    }

    /** The first and the last token. */
    String span() {
        return all.isEmpty()
                ? "none"
                : all.first().token() + " to " + all.last().token();
    }
}
