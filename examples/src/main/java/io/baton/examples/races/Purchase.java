package io.baton.examples.races;

/**
 * What a buyer wants.
 *
 * @param id unlike that of any other purchase
 * @param row where to take it from
 * @param amount how much to take
 * @param work what is done between reading and writing: a price is computed, a service is asked
 */
record Purchase(String id, int row, int amount, Work work) {

    /** Is told which row was read. */
    @FunctionalInterface
    interface Work {
        void run(int row) throws InterruptedException;
    }

    Purchase from(int anotherRow) {
        return new Purchase(id, anotherRow, amount, work);
    }
}
