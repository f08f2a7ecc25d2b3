package io.baton.cli.demo;

import java.time.Duration;
import java.util.List;

/**
 * The parameters that all workers share.
 *
 * @param uri the store's URI
 * @param ttl how long the store keeps the lock of a silent worker
 * @param run identifies this run of the demo on its store
 */
record DemoRun(String uri, Duration ttl, String run) {

    /** The tree of records that holds the stock. */
    static final String TREE = "demo";

    /** The record that holds the number of tickets left. */
    String stock() {
        return run + "-tickets";
    }

    /** The lock that protects it. */
    String lock() {
        return "demo-" + run + "-tickets";
    }

    /** The election of the seller in act 5. */
    String election() {
        return "demo-" + run + "-cashier";
    }

    /** The space of configuration that holds the price. */
    String space() {
        return "demo-" + run;
    }

    List<String> arguments() {
        return List.of(uri, Long.toString(ttl.toMillis()), run);
    }

    static DemoRun parse(List<String> arguments) {
        return new DemoRun(arguments.get(0), Duration.ofMillis(Long.parseLong(arguments.get(1))), arguments.get(2));
    }
}
