package io.baton.config;

import java.util.List;

/**
 * What a change would write.
 *
 * @param changes what it would change, by key; empty if everything is as it would be after that
 * @param transactions how many it would take; 0 if there is nothing to write
 */
public record ConfigPreview(List<KeyChange> changes, int transactions) {}
