package io.baton.config;

import java.util.List;
import java.util.Optional;

/**
 * The origin of a value.
 *
 * @param path a key, or a path within a document, as {@code payments.retry.limit}
 * @param value the effective one; empty if no layer has it; {@code (secret)} if it is secret
 * @param layers the layers that have a value there, strongest first
 */
public record Explanation(String path, Optional<String> value, List<Layer> layers) {

    /**
     * The value in one layer.
     *
     * @param name {@code override}, {@code store}, {@code environment}, {@code file} or {@code defaults}
     * @param origin the store's key and revision, the variable's name, or the file's path
     * @param value as given there; {@code (secret)} if it is secret
     */
    public record Layer(String name, String origin, String value) {}
}
