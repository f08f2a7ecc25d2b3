/** Trees of records that are followed from session to session. */
@NullMarked
package io.baton.internal.tree;

import org.jspecify.annotations.NullMarked;
