package io.baton.examples.partitions;

/**
 * An order of the stream.
 *
 * @param partition the partition in which it is
 * @param number its place there, from 1
 * @param text what is ordered
 */
record PartitionOrder(int partition, long number, String text) {}
