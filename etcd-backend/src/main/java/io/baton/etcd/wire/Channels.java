package io.baton.etcd.wire;

import io.baton.etcd.wire.EtcdAddress.Host;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Makes channels that do one thing: carry a request there and its answer back, once. */
final class Channels {

    /** Fixed, as the library otherwise measures what would be best with pings, of which the server tolerates few. */
    private static final int WINDOW = 1 << 20;

    /**
     * A connection on which nothing has arrived for this long is asked for a sign of life. A session with a long time to
     * live speaks too rarely to notice a dead connection soon. The library pings no more often than this; the server
     * tolerates a ping every 5 s while a stream is open, and none otherwise.
     */
    private static final Duration QUIET = Duration.ofSeconds(10);

    /** As long as a request may take at most: machines that have too much to do are slow with pings, too. */
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(5);

    private Channels() {}

    static ManagedChannel to(Host host, InetSocketAddress address, Optional<SslContext> tls, Duration patience) {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(address).overrideAuthority(host.toString());
        tls.ifPresentOrElse(builder::sslContext, builder::usePlaintext);
        return builder.directExecutor()
                .disableRetry()
                .disableServiceConfigLookUp()
                .proxyDetector(any -> null)
                .flowControlWindow(WINDOW)
                .keepAliveTime(QUIET.toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(SIGN_OF_LIFE.toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveWithoutCalls(false)
                .maxInboundMessageSize(Integer.MAX_VALUE)
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) patience.toMillis())
                .build();
    }
}
