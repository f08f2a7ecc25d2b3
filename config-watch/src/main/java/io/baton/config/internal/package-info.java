/**
 * A live configuration at work: it follows the store, applies updates, and reports. Start reading at {@link
 * io.baton.config.internal.LiveConfigEngine}.
 */
@NullMarked
package io.baton.config.internal;

import org.jspecify.annotations.NullMarked;
