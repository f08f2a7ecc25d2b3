/**
 * A service that is active in one process and stands by in the others: a ledger, to which clients append over HTTP.
 *
 * <p>What an acknowledged append is worth rests on two things. The active writes with a guard, so the store refuses it once
 * another may lead, whatever it believes itself ({@link io.baton.examples.ledger.Ledger}). And a client goes on asking, under
 * one key, until somebody acknowledges ({@link io.baton.examples.ledger.LedgerClient}); what has that key is stored once.
 */
@NullMarked
package io.baton.examples.ledger;

import org.jspecify.annotations.NullMarked;
