package io.baton.chaos.check;

/**
 * One fault of the nemesis.
 *
 * @param at when it began
 */
record Disturbance(String kind, String target, long at) {}
