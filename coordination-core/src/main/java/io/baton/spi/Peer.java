package io.baton.spi;

/**
 * A contender in a line, as a listing shows it.
 *
 * @param line its line
 * @param name the store's name for the entry; unique for all time
 * @param order the place in the line; smaller stands ahead
 */
public record Peer(Line line, String name, long order) {}
