package io.baton.config;

import java.util.List;
import java.util.Optional;

/**
 * Where a value has come from.
 *
 * @param path a key, or a path within a document, as {@code payments.retry.limit}
 * @param value the effective one; empty if no layer has it; {@code (secret)} if it is secret
 * @param layers what each layer says, the strongest first; layers that say nothing are left out
 */
public record Explanation(String path, Optional<String> value, List<Layer> layers) {

    /**
     * What one layer says.
     *
     * @param name {@code store}, {@code environment}, {@code file} or {@code defaults}
     * @param origin the store's key and revision, the variable's name, the file's path
     * @param value as given there; {@code (secret)} if it is secret
     */
    public record Layer(String name, String origin, String value) {}
}
