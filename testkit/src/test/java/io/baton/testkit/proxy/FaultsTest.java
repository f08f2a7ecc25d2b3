package io.baton.testkit.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

@Timeout(60)
class FaultsTest {

    /** Messages of up to 1 MiB, called what they say. */
    private static final class Named implements Framing, Framing.Conversation {

        private final Queue<String> named = new ConcurrentLinkedQueue<>();
        private final Conversation lengths = Framing.lengthPrefixed(1 << 20).begin();

        @Override
        public Conversation begin() {
            return this;
        }

        @Override
        public int length(Direction direction, ByteBuffer bytes) {
            return lengths.length(direction, bytes);
        }

        @Override
        public String name(Direction direction, ByteBuffer message) {
            String name = StandardCharsets.US_ASCII.decode(message.position(4)).toString();
            named.add(name);
            return name;
        }
    }

    private final Named framing = new Named();
    private EchoServer server;
    private TcpProxy proxy;

    @BeforeEach
    void open() throws IOException {
        server = new EchoServer();
        proxy = TcpProxy.to(server.address(), framing);
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        server.close();
    }

    @Test
    void at_cutBefore_handsOnWhatCameBeforeAndNoMore() throws IOException {
        Trigger second = proxy.faults().at(Direction.TO_SERVER, 2, Moment.BEFORE, Fault.cut());
        try (Socket client = connect()) {
            assertThat(echo(client, "one")).isEqualTo("one");
            assertThat(second.fired()).isFalse();
            send(client, "two", "three");

            assertThatThrownBy(() -> read(client))
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
        }
        await().until(() -> server.ended() == 1);
        assertThat(server.received()).isEqualTo(7);
        assertThat(second.fired()).isTrue();
        assertThat(second.message()).contains("two");
        assertThat(second.seen()).isEqualTo(2);
    }

    @Test
    void at_endAfterARequest_theServerHasItAndItsAnswerIsLost() throws IOException {
        Trigger first = proxy.faults().at(Direction.TO_SERVER, 1, Moment.AFTER, Fault.end());
        try (Socket client = connect()) {
            send(client, "one", "two");

            assertThatThrownBy(() -> read(client)).isInstanceOf(IOException.class);
        }
        await().until(() -> server.ended() == 1);
        assertThat(server.received()).isEqualTo(7);
        assertThat(first.message()).contains("one");
    }

    @Test
    void at_cutBeforeAnAnswer_theServerHasTheRequestAndTheClientNoAnswer() throws IOException {
        proxy.faults().at(Direction.TO_CLIENT, 2, Moment.BEFORE, Fault.cut());
        try (Socket client = connect()) {
            send(client, "one", "two");

            assertThat(read(client)).isEqualTo("one");
            assertThatThrownBy(() -> read(client)).isInstanceOf(SocketException.class);
        }
        assertThat(server.received()).isEqualTo(14);
    }

