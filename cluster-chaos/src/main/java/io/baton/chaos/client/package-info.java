/** The processes that contend: several contenders in each, every one with a coordinator of its own. */
@NullMarked
package io.baton.chaos.client;

import org.jspecify.annotations.NullMarked;
