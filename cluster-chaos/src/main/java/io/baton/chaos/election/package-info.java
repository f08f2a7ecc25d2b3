/**
 * Elections among real processes, and what is done to them: servers ({@link io.baton.chaos.election.Site}), processes with a
 * network of their own ({@link io.baton.chaos.election.Electorate}), all that they have told
 * ({@link io.baton.chaos.election.Chronicle}), and checks of it.
 */
@NullMarked
package io.baton.chaos.election;

import org.jspecify.annotations.NullMarked;
