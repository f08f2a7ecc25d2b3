package io.baton.etcd.wire;

import io.netty.handler.ssl.SslContext;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS for successive connections. Each uses the files as they are when it is made, so they can be renewed while
 * sessions live. Any thread.
 */
public final class RenewedTls {

    private static final Logger log = LoggerFactory.getLogger(RenewedTls.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final Tls tls;
    private List<Object> content;
    private SslContext context;
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
    }

    /** Returns a context for a connection without gRPC, from the current files. */
    SSLContext plainContext() {
        return tls.plainContext();
    }

    /**
     * Returns a context for a gRPC connection. Unusable files, such as one being written, are logged once; the last
     * usable ones stay in use.
     */
    SslContext context() {
        lock.lock();
        try {
            // Read first: a change before they are opened is noticed the next time.
            List<Object> now = tls.content();
            if (!now.equals(content)) {
                context = tls.context();
                content = now;
                log.info("The files with keys and certificates have changed: new connections use them as they are now");
            }
            unusable = null;
        } catch (Throwable broken) { // the JDK also throws on a partly written file
            if (!String.valueOf(broken.getMessage()).equals(unusable)) {
                unusable = String.valueOf(broken.getMessage());
                log.warn("New connections use keys and certificates as they were before: {}", unusable);
            }
        } finally {
            lock.unlock();
        }
        return context;
    }
}
