/** What a configuration is in the store: its records, its history, its canary, and what the fleet says of itself. */
@NullMarked
package io.baton.config.internal.record;

import org.jspecify.annotations.NullMarked;
