/**
 * Live configuration: typed values in the store, checked before a running service applies them, and available while the
 * store is down.
 *
 * <p>Values are records of a tree, {@code config/<key>} by default, that any client of the store may read and write.
 * Start at {@link io.baton.config.LiveConfig} to read, and at {@link io.baton.config.ConfigStore} to write and inspect.
 *
 * <p><b>Threads.</b> Decisions about a revision, and users' conditions on it, run on the coordinator's callback
 * threads, one revision at a time. Listeners run there too, each serially and without delaying one another.
 */
@NullMarked
package io.baton.config;

import org.jspecify.annotations.NullMarked;
