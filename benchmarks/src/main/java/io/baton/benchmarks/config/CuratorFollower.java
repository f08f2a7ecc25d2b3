package io.baton.benchmarks.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.jspecify.annotations.Nullable;

/** Curator's {@code CuratorCache} with a listener. */
final class CuratorFollower implements SpaceFollower {

    private static final int TIMEOUT_MILLIS = 10_000;

    private final CuratorFramework framework;
    private final String root;
    private @Nullable CuratorCache cache;

    CuratorFollower(String servers, String space) throws InterruptedException {
        framework = CuratorFrameworkFactory.newClient(
                servers, TIMEOUT_MILLIS, TIMEOUT_MILLIS, new ExponentialBackoffRetry(100, 3));
        framework.start();
        if (!framework.blockUntilConnected(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("Curator does not reach " + servers);
        }
        root = space;
    }

    @Override
    public void follow(Heard heard) throws InterruptedException {
        CuratorCache opened = CuratorCache.build(framework, root);
        cache = opened;
        var initialized = new CountDownLatch(1);
        opened.listenable().addListener(new CuratorCacheListener() {
            @Override
            public void event(Type kind, @Nullable ChildData before, @Nullable ChildData now) {
                if (now != null && now.getPath().length() > root.length()) {
                    heard.value(now.getPath().substring(root.length() + 1), new String(now.getData(), UTF_8));
                }
            }

            @Override
            public void initialized() {
                initialized.countDown();
            }
        });
        opened.start();
        if (!initialized.await(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("the cache does not become ready");
        }
    }

    @Override
    public void close() {
        if (cache != null) {
            cache.close();
        }
        framework.close();
    }
}