    @Test
    void at_endAfterAnAnswer_theClientHasItAndThenTheEnd() throws IOException {
        Trigger first = proxy.faults().at(Direction.TO_CLIENT, 1, Moment.AFTER, Fault.end());
        try (Socket client = connect()) {
            send(client, "one");

            assertThat(read(client)).isEqualTo("one");
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
        await().until(first::fired);
    }

    @Test
    void at_fired_theConnectionHasEnded() throws IOException {
        for (int i = 0; i < 200; i++) {
            Trigger first = proxy.faults().at(Direction.TO_SERVER, 1, Moment.BEFORE, Fault.cut());
            try (Socket client = connect()) {
                send(client, "one");
                while (!first.fired()) {
                    Thread.onSpinWait();
                }
                assertThat(proxy.traffic().open()).isZero();
            }
        }
    }

    @Test
    void at_cutOneWay_handsOnNothingTheOtherWay() throws IOException {
        try (Socket client = connect()) {
            proxy.hold(Direction.TO_CLIENT);
            send(client, "one");
            await().until(() -> server.received() == 7);
            roundTrip();
            proxy.hold();
            proxy.faults().at(Direction.TO_SERVER, 1, Moment.BEFORE, Fault.cut());
            send(client, "two");
            roundTrip();

            proxy.release();

            assertThatThrownBy(() -> read(client)).isInstanceOf(SocketException.class);
            assertThat(proxy.traffic().bytesToClient()).isZero();
        }
    }

    @Test
    void at_severalConnections_countsThemTogetherAndStrikesOne() throws IOException {
        try (Socket early = connect();
                Socket other = connect()) {
            assertThat(echo(early, "uncounted")).isEqualTo("uncounted");
            Trigger third = proxy.faults().at(Direction.TO_SERVER, 3, Moment.BEFORE, Fault.cut());
            assertThat(echo(early, "one")).isEqualTo("one");
            assertThat(echo(other, "two")).isEqualTo("two");

            send(early, "three");

            assertThatThrownBy(() -> read(early)).isInstanceOf(SocketException.class);
            assertThat(third.message()).contains("three");
            assertThat(echo(other, "four")).isEqualTo("four");
        }
    }

    @Test
    void at_messagesAskedFor_countsNoOthers() throws IOException {
        Trigger second = proxy.faults().at(Direction.TO_SERVER, 2, "x"::equals, Moment.BEFORE, Fault.cut());
        try (Socket client = connect()) {
            for (String text : new String[] {"a", "x", "b", "c"}) {
                assertThat(echo(client, text)).isEqualTo(text);
            }
            assertThat(second.seen()).isEqualTo(1);

            send(client, "x");

            assertThatThrownBy(() -> read(client)).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void at_messageInPieces_countsOnce() throws IOException {
        Trigger second = proxy.faults().at(Direction.TO_SERVER, 2, Moment.BEFORE, Fault.cut());
        try (Socket client = connect()) {
            for (byte each : framed("slow")) {
                client.getOutputStream().write(each);
                roundTrip();
            }
            assertThat(read(client)).isEqualTo("slow");
            assertThat(second.seen()).isEqualTo(1);
        }
    }

    @Test
    void at_holdBefore_keepsTheMessageUntilReleaseAndCountsItOnce() throws IOException {
        Trigger second = proxy.faults().at(Direction.TO_SERVER, 2, Moment.BEFORE, Fault.hold());
        try (Socket client = connect()) {
            send(client, "one", "two", "three");
            assertThat(read(client)).isEqualTo("one");
            await().until(second::fired);
            assertThat(server.received()).isEqualTo(7);

            proxy.release();

            assertThat(read(client)).isEqualTo("two");
            assertThat(read(client)).isEqualTo("three");
            assertThat(second.seen()).isEqualTo(2);
        }
    }

    @Test
    void at_holdAfter_keepsWhatFollows() throws IOException {
        Trigger first = proxy.faults().at(Direction.TO_CLIENT, 1, Moment.AFTER, Fault.hold());
        try (Socket client = connect()) {
            send(client, "one", "two");
            assertThat(read(client)).isEqualTo("one");
            await().until(() -> first.fired() && server.received() == 14);
            assertThat(proxy.traffic().bytesToClient()).isEqualTo(7);

            proxy.release(Direction.TO_CLIENT);

            assertThat(read(client)).isEqualTo("two");
        }
    }

    @Test
    void at_delayBefore_delaysThatMessageAndWhatFollows() throws IOException {
        Duration delay = Duration.ofMillis(200);
        proxy.faults().at(Direction.TO_SERVER, 2, Moment.BEFORE, Fault.delay(delay));
        try (Socket client = connect()) {
            long start = System.nanoTime();
            send(client, "one", "two", "three");
            assertThat(read(client)).isEqualTo("one");
            assertThat(read(client)).isEqualTo("two");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(delay);
            assertThat(read(client)).isEqualTo("three");
        }
    }

    @Test
    void disarm_beforeItsMessage_neverFires() throws IOException {
        Trigger first = proxy.faults().at(Direction.TO_SERVER, 1, Moment.BEFORE, Fault.cut());
        first.disarm();
        try (Socket client = connect()) {
            assertThat(echo(client, "one")).isEqualTo("one");
        }
        assertThat(first.fired()).isFalse();
        assertThat(first.message()).isEmpty();
    }

    @Test
    void at_twoForOneMessage_theOneArmedFirstStrikesAndTheOtherAtTheNext() throws IOException {
        Trigger hold = proxy.faults().at(Direction.TO_SERVER, 1, Moment.BEFORE, Fault.hold());
        Trigger cut = proxy.faults().at(Direction.TO_SERVER, 1, Moment.BEFORE, Fault.cut());
        try (Socket client = connect()) {
            send(client, "one");
            await().until(hold::fired);
            proxy.release();
            assertThat(read(client)).isEqualTo("one");
            assertThat(cut.fired()).isFalse();

            send(client, "two");

            assertThatThrownBy(() -> read(client)).isInstanceOf(SocketException.class);
            assertThat(cut.message()).contains("two");
        }
    }

    @Test
    void then_armedTogether_countsFromWhenTheFirstHasStruck() throws IOException {
        Trigger first = proxy.faults().at(Direction.TO_SERVER, 2, Moment.BEFORE, Fault.cut());
        Trigger second = first.then(Direction.TO_SERVER, 2, name -> true, Moment.BEFORE, Fault.cut());
        try (Socket client = connect()) {
            assertThat(echo(client, "one")).isEqualTo("one");
            send(client, "two");
            assertThatThrownBy(() -> read(client)).isInstanceOf(SocketException.class);
        }
        try (Socket client = connect()) {
            assertThat(echo(client, "three")).isEqualTo("three");
            assertThat(second.fired()).isFalse();
            send(client, "four");

            assertThatThrownBy(() -> read(client)).isInstanceOf(SocketException.class);
        }
        assertThat(first.message()).contains("two");
        assertThat(second.message()).contains("four");
        assertThat(second.seen()).isEqualTo(2);
    }

    @Test
    void to_bytesThatAreNoMessages_passAsTheyAre() throws IOException {
        Trigger second = proxy.faults().at(Direction.TO_SERVER, 2, Moment.BEFORE, Fault.cut());
        try (Socket client = connect()) {
            assertThat(echo(client, "one")).isEqualTo("one");
            client.getOutputStream().write("ruok, and more".getBytes(StandardCharsets.US_ASCII));
            assertThat(client.getInputStream().readNBytes(14)).asString().isEqualTo("ruok, and more");
        }
        assertThat(second.seen()).isEqualTo(1);
    }

    @Test
    void to_endWithinAMessage_handsOnWhatThereIs() throws IOException {
        try (Socket client = connect()) {
            client.getOutputStream().write(new byte[] {0, 0, 0, 9, 'x'});
            client.shutdownOutput();
            assertThat(client.getInputStream().readAllBytes()).containsExactly(0, 0, 0, 9, 'x');
        }
    }

    @Test
    void to_largeMessage_arrivesWhole() throws IOException {
        String large = "x".repeat(1 << 20);
        try (Socket client = connect()) {
            assertThat(echo(client, large)).isEqualTo(large);
        }
    }

    @Test
    void faults_withoutFraming_areRefused() {
        try (TcpProxy bytesOnly = TcpProxy.to(server.address())) {
            assertThatThrownBy(bytesOnly::faults).isInstanceOf(IllegalStateException.class);
        }
    }

    /** So that what was sent before has arrived, and travels on its own. */
    @Test
    @Timeout(value = 10, threadMode = ThreadMode.SEPARATE_THREAD)
    void at_predicateThrows_commandsFailWithThatAndNothingStaysOpen() throws IOException {
        try (Socket client = connect()) {
            assertThat(echo(client, "one")).isEqualTo("one");
            proxy.faults().at(Direction.TO_SERVER, 1, FaultsTest::refuse, Moment.BEFORE, Fault.cut());
            AtomicReference<Throwable> reported = uncaught(proxy);
            proxy.hold();
            send(client, "two");
            await().until(() -> framing.named.contains("two"));

            assertThatThrownBy(proxy::release)
                    .isInstanceOf(IllegalStateException.class)
                    .hasRootCauseMessage("cannot tell of two");
            assertThatThrownBy(proxy::hold).hasRootCauseMessage("cannot tell of two");
            assertThatThrownBy(() -> read(client)).isInstanceOf(SocketException.class);
            await().untilAsserted(() -> assertThat(reported.get()).hasMessage("cannot tell of two"));
        }
        proxy.close();
        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
    }

    @Test
    @Timeout(value = 10, threadMode = ThreadMode.SEPARATE_THREAD)
    void begin_throws_nothingStaysOpen() throws IOException {
        Framing broken = () -> {
            throw new IllegalArgumentException("no framing");
        };
        try (TcpProxy failing = TcpProxy.to(server.address(), broken)) {
            AtomicReference<Throwable> reported = uncaught(failing);
            try (Socket client = new Socket(failing.address().getAddress(), failing.port())) {
                assertThatThrownBy(() -> read(client)).isInstanceOf(IOException.class);
            }
            await().untilAsserted(() -> assertThat(reported.get()).hasMessage("no framing"));
            assertThatThrownBy(() -> new Socket(failing.address().getAddress(), failing.port()))
                    .isInstanceOf(ConnectException.class);
        }
    }

    private static boolean refuse(String name) {
        throw new IllegalArgumentException("cannot tell of " + name);
    }

    /** What ends the thread of the proxy. It is not printed. */
    private static AtomicReference<Throwable> uncaught(TcpProxy of) {
        var reported = new AtomicReference<Throwable>();
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("tcp-proxy-" + of.port()))
                .forEach(thread -> thread.setUncaughtExceptionHandler((it, broken) -> reported.set(broken)));
        return reported;
    }

    private void roundTrip() throws IOException {
        try (TcpProxy other = TcpProxy.to(server.address(), new Named());
                Socket client = new Socket(other.address().getAddress(), other.port())) {
            assertThat(echo(client, "pass")).isEqualTo("pass");
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(proxy.address().getAddress(), proxy.port());
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static String echo(Socket socket, String text) throws IOException {
        send(socket, text);
        return read(socket);
    }

    /** In one piece. */
    private static void send(Socket socket, String... texts) throws IOException {
        ByteBuffer all = ByteBuffer.allocate(2 << 20);
        for (String text : texts) {
            all.put(framed(text));
        }
        OutputStream out = socket.getOutputStream();
        out.write(all.array(), 0, all.position());
    }

    private static byte[] framed(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(4 + bytes.length)
                .putInt(bytes.length)
                .put(bytes)
                .array();
    }

    private static String read(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        return new String(in.readNBytes(in.readInt()), StandardCharsets.US_ASCII);
    }
}
