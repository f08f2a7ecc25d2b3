/** The pure machine of a candidacy, and what users see of its state. */
@NullMarked
package io.baton.election.internal.candidacy;

import org.jspecify.annotations.NullMarked;
