/**
 * Hand-overs from one leader to another, and pauses of an election, agreed in a record. The rules for each participant
 * are pure: {@link io.baton.election.internal.handover.HandOverRules}.
 */
@NullMarked
package io.baton.election.internal.handover;

import org.jspecify.annotations.NullMarked;
