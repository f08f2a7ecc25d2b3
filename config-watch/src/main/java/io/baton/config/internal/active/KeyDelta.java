package io.baton.config.internal.active;

import io.baton.config.internal.record.Differences;

/**
 * The change that a listener of keys gets in one call.
 *
 * @param differences since the last call
 * @param revision the revision of the values
 * @param first whether it is the first call, which always comes
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
