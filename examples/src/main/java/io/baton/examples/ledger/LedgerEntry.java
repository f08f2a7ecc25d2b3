package io.baton.examples.ledger;

/**
 * What was appended. Entries are stored, and sent to clients, as four lines and more: number, term, key, text.
 *
 * @param number its place in the ledger; the first is 1
 * @param term of the active that stored it; never falls from entry to entry
 * @param key chosen by the client, another one for each entry
 * @param text what the client had to say
 */
record LedgerEntry(long number, long term, String key, String text) {

    private static final int PARTS = 4;

    static LedgerEntry decode(String encoded) {
        String[] parts = encoded.split("\n", PARTS);
        return new LedgerEntry(Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts[2], parts[3]);
    }

    String encode() {
        return number + "\n" + term + "\n" + key + "\n" + text;
    }
}
