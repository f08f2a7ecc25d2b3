package io.baton.benchmarks.config;

/** Told of values of a space, those that are there at first among them. Serially. */
@FunctionalInterface
interface Heard {

    /** A key has this value. */
    void value(String key, String text);
}
