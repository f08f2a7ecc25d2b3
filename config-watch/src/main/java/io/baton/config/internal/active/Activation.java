package io.baton.config.internal.active;

import io.baton.config.internal.record.Differences;
import java.util.Map;

/**
 * One revision put in place of another.
 *
 * @param now what is in use since
 * @param differences between the store's values
 * @param bound what became of bound values that differ
 */
public record Activation(ActiveConfig now, Differences differences, Map<Bound<?>, ValueDelta<?>> bound) {}
