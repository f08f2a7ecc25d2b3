/**
 * Live configuration: values in the store that a running service follows without a gap, typed, checked before they are
 * applied, and there also while the store is down.
 *
 * <p>Values are records of a tree, {@code config/<key>} by default, that any client of the store may read and write. Reading
 * begins at {@link io.baton.config.LiveConfig}, writing and looking at {@link io.baton.config.ConfigStore}.
 *
 * <p><b>Threads.</b> What is decided of a revision, and what users have to say to it, runs where the coordinator's callbacks
 * run, one revision at a time; listeners run there too, each serially and none in another's way.
 */
@NullMarked
package io.baton.config;

import org.jspecify.annotations.NullMarked;
