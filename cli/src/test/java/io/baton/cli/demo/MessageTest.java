package io.baton.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MessageTest {

    @Test
    void parse_whatWasWritten_isTheSame() {
        Message message = Message.of("sale", 7, "ada");
        assertThat(Message.parse(message.toString())).isEqualTo(message);
        assertThat(message.number(0)).isEqualTo(7);
        assertThat(message.text(1)).isEqualTo("ada");
    }

    @Test
    void parse_wordAlone_hasNoArguments() {
        assertThat(Message.parse("ready")).isEqualTo(new Message("ready", List.of()));
    }
}
