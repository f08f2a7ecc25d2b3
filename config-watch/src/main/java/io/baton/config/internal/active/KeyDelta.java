package io.baton.config.internal.active;

import io.baton.config.internal.record.Differences;

/**
 * What a listener of keys is told in one call.
 *
 * @param differences since the last one
 * @param revision at which it is like this
 * @param first whether it is the first call, which comes in any case
 */
public record KeyDelta(Differences differences, long revision, boolean first) implements Delta<KeyDelta> {

    @Override
    public KeyDelta then(KeyDelta next) {
        return new KeyDelta(differences.then(next.differences), next.revision, first);
    }

    @Override
    public boolean isNothing() {
        return !first && differences.isEmpty();
    }
}
