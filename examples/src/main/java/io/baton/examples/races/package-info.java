/**
 * Two classic races in a database, and what stops them: an account from which two transfers go at once, and a flash sale
 * of limited stock. {@code ./races} plays them.
 */
@NullMarked
package io.baton.examples.races;

import org.jspecify.annotations.NullMarked;
