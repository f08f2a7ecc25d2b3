package io.baton.etcd.wire;

import io.netty.handler.ssl.SslContext;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS for one connection after the other, by what the files hold when it is made: they can be renewed while sessions live.
 * Any thread.
 */
public final class RenewedTls {

    private static final Logger log = LoggerFactory.getLogger(RenewedTls.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final Tls tls;
    private List<Object> content;
    private SslContext context;
    private SSLContext plain;
    private @Nullable String unusable;

    /**
     * Opens the files.
     *
     * @throws IllegalArgumentException if one cannot be opened; the message says which, and why
     */
    public RenewedTls(Tls tls) {
        this.tls = tls;
        this.content = tls.content();
        this.context = tls.context();
        this.plain = tls.plainContext();
    }

    /** For a connection that carries no gRPC. */
    SSLContext plainContext() {
        lock.lock();
        try {
            renew();
            return plain;
        } finally {
            lock.unlock();
        }
    }

    /** For a connection. */
    SslContext context() {
        lock.lock();
        try {
            renew();
            return context;
        } finally {
            lock.unlock();
        }
    }

    /** Files that cannot be used, as one that is being written, are warned of once, and used as they were. */
    private void renew() {
        try {
            // Read first: what changes until they are opened is seen the next time.
            List<Object> now = tls.content();
            if (!now.equals(content)) {
                SslContext renewed = tls.context();
                plain = tls.plainContext();
                context = renewed;
                content = now;
                log.info("The files with keys and certificates have changed: new connections use them as they are now");
            }
            unusable = null;
        } catch (Throwable broken) { // also of the JDK, for half a file
            if (!String.valueOf(broken.getMessage()).equals(unusable)) {
                unusable = String.valueOf(broken.getMessage());
                log.warn("New connections use keys and certificates as they were before: {}", unusable);
            }
        }
    }
}
