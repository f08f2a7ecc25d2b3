/**
 * Leader election: one of several candidates leads at a time, and any process can observe the leader.
 *
 * <p>Candidates stand in a line in the store, and the first one leads. The term is the fencing token of its entry. So a
 * leadership is a hold with the guarantees of {@link io.baton.Hold}, and terms rise. Start reading at {@link
 * io.baton.election.LeaderElection}, and inside at {@code CandidacyMachine}.
 *
 * <p>{@link io.baton.election.ActiveStandby} builds on it: one active node, and others that stand by. Inside, start at
 * {@code StandbyMachine}.
 *
 * <p><b>Threads.</b> Decisions run on the coordinator's loop. A leader's work runs on a thread of its own unless it is
 * asynchronous. Listeners run where the coordinator's callbacks run.
 */
@NullMarked
package io.baton.election;

import org.jspecify.annotations.NullMarked;
