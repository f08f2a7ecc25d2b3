/**
 * What runs in a process of candidates. What they see is printed, one {@link io.baton.chaos.history.Event} per line, with the
 * time from before or after the act, whichever speaks against them.
 */
@NullMarked
package io.baton.chaos.candidate;

import org.jspecify.annotations.NullMarked;
