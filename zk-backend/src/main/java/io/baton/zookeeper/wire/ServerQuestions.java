package io.baton.zookeeper.wire;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * What one server tells of itself, on connections of their own: why it gives no contact, its four-letter words, the largest
 * packet that it reads, the session timeouts that it grants. It keeps nothing of it. Each question blocks for some seconds
 * at most.
 */
public final class ServerQuestions {

    /** What a server reads as it comes. */
    public static final int USUAL_PACKET = ZKClientConfig.CLIENT_MAX_PACKET_LENGTH_DEFAULT;

    private static final int LEAST_PACKET = 1 << 12;
    private static final int ATTEMPTS = 2;

    private static final byte[] CLOSE_SESSION = ByteBuffer.allocate(3 * Integer.BYTES)
            .putInt(2 * Integer.BYTES)
            .putInt(1)
            .putInt(OpCode.closeSession)
            .array();

    private final ServerAddress server;
    private final ServerProbe probe;

    private ServerQuestions(ServerAddress server, Optional<Tls> tls) {
        this.server = server;
        this.probe = new ServerProbe(server, tls, false);
    }

    /** To each of the servers that the address names, in its order. */
    public static List<ServerQuestions> of(ZkAddress address, Settings settings) {
        return ServerAddress.of(address.hosts()).stream()
                .map(server -> new ServerQuestions(server, settings.tls()))
                .toList();
    }

    /** Which server is asked. */
    public ServerAddress server() {
        return server;
    }

    /** Why it gives no contact, for people; empty if it takes sessions. */
    public Optional<Diagnosis> trouble() {
        return probe.ask();
    }

    /** How long a question and its answer take, on a connection that is there. */
    public Optional<Duration> roundTrip() {
        try (Socket socket = probe.open()) {
            long sent = System.nanoTime();
            socket.getOutputStream().write(ConnectPacket.unknownSession(ConnectPacket.LEAST));
            int first = socket.getInputStream().read();
            return first < 0 ? Optional.empty() : Optional.of(Duration.ofNanos(System.nanoTime() - sent));
        } catch (IOException silent) {
            return Optional.empty();
        }
    }

    /** What it says to a four-letter word, also that it is not allowed to answer this one; empty if it says nothing. */
    public Optional<String> word(String word) {
        try (Socket socket = probe.open()) {
            socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
            String said = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return said.isEmpty() ? Optional.empty() : Optional.of(said);
        } catch (IOException silent) {
            return Optional.empty();
        }
    }

    /**
     * The largest packet that it is known to read: {@link #USUAL_PACKET}, though it may read larger ones, or of its halves the
     * largest; a longer one than its {@code jute.maxbuffer} ends the connection. Empty if it reads none.
     */
    public OptionalInt packet() {
        for (int bytes = USUAL_PACKET; bytes >= LEAST_PACKET; bytes /= 2) {
            int size = bytes;
            // More than once, as a connection may break for another reason.
            if (IntStream.range(0, ATTEMPTS).anyMatch(attempt -> reads(size))) {
                return OptionalInt.of(bytes);
            }
        }
        return OptionalInt.empty();
    }

    /** The timeout that it grants to a session that asks for this one; the session is ended at once. Empty without a quorum. */
    public Optional<Duration> granted(Duration asked) {
        int millis = (int) Math.min(Integer.MAX_VALUE, asked.toMillis());
        try (Socket socket = probe.open()) {
            // The end goes along with the beginning: a server that answers too late leaves no session either.
            socket.getOutputStream().write(ConnectPacket.newSession(millis));
            socket.getOutputStream().write(CLOSE_SESSION);
            int granted = ConnectPacket.timeoutMillis(socket.getInputStream().readNBytes(ConnectPacket.ANSWER));
            // It hangs up once the session has ended.
            socket.getInputStream().readAllBytes();
            return granted > 0 ? Optional.of(Duration.ofMillis(granted)) : Optional.empty();
        } catch (IOException silent) {
            return Optional.empty();
        }
    }

    private boolean reads(int bytes) {
        try {
            return ConnectPacket.isAnswer(probe.answer(ConnectPacket.unknownSession(bytes), 2 * Integer.BYTES));
        } catch (IOException hungUp) {
            return false;
        }
    }
}
