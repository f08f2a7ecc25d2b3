package io.baton.chaos.check;

/** What the counter to which all add was in the end. */
record Sum(long value, long at) {}
