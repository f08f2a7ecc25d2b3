/**
 * How fast live configuration is, beside Curator's {@code CuratorCache} and jetcd's {@code Watch}: on one server, in one run, in
 * turns.
 */
@NullMarked
package io.baton.benchmarks.config;

import org.jspecify.annotations.NullMarked;
