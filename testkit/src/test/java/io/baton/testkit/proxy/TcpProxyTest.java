package io.baton.testkit.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

@Timeout(60)
class TcpProxyTest {

    private EchoServer server;
    private TcpProxy proxy;

    @BeforeEach
    void open() throws IOException {
        server = new EchoServer();
        proxy = TcpProxy.to(server.address());
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        server.close();
    }

    @Test
    void to_connected_forwardsBothWaysAndCounts() throws IOException {
        try (Socket client = connect()) {
            assertThat(echo(client, "hello")).isEqualTo("hello");
            assertThat(proxy.traffic()).isEqualTo(new Traffic(1, 1, 5, 5));
        }

        await().until(() -> proxy.traffic().open() == 0 && server.ended() == 1);
    }

    @Test
    void retarget_openConnectionStays_newOneGoesToTheOtherServer() throws IOException {
        EchoServer other = new EchoServer();
        try (Socket before = connect()) {
            assertThat(echo(before, "one")).isEqualTo("one");

            proxy.retarget(other.address());

            try (Socket after = connect()) {
                assertThat(echo(after, "two")).isEqualTo("two");
            }
            assertThat(echo(before, "three")).isEqualTo("three");
            assertThat(other.received()).isEqualTo(3);
        } finally {
            other.close();
        }
    }

    @Test
    void to_serverNotThere_resetsClient() {
        try (TcpProxy toNobody = TcpProxy.to(Loopback.at(Loopback.freePort()))) {
            assertThatThrownBy(() -> connectAndRead(toNobody)).isInstanceOf(SocketException.class);
            await().until(() -> toNobody.traffic().open() == 0);
        }
    }

    @Test
    @Timeout(value = 10, threadMode = ThreadMode.SEPARATE_THREAD)
    void to_nameUnknown_resetsClientAndServesOn() {
        try (TcpProxy toNobody = TcpProxy.to(InetSocketAddress.createUnresolved("no-such-host", 2181))) {
            assertThatThrownBy(() -> connectAndRead(toNobody)).isInstanceOf(SocketException.class);

            toNobody.retarget(server.address());

            assertThatCode(() -> connect(toNobody.address()).close()).doesNotThrowAnyException();
        }
    }

    @Test
    @Timeout(value = 10, threadMode = ThreadMode.SEPARATE_THREAD)
    void release_retargetedToAnUnknownName_returnsAndResetsClient() throws IOException {
        proxy.hold();
        proxy.retarget(InetSocketAddress.createUnresolved("no-such-host", 2181));
        try (Socket client = connect()) {
            await().until(() -> proxy.traffic().open() == 1);

            proxy.release();

            assertThatThrownBy(() -> readOne(client)).isInstanceOf(SocketException.class);
        }
        proxy.close();
        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
    }

    @Test
    void patience_serverComesLate_connectsThen() throws IOException {
        int port = Loopback.freePort();
        try (TcpProxy early = TcpProxy.to(Loopback.at(port));
                Socket client = given(early, Duration.ofMinutes(1))) {
            write(client, "x");
            try (ServerSocket late = new ServerSocket(port);
                    Socket accepted = late.accept()) {
                assertThat(read(accepted, 1)).isEqualTo("x");
            }
        }
    }

    @Test
    void to_moreThanBuffersHold_arrivesWholeAndInOrder() throws Exception {
        byte[] much = new byte[8 << 20];
        new Random(7).nextBytes(much);
        try (Socket client = connect()) {
            var back = CompletableFuture.supplyAsync(() -> readAll(client));
            client.getOutputStream().write(much);
            client.shutdownOutput();

            assertThat(back.get()).isEqualTo(much);
        }
    }

    @Test
    void delay_manyMessagesAtOnce_delaysAllButNotOneAfterTheOther() throws IOException {
        int messages = 20;
        Duration eachWay = Duration.ofMillis(100);
        try (Socket client = connect();
                Socket direct = connect(server.address())) {
            assertThat(echo(client, "warm")).isEqualTo("warm");
            proxy.delay(eachWay);
            long start = System.nanoTime();
            for (int i = 0; i < messages; i++) {
                write(client, "x");
                // So that they do not travel as one.
                assertThat(echo(direct, "y")).isEqualTo("y");
            }
            assertThat(read(client, messages)).hasSize(messages);
            Duration took = Duration.ofNanos(System.nanoTime() - start);

            assertThat(took).isGreaterThanOrEqualTo(eachWay.multipliedBy(2));
            assertThat(took).isLessThan(eachWay.multipliedBy(messages));
        }
    }

    @Test
    void hold_bothWays_keepsBytesUntilRelease() throws IOException {
        try (Socket client = connect()) {
            assertThat(echo(client, "one")).isEqualTo("one");
            proxy.hold();
            write(client, "two");
            roundTripElsewhere();

            assertThat(server.received()).isEqualTo(3 + 1);

            proxy.release();
            assertThat(read(client, 3)).isEqualTo("two");
        }
    }

