package io.baton.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.baton.Item;
import java.io.IOException;
import java.io.UncheckedIOException;

/** How Baton's own records of a space are written: JSON, in which a later version may find and leave more. */
final class Json {

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private Json() {}

    static byte[] write(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException defect) {
            throw new UncheckedIOException(defect);
        }
    }

    /**
     * What a record of Baton's says.
     *
     * @throws ConfigException if it is none; the message names it and shows nothing of it
     */
    static <T> T read(Item item, Class<T> type) {
        try {
            T value = MAPPER.readValue(item.value(), type);
            if (value != null) {
                return value;
            }
        } catch (IOException | IllegalArgumentException broken) {
            throw new ConfigException(item.key() + " is not as Baton writes it; another program may have written it");
        }
        throw new ConfigException(item.key() + " is empty; another program may have written it");
    }
}
