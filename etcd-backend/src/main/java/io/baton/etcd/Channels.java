package io.baton.etcd;

import io.baton.etcd.EtcdAddress.Host;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/** Makes channels that do one thing: carry a request there and its answer back, once. */
final class Channels {

    /**
     * Fixed, as the library otherwise measures what would be best with pings, of which the server tolerates few. There
     * are no pings to keep the connection alive either: a session's own requests do that.
     */
    private static final int WINDOW = 1 << 20;

    private Channels() {}

    static ManagedChannel to(Host host, InetSocketAddress address, Optional<SslContext> tls, Duration patience) {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(address).overrideAuthority(host.toString());
        tls.ifPresentOrElse(builder::sslContext, builder::usePlaintext);
        return builder.directExecutor()
                .disableRetry()
                .disableServiceConfigLookUp()
                .proxyDetector(any -> null)
                .flowControlWindow(WINDOW)
                .maxInboundMessageSize(Integer.MAX_VALUE)
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) patience.toMillis())
                .build();
    }
}
