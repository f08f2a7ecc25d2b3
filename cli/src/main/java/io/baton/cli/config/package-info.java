/** {@code baton config}: reads, writes and follows configuration in the store, for users and scripts. */
@NullMarked
package io.baton.cli.config;

import org.jspecify.annotations.NullMarked;
