/**
 * A candidate at work: it stands, leads, and stands again. Start reading at {@link
 * io.baton.election.internal.DefaultCandidacy}.
 */
@NullMarked
package io.baton.election.internal;

import org.jspecify.annotations.NullMarked;
