/** What telemetry listeners are notified of, and what goes wrong at present. */
@NullMarked
package io.baton.internal.telemetry;

import org.jspecify.annotations.NullMarked;
