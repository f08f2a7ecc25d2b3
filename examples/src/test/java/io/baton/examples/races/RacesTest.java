package io.baton.examples.races;

class RacesTest extends RacesContract {

    @Override
    String database() {
        return "jdbc:h2:mem:races-test;LOCK_TIMEOUT=60000";
    }
}
