package io.baton.testkit.database;

import static io.baton.testkit.database.MariaDbFraming.BEGINS;
import static io.baton.testkit.database.MariaDbFraming.NOISE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packets that arrive in pieces of this many bytes. */
class MariaDbFramingTest {

    private static final int LONGEST = 0xffffff;

    private static final String OLD = "\0\2\0\0 and who it is";
    private static final String WITHOUT_EOF = "\0\2\0\1 and who it is";
    private static final String OK = "\0\0\0\2\0\0\0";
    private static final String OK_AND_MORE = "\0\1\0\12\0\0\0";
    private static final String ERROR = "\377\50\4#42000 no";
    private static final String COLUMN = "\3def and what it is";

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 1_000})
    void name_login_fromTheGreetingToTheVerdict(int size) {
        var pieces = new Pieces(new MariaDbFraming(), size);

        assertThat(pieces.answered(packets("\12 11.4 and salt"))).containsExactly("greeting");
        assertThat(pieces.asked(packets(OLD))).containsExactly("login");
        assertThat(pieces.answered(packets("\376another way"))).containsExactly("authentication");
        assertThat(pieces.asked(packets("proof"))).containsExactly("authentication");
        assertThat(pieces.answered(packets(OK))).containsExactly("login");
        assertThat(pieces.asked(packets("\16", "\2db", "\1"))).containsExactly("ping", "use", "quit");
        assertThat(pieces.answered(packets(OK, ERROR, ERROR))).containsExactly("ping", "use", NOISE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 1_000})
    void name_statementsWithRows_haveABeginningAndAnEnd(int size) {
        String query = "query(insert stock, select stock)";
        String statements = "\3insert into stock values ('it''s \\'; drop `it`'); select a, b from stock;";

        Pieces old = loggedIn(OLD, size);
        assertThat(old.asked(packets(statements))).containsExactly(query);
        assertThat(old.answered(packets(
                        OK_AND_MORE,
                        "\2",
                        COLUMN,
                        COLUMN,
                        "\376\0\0\2\0",
                        "\1a\1b",
                        "\376 a very long value",
                        "\376\0\0\2\0")))
                .containsExactly(query + BEGINS, NOISE, NOISE, NOISE, NOISE, NOISE, NOISE, query);

        Pieces now = loggedIn(WITHOUT_EOF, size);
        assertThat(now.asked(packets(statements))).containsExactly(query);
        assertThat(now.answered(packets(OK_AND_MORE, "\2", COLUMN, COLUMN, "\1a\1b", "\376\0\0\2\0\0\0")))
                .containsExactly(query + BEGINS, NOISE, NOISE, NOISE, NOISE, query);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 1_000})
    void name_commandsInOneGo_areAnsweredInOrder(int size) {
        Pieces pieces = loggedIn(WITHOUT_EOF, size);

        assertThat(pieces.asked(packets("\3set a = 1", "\3commit", "\3select b from c")))
                .containsExactly("query(set)", "query(commit)", "query(select c)");
        assertThat(pieces.answered(packets(OK, ERROR, "\1", COLUMN, ERROR)))
                .containsExactly("query(set)", "query(commit)", "query(select c)" + BEGINS, NOISE, "query(select c)");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 1_000})
    void length_notToBeRead_isNoMessage(int size) {
        Pieces prepares = loggedIn(OLD, size);
        assertThat(prepares.asked(packets("\26select 1", "\3select 1"))).containsExactly(NOISE, Pieces.NO_MESSAGE);
        assertThat(prepares.answered(packets(OK))).containsExactly(Pieces.NO_MESSAGE);

        var encrypted = new Pieces(new MariaDbFraming(), size);
        assertThat(encrypted.answered(packets("\12 11.4 and salt"))).containsExactly("greeting");
        assertThat(encrypted.asked(packets("\0\12\0\0 and no more", "\26\3\1")))
                .containsExactly("login", Pieces.NO_MESSAGE);
    }

    @Test
    void name_packetThatGoesOnInTheNextOne_isOneMessage() {
        Pieces pieces = loggedIn(OLD, 1 << 20);
        String large = "\3insert into stock values ('" + "x".repeat(LONGEST) + "')";

        assertThat(pieces.asked(packets(large.substring(0, LONGEST), large.substring(LONGEST))))
                .containsExactly("query(insert stock)");
        assertThat(pieces.answered(packets(OK))).containsExactly("query(insert stock)");
    }

    private static Pieces loggedIn(String abilities, int size) {
        var pieces = new Pieces(new MariaDbFraming(), size);
        assertThat(pieces.answered(packets("\12 11.4 and salt"))).containsExactly("greeting");
        assertThat(pieces.asked(packets(abilities))).containsExactly("login");
        assertThat(pieces.answered(packets(OK))).containsExactly("login");
        return pieces;
    }

    private static byte[] packets(String... payloads) {
        var all = new ByteArrayOutputStream();
        for (String payload : payloads) {
            int length = payload.length();
            all.writeBytes(new byte[] {(byte) length, (byte) (length >> 8), (byte) (length >> 16), 0});
            all.writeBytes(payload.getBytes(ISO_8859_1));
        }
        return all.toByteArray();
    }
}
