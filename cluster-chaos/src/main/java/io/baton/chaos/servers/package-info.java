/** The clusters that the nemesis disturbs, and the clients' ways to them. */
@NullMarked
package io.baton.chaos.servers;

import org.jspecify.annotations.NullMarked;
