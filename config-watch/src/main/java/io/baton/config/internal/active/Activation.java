package io.baton.config.internal.active;

import io.baton.config.internal.record.Differences;
import java.util.Map;

/**
 * The replacement of one state in use by another.
 *
 * @param now the new state
 * @param differences between the store's values
 * @param bound the changes of bound values
 */
public record Activation(ActiveConfig now, Differences differences, Map<Bound<?>, ValueDelta<?>> bound) {}
