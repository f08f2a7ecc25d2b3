package io.baton.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FencingTokenTest {

    @Test
    void parse_ofAText_tellsItAgain() {
        for (String text : List.of("7", "7/2", "1099511627776/13")) {
            assertThat(FencingToken.parse(text)).hasToString(text);
        }
        assertThat(FencingToken.parse("7/2")).isEqualTo(new FencingToken(7, 2));
        assertThat(FencingToken.parse("7")).isEqualTo(new FencingToken(7, 0));
    }

    @Test
    void isBefore_ofAnother_goesByTokensAndThenByTurns() {
        List<FencingToken> inOrder = Stream.of("6/9", "7", "7/1", "7/10", "8")
                .map(FencingToken::parse)
                .toList();

        assertThat(inOrder).isSorted();
        assertThat(inOrder.get(1).isBefore(inOrder.get(2))).isTrue();
        assertThat(inOrder.get(2).isBefore(inOrder.get(2))).isFalse();
    }
}
