package io.baton.benchmarks.database;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbc.JdbcLockProvider;
import org.jspecify.annotations.Nullable;

/** ShedLock, which does not wait: who does not get the lock tries again after a pause. */
final class ShedLockLock implements DatabaseLock {

    private final Connection connection;
    private final LockProvider provider;
    private final long pauseMillis;
    private @Nullable SimpleLock lock;

    ShedLockLock(String url, long pauseMillis) throws SQLException {
        this.connection = DriverManager.getConnection(url);
        this.provider = new JdbcLockProvider(pool(connection));
        this.pauseMillis = pauseMillis;
    }

    @Override
    public void take() throws InterruptedException {
        while (true) {
            Optional<SimpleLock> got = provider.lock(
                    new LockConfiguration(Instant.now(), "contest", Duration.ofMinutes(10), Duration.ZERO));
            if (got.isPresent()) {
                lock = got.get();
                return;
            }
            Thread.sleep(pauseMillis);
        }
    }

    @Override
    public void give() {
        if (lock != null) {
            lock.unlock();
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    /** A pool of one connection, so that ShedLock does not connect for each attempt. */
    private static DataSource pool(Connection connection) {
        ClassLoader loader = ShedLockLock.class.getClassLoader();
        Object kept = Proxy.newProxyInstance(loader, new Class<?>[] {Connection.class}, (proxy, method, args) -> {
            try {
                return method.getName().equals("close") ? null : method.invoke(connection, args);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        });
        return (DataSource)
                Proxy.newProxyInstance(loader, new Class<?>[] {DataSource.class}, (proxy, method, args) -> kept);
    }
}
