/**
 * What several stores are made with, on a session's loop: things owed, questions with a time limit, steps that are all
 * taken. For who writes a store; a user of Baton needs none of it.
 */
@NullMarked
package io.baton.spi.support;

import org.jspecify.annotations.NullMarked;
