package io.baton.chaos.check;

/**
 * A counter when all was over.
 *
 * @param write the write that left this value; empty if there was none
 */
record Counted(String lock, long value, String write, long at) {}
