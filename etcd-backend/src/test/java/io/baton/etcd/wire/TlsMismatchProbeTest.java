package io.baton.etcd.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.wire.EtcdAddress.Host;
import io.baton.spi.EventLoop;
import io.baton.testkit.proxy.Loopback;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TlsMismatchProbeTest {

    @Test
    void ask_serverOfAnotherProtocol_isTakenForWhatItIs() throws Exception {
        assertThat(diagnosis("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(UTF_8), false))
                .contains("does not speak etcd's protocol");
        assertThat(diagnosis("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(UTF_8), true))
                .contains("does not speak TLS");
    }

    @Test
    void ask_serverThatComplainsOfOurTls_speaksIt() throws Exception {
        byte[] alert = {21, 3, 3, 0, 2, 2, 40};

        assertThat(diagnosis(alert, false)).contains("speaks TLS only");
    }

    private static String diagnosis(byte[] answer, boolean secure) throws Exception {
        var told = new CompletableFuture<String>();
        try (ServerSocket server = new ServerSocket();
                EventLoop loop = new EventLoop("hang-up")) {
            server.bind(Loopback.at(0));
            Thread serving = new Thread(() -> serve(server, answer));
            serving.start();
            TlsMismatchProbe.ask(
                    new Host("127.0.0.1", server.getLocalPort()), secure, loop, wrong -> told.complete(wrong.text()));
            return told.get(30, SECONDS);
        }
    }

    /** Reads first: whoever closes with something unread takes back what was written. */
    private static void serve(ServerSocket server, byte[] answer) {
        while (true) {
            try (Socket one = server.accept()) {
                assertThat(one.getInputStream().read(new byte[4_096])).isPositive();
                one.getOutputStream().write(answer);
            } catch (IOException closed) {
                if (server.isClosed()) {
                    return;
                }
            }
        }
    }
}
