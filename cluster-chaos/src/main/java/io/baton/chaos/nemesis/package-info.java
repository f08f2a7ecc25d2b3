/** What disturbs servers and clients: a schedule of faults, drawn from a seed, with time to heal in between. */
@NullMarked
package io.baton.chaos.nemesis;

import org.jspecify.annotations.NullMarked;
