/** The client processes, each with its own network to the servers and, where that can be had, its own wall clock. */
@NullMarked
package io.baton.chaos.fleet;

import org.jspecify.annotations.NullMarked;
