/** The processes that contend: several contenders in each, every one with a coordinator of its own, and one that they have in common. */
@NullMarked
package io.baton.chaos.client;

import org.jspecify.annotations.NullMarked;
