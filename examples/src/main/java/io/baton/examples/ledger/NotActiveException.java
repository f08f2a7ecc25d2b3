package io.baton.examples.ledger;

/** This process is not active, or not any more. Nothing was stored; another one may be. */
final class NotActiveException extends Exception {

    private static final long serialVersionUID = 1L;

    NotActiveException() {
        super("not active");
    }
}
