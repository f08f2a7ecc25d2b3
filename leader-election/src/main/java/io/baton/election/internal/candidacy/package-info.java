/** The pure state machine of a candidacy, and its public state. */
@NullMarked
package io.baton.election.internal.candidacy;

import org.jspecify.annotations.NullMarked;
