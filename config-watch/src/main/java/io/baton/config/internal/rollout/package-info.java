/** Canaries: started, tried by some instances, promoted or ended; and an instance's entry in the fleet. */
@NullMarked
package io.baton.config.internal.rollout;

import org.jspecify.annotations.NullMarked;
