/**
 * Active and standby nodes: breadcrumbs, fencing, hooks and health, on top of a candidacy. Start reading at {@link
 * io.baton.election.internal.standby.StandbyMachine}.
 */
@NullMarked
package io.baton.election.internal.standby;

import org.jspecify.annotations.NullMarked;
