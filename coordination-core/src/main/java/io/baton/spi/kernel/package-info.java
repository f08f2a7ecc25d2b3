/**
 * The session of stores whose every step is applied as a whole or not at all, such as databases. A store implements
 * {@link io.baton.spi.kernel.StepWire}, which says what one step does. {@link io.baton.spi.kernel.KernelSession} decides
 * everything above it: deadlines, contact, doubts, lost notifications, the quiet time after a fail-over.
 */
@NullMarked
package io.baton.spi.kernel;

import org.jspecify.annotations.NullMarked;
