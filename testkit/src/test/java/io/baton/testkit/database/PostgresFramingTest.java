package io.baton.testkit.database;

import static io.baton.testkit.database.PostgresFraming.BEGINS;
import static io.baton.testkit.database.PostgresFraming.NOISE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that arrive in pieces of this many bytes. */
class PostgresFramingTest {

    private static final byte[] STARTUP = withoutType(3 << 16, "user\0postgres\0\0");
    private static final byte[] TLS = withoutType(80877103, "");
    private static final byte[] PROVEN = typed('R', "\0\0\0\0");
    private static final byte[] READY = typed('Z', "I");
    private static final byte[] SYNC = typed('S', "");

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 1_000})
    void name_login_fromTheRequestForTlsToTheEnd(int size) {
        var pieces = new Pieces(new PostgresFraming(), size);

        assertThat(pieces.asked(TLS)).containsExactly(NOISE);
        assertThat(pieces.answered("N".getBytes(UTF_8))).containsExactly(NOISE);
        assertThat(pieces.asked(STARTUP)).containsExactly("login");
        assertThat(pieces.answered(typed('R', "\0\0\0\5salt"))).containsExactly("authentication");
        assertThat(pieces.asked(typed('p', "md5\0"))).containsExactly("authentication");
        assertThat(pieces.answered(all(PROVEN, typed('S', "a\0b\0"), typed('K', "12345678"), READY)))
                .containsExactly("login" + BEGINS, NOISE, NOISE, "login");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 1_000})
    void name_statementsSentInOneGo_areOneMessageAndTheAnswerHasABeginningAndAnEnd(int size) {
        Pieces pieces = loggedIn(size);
        byte[] first = all(
                parse("s", "insert into Stock values ('; delete from lost')"),
                bind("s"),
                typed('E', "\0\0\0\0\0"),
                parse("", "commit"),
                bind(""),
                typed('E', "\0\0\0\0\0"),
                SYNC);

        assertThat(pieces.asked(all(first, bind("s"), SYNC)))
                .containsExactly("query(insert stock, commit)", "query(insert stock)");
        assertThat(pieces.answered(all(
                        typed('1', ""),
                        typed('N', "\0"),
                        typed('A', "\0\0\0\1c\0\0"),
                        typed('C', "COMMIT\0"),
                        READY,
                        typed('2', ""),
                        READY)))
                .containsExactly(
                        "query(insert stock, commit)" + BEGINS,
                        NOISE,
                        "notification",
                        NOISE,
                        "query(insert stock, commit)",
                        "query(insert stock)" + BEGINS,
                        "query(insert stock)");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 1_000})
    void name_simpleQueryAndPushBetweenAnswers_eachItsOwn(int size) {
        Pieces pieces = loggedIn(size);

        assertThat(pieces.asked(all(typed('Q', "select 1 from a; update b set c = 1\0"), typed('X', ""))))
                .containsExactly("query(select a, update b)", "terminate");
        assertThat(pieces.answered(all(typed('A', "\0\0\0\1c\0\0"), typed('E', "\0"), READY, typed('E', "\0"))))
                .containsExactly(
                        "notification", "query(select a, update b)" + BEGINS, "query(select a, update b)", NOISE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 1_000})
    void length_notToBeRead_isNoMessage(int size) {
        var encrypted = new Pieces(new PostgresFraming(), size);
        assertThat(encrypted.asked(TLS)).containsExactly(NOISE);
        assertThat(encrypted.answered("S".getBytes(UTF_8))).containsExactly(NOISE, Pieces.NO_MESSAGE);
        assertThat(encrypted.asked("\26\3\1\2".getBytes(UTF_8))).containsExactly(Pieces.NO_MESSAGE);

        var other = new Pieces(new PostgresFraming(), size);
        assertThat(other.asked("GET / HTTP/1.1".getBytes(UTF_8))).containsExactly(Pieces.NO_MESSAGE);
        assertThat(other.answered(READY)).containsExactly(Pieces.NO_MESSAGE);

        Pieces broken = loggedIn(size);
        assertThat(broken.asked(new byte[] {'Q', 0, 0, 0, 3})).containsExactly(Pieces.NO_MESSAGE);
    }

    private static Pieces loggedIn(int size) {
        var pieces = new Pieces(new PostgresFraming(), size);
        assertThat(pieces.asked(STARTUP)).containsExactly("login");
        assertThat(pieces.answered(all(PROVEN, READY))).containsExactly("login" + BEGINS, "login");
        return pieces;
    }

    private static byte[] parse(String name, String statement) {
        return typed('P', name + "\0" + statement + "\0\0\0");
    }

    private static byte[] bind(String statement) {
        return typed('B', "\0" + statement + "\0\0\0\0\0\0\0");
    }

    private static byte[] typed(char type, String body) {
        byte[] bytes = body.getBytes(UTF_8);
        return ByteBuffer.allocate(1 + Integer.BYTES + bytes.length)
                .put((byte) type)
                .putInt(Integer.BYTES + bytes.length)
                .put(bytes)
                .array();
    }

    private static byte[] withoutType(int code, String body) {
        byte[] bytes = body.getBytes(UTF_8);
        return ByteBuffer.allocate(2 * Integer.BYTES + bytes.length)
                .putInt(2 * Integer.BYTES + bytes.length)
                .putInt(code)
                .put(bytes)
                .array();
    }

    private static byte[] all(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