    @Test
    void hold_repliesOnly_letsRequestsThrough() throws IOException {
        try (Socket client = connect()) {
            assertThat(echo(client, "one")).isEqualTo("one");
            proxy.hold(Direction.TO_CLIENT);
            write(client, "two");
            await().until(() -> server.received() == 6);

            assertThat(proxy.traffic().bytesToClient()).isEqualTo(3);

            proxy.release(Direction.TO_CLIENT);
            assertThat(read(client, 3)).isEqualTo("two");
        }
    }

    @Test
    void hold_clientEnds_serverHearsOfItOnRelease() throws IOException {
        try (Socket client = connect()) {
            assertThat(echo(client, "one")).isEqualTo("one");
            proxy.hold();
        }
        roundTripElsewhere();
        assertThat(proxy.traffic().open()).isEqualTo(1);

        proxy.release();

        await().until(() -> proxy.traffic().open() == 0);
    }

    @Test
    void hold_newConnectionGivenUp_neverReachesServer() throws IOException {
        proxy.hold();
        try (Socket givenUp = connect()) {
            write(givenUp, "lost");
        }
        try (Socket patient = connect()) {
            write(patient, "kept");
            await().until(() -> proxy.traffic().accepted() == 2);
            assertThat(server.accepted()).isZero();

            proxy.release();

            assertThat(read(patient, 4)).isEqualTo("kept");
        }
        assertThat(server.accepted()).isEqualTo(1);
    }

    @Test
    void cut_openConnections_resetsBothSides() throws IOException {
        try (Socket client = connect()) {
            assertThat(echo(client, "one")).isEqualTo("one");

            proxy.cut();

            assertThatThrownBy(() -> readOne(client))
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
            await().until(() -> server.ended() == 1);
        }
        try (Socket next = connect()) {
            assertThat(echo(next, "two")).isEqualTo("two");
        }
    }

    @Test
    void accept_anotherHasThePortForAMoment_waitsForIt() throws Exception {
        proxy.refuse();
        CompletableFuture<Void> accepting;
        try (ServerSocket other = new ServerSocket(proxy.port())) {
            assertThat(other.isBound()).isTrue();
            accepting = CompletableFuture.runAsync(proxy::accept);
            assertThatThrownBy(() -> accepting.get(100, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        }
        accepting.get(30, TimeUnit.SECONDS);
        try (Socket next = connect()) {
            assertThat(echo(next, "one")).isEqualTo("one");
        }
    }

    @Test
    void refuse_newConnection_isRefusedUntilAccepted() throws IOException {
        try (Socket open = connect()) {
            assertThat(echo(open, "one")).isEqualTo("one");
            proxy.refuse();

            assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
            assertThat(echo(open, "two")).isEqualTo("two");

            proxy.accept();
            try (Socket next = connect()) {
                assertThat(echo(next, "three")).isEqualTo("three");
            }
        }
    }

    @Test
    void close_connectionsOpen_leavesNoThreadAndNoPort() throws IOException {
        try (Socket client = connect()) {
            assertThat(echo(client, "one")).isEqualTo("one");

            proxy.close();
            proxy.close();

            assertThatThrownBy(() -> readOne(client)).isInstanceOf(SocketException.class);
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("tcp-proxy-" + proxy.port()));
        assertThatCode(() -> new ServerSocket(proxy.port()).close()).doesNotThrowAnyException();
        assertThatThrownBy(proxy::hold).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void freePort_askedTwice_differs() {
        assertThat(Loopback.freePort()).isNotEqualTo(Loopback.freePort());
    }

    /** Gives what should not happen every opportunity to happen. */
    private void roundTripElsewhere() throws IOException {
        try (TcpProxy other = TcpProxy.to(server.address());
                Socket client = connect(other.address())) {
            assertThat(echo(client, "x")).isEqualTo("x");
        }
    }

    private static int connectAndRead(TcpProxy proxy) throws IOException {
        try (Socket client = connect(proxy.address())) {
            return readOne(client);
        }
    }

    private static Socket given(TcpProxy proxy, Duration patience) throws IOException {
        proxy.patience(patience);
        return connect(proxy.address());
    }

    private Socket connect() throws IOException {
        return connect(proxy.address());
    }

    private static Socket connect(InetSocketAddress to) throws IOException {
        Socket socket = new Socket(to.getAddress(), to.getPort());
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static String echo(Socket socket, String text) throws IOException {
        write(socket, text);
        return read(socket, text.length());
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String read(Socket socket, int length) throws IOException {
        return new String(socket.getInputStream().readNBytes(length), StandardCharsets.US_ASCII);
    }

    private static int readOne(Socket socket) throws IOException {
        return socket.getInputStream().read();
    }

    private static byte[] readAll(Socket socket) {
        try {
            return socket.getInputStream().readAllBytes();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
