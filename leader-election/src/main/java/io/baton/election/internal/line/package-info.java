/** One election in the store: the line of its candidates, its nodes, its records, and the texts in them. */
@NullMarked
package io.baton.election.internal.line;

import org.jspecify.annotations.NullMarked;
