/**
 * Leader election: one of several candidates leads at a time, and everybody can know who.
 *
 * <p>Candidates stand in a line of the store, and who stands first leads; the term is the fencing token of its entry. So a
 * leadership is a hold with the guarantees of {@link io.baton.Hold}, and terms rise. Start reading at {@link
 * io.baton.election.LeaderElection}, and inside at {@code CandidacyMachine}.
 *
 * <p>{@link io.baton.election.ActiveStandby} is made of it: one active node, and others that stand by; inside it begins at
 * {@code StandbyMachine}.
 *
 * <p><b>Threads.</b> What decides runs on the coordinator's loop; a leader's work on a thread of its own; listeners where
 * the coordinator's callbacks run.
 */
@NullMarked
package io.baton.election;

import org.jspecify.annotations.NullMarked;
