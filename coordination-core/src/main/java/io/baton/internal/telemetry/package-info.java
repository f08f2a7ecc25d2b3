/** Events for telemetry listeners, and the present troubles of a coordinator. */
@NullMarked
package io.baton.internal.telemetry;

import org.jspecify.annotations.NullMarked;
