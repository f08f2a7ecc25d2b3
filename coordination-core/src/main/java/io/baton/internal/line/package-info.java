/** Lines, as recipes use them: their entries, their first entry, and this client's memberships. */
@NullMarked
package io.baton.internal.line;

import org.jspecify.annotations.NullMarked;
