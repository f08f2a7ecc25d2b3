/** The file that keeps the state in use. */
@NullMarked
package io.baton.config.internal.cache;

import org.jspecify.annotations.NullMarked;
