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

/** Encodes Baton's own records of a space as JSON. Unknown fields are ignored, so a later version may add some. */
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

    /** Parses these bytes; empty if they are not in Baton's format. */
    public static <T> Optional<T> read(byte[] bytes, Class<T> type) {
        try {
            return Optional.ofNullable(MAPPER.readValue(bytes, type));
        } catch (IOException | IllegalArgumentException foreign) {
            return Optional.empty();
        }
    }

    /**
     * Parses a record of Baton's.
     *
     * @throws ConfigException if it is not in Baton's format; the message names it and shows no contents
     */
    public static <T> T read(Item item, Class<T> type) {
        return read(item.value(), type)
                .orElseThrow(() -> new ConfigException(
                        item.key() + " is not as Baton writes it; another program may have written it"));
    }
}
