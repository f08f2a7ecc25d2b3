package io.baton.jdbc;

import io.baton.Dialect;
import io.baton.spi.Guarantees;
import io.baton.spi.Guarantees.Exclusion;
import io.baton.spi.Guarantees.Survival;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.spi.Store;
import io.baton.spi.kernel.KernelSession;
import java.time.Duration;

/** A database, or a schema in it. */
final class LiveJdbcStore implements Store {

    /** Below the limits of a message and a row on all databases as they come, with room for what else is in a step. */
    static final int MAX_BYTES = 1_000_000;

    static final int MAX_OPS = 128;

    /** Overdue sessions are found by beats, and kept a little longer than their ttl. */
    static final Duration EXPIRY_LAG = Duration.ofMillis(2 * Sql.CAP);

    /** A quarter of it bounds how long a statement may take. */
    static final Duration SHORTEST_TTL = Duration.ofSeconds(2);

    private final StoreDatabase database;
    private final String name;

    LiveJdbcStore(StoreDatabase database, String name) {
        this.database = database;
        this.name = name;
    }

    /**
     * What is declared, as each contact verifies it. A server that may lose what it has acknowledged may also lose the
     * longest ttl, for which a quiet time lasts. Whether there are pushes is known only once there is contact; without
     * them changes are looked for.
     */
    @Override
    public Guarantees guarantees() {
        Survival acknowledged = database.acknowledged();
        return new Guarantees(
                acknowledged,
                acknowledged == Survival.LATEST_MAY_BE_LOST
                        ? Exclusion.MAY_OVERLAP_UNTIL_DEADLINE
                        : Exclusion.KEPT_BY_WAITING,
                Watch.LONGEST,
                MAX_OPS,
                MAX_BYTES,
                EXPIRY_LAG);
    }

    @Override
    public void check(Line line) {
        if (!line.dialect().equals(Dialect.BATON)) {
            throw new IllegalArgumentException(
                    "there are no locks of dialect " + line.dialect() + " in a database, only of baton");
        }
    }

    @Override
    public Session open(SessionSpec spec, Loop loop, SessionListener to) {
        return KernelSession.open(
                (session, ttl, client, on, events) -> new JdbcWire(database, session, ttl, client, on, events),
                KernelSession.newId(loop),
                spec,
                SHORTEST_TTL,
                loop,
                to);
    }

    @Override
    public String toString() {
        return name;
    }
}
