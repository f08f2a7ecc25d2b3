/**
 * Building blocks of stores, used on a session's loop: tasks for the next contact, requests with a time limit, steps
 * that all run. For authors of stores; other users of Baton need none of it.
 */
@NullMarked
package io.baton.spi.support;

import org.jspecify.annotations.NullMarked;
