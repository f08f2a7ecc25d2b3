/** One election in the store: the line of its candidates, its nodes, its records, and their texts. */
@NullMarked
package io.baton.election.internal.line;

import org.jspecify.annotations.NullMarked;
