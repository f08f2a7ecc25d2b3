/** What a coordinator does, as Micrometer metrics: {@link io.baton.micrometer.MicrometerTelemetry}. */
@NullMarked
package io.baton.micrometer;

import org.jspecify.annotations.NullMarked;
