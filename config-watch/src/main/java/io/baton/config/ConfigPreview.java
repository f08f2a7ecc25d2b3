package io.baton.config;

import java.util.List;

/**
 * What a change would write.
 *
 * @param changes what it would change, by key; empty if nothing would differ
 * @param transactions the number of transactions; 0 if there is nothing to write
 */
public record ConfigPreview(List<KeyChange> changes, int transactions) {}
