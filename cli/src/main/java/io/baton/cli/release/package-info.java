/** {@code baton release-request}: asks the holder of a lock to release it. */
@NullMarked
package io.baton.cli.release;

import org.jspecify.annotations.NullMarked;
