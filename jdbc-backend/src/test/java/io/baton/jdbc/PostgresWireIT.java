package io.baton.jdbc;

import io.baton.testkit.database.PostgresExtension;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("postgres")
class PostgresWireIT extends WireContract {

    @RegisterExtension
    static final PostgresExtension postgres = new PostgresExtension();

    @Override
    String uri() {
        return postgres.uri();
    }

    @Override
    void crash() {
        postgres.server().kill();
        postgres.server().restart();
    }

    @Override
    List<String> slowDown(String table) {
        return List.of(
                "create function dawdle() returns trigger language plpgsql as"
                        + " 'begin perform pg_sleep(0.4); return new; end'",
                "create trigger dawdle before update on " + table + " for each row execute function dawdle()");
    }

    @Override
    String longestIdle() {
        return "select setting from pg_settings where name = 'idle_in_transaction_session_timeout'";
    }

    @Override
    String longWait() {
        return "pg_sleep(30) s";
    }

    @Override
    String speedUp(String table) {
        return "drop function dawdle cascade";
    }
}
