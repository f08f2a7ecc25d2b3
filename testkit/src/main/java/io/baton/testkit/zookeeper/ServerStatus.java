package io.baton.testkit.zookeeper;

import io.baton.testkit.proxy.Loopback;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The status that a server reports.
 *
 * @param mode {@code leader}, {@code follower}, {@code observer} or {@code standalone}
 * @param zxid its newest transaction; the upper half is the epoch of the leader it follows
 * @param received the packets that clients have sent it
 */
record ServerStatus(String mode, long zxid, long received) {

    private static final int PATIENCE_MILLIS = 500;
    private static final Pattern MODE = Pattern.compile("^Mode: (\\w+)$", Pattern.MULTILINE);
    private static final Pattern RECEIVED = Pattern.compile("^Received: (\\d+)$", Pattern.MULTILINE);
    private static final Pattern ZXID = Pattern.compile("^Zxid: 0x([0-9a-f]+)$", Pattern.MULTILINE);

    /** Queries a server by the command {@code srvr}; empty if it does not serve, or does not answer soon. */
    static Optional<ServerStatus> ask(int clientPort) {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.connect(Loopback.at(clientPort), PATIENCE_MILLIS);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            return parse(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
        } catch (IOException | UncheckedIOException silent) {
            return Optional.empty();
        }
    }

    boolean leads() {
        return mode.equals("leader");
    }

    boolean follows() {
        return mode.equals("follower");
    }

    long epoch() {
        return zxid >>> 32;
    }

    private static Optional<ServerStatus> parse(String answer) {
        Matcher mode = MODE.matcher(answer);
        Matcher zxid = ZXID.matcher(answer);
        Matcher received = RECEIVED.matcher(answer);
        return mode.find() && zxid.find() && received.find()
                ? Optional.of(new ServerStatus(
                        mode.group(1), Long.parseUnsignedLong(zxid.group(1), 16), Long.parseLong(received.group(1))))
                : Optional.empty();
    }
}
