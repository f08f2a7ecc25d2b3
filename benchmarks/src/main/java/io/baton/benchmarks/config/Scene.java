package io.baton.benchmarks.config;

/**
 * Where it is measured.
 *
 * @param ground on which store
 * @param servers as {@code host:port}
 * @param results to add to
 */
record Scene(BenchmarkTarget ground, String servers, ConfigResults results) {

    static final String BATON = "Baton";
}
