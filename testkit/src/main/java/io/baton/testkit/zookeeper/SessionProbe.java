package io.baton.testkit.zookeeper;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.apache.jute.BinaryInputArchive;
import org.apache.jute.BinaryOutputArchive;
import org.apache.jute.Record;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.ConnectRequest;
import org.apache.zookeeper.proto.ConnectResponse;
import org.apache.zookeeper.proto.RequestHeader;

/**
 * A client that opens and closes one session. It implements the protocol itself, since ZooKeeper's client starts two
 * threads and takes a tenth of a second to close.
 */
public final class SessionProbe {

    private static final int SESSION_MILLIS = 10_000;
    private static final int PASSWORD_BYTES = 16;

    private SessionProbe() {}

    /**
     * Whether this server can open a session, with each answer within this time. A session takes a commit of the
     * quorum, which this server has then seen, with everything before.
     */
    public static boolean serves(InetSocketAddress server, int patienceMillis) {
        try (Socket socket = new Socket()) {
            socket.connect(server, patienceMillis);
            socket.setSoTimeout(patienceMillis);
            var out = new DataOutputStream(socket.getOutputStream());
            var in = new DataInputStream(socket.getInputStream());
            send(out, new ConnectRequest(0, 0, SESSION_MILLIS, 0, new byte[PASSWORD_BYTES], false));
            ConnectResponse response = new ConnectResponse();
            in.readInt();
            response.deserialize(BinaryInputArchive.getArchive(in), "connect");
            send(out, new RequestHeader(1, OpCode.closeSession));
            in.readAllBytes();
            return response.getTimeOut() > 0;
        } catch (IOException silent) {
            return false;
        }
    }

    private static void send(DataOutputStream out, Record message) throws IOException {
        var bytes = new ByteArrayOutputStream();
        message.serialize(BinaryOutputArchive.getArchive(bytes), "message");
        out.writeInt(bytes.size());
        bytes.writeTo(out);
        out.flush();
    }
}
