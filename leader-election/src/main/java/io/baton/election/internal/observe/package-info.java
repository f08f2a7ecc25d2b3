/** Who leads, as those see it who do not stand for election. */
@NullMarked
package io.baton.election.internal.observe;

import org.jspecify.annotations.NullMarked;
