package io.baton.config.internal.record;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.baton.Item;
import io.baton.config.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** How Baton's own records of a space are written: JSON, in which a later version may find and leave more. */
public final class Json {

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private Json() {}

    public static byte[] write(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException defect) {
            throw new UncheckedIOException(defect);
        }
    }

    /** What these bytes say; empty if they are nothing that Baton writes. */
    public static <T> Optional<T> read(byte[] bytes, Class<T> type) {
        try {
            return Optional.ofNullable(MAPPER.readValue(bytes, type));
        } catch (IOException | IllegalArgumentException foreign) {
            return Optional.empty();
        }
    }

    /**
     * What a record of Baton's says.
     *
     * @throws ConfigException if it is none; the message names it and shows nothing of it
     */
    public static <T> T read(Item item, Class<T> type) {
        return read(item.value(), type)
                .orElseThrow(() -> new ConfigException(
                        item.key() + " is not as Baton writes it; another program may have written it"));
    }
}
