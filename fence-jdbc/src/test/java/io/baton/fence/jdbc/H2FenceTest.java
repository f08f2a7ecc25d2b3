package io.baton.fence.jdbc;

class H2FenceTest extends FenceContract {

    H2FenceTest() {
        super(Database.H2, true);
    }

    @Override
    String url() {
        return "jdbc:h2:mem:fences;LOCK_TIMEOUT=60000;DB_CLOSE_DELAY=-1";
    }
}
