/** Metrics of a coordinator in Micrometer; see {@link io.baton.micrometer.MicrometerTelemetry}. */
@NullMarked
package io.baton.micrometer;

import org.jspecify.annotations.NullMarked;
