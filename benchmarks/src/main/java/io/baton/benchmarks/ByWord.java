package io.baton.benchmarks;

import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Takes the constants of an enum by the words that tables, raw data and URIs have for them. */
public abstract class ByWord<E extends Enum<E>> implements ITypeConverter<E> {

    private final String kind;
    private final Class<E> type;
    private final Function<E, String> word;

    /**
     * For these constants.
     *
     * @param kind what they are, as {@code store}
     */
    protected ByWord(String kind, Class<E> type, Function<E, String> word) {
        this.kind = kind;
        this.type = type;
        this.word = word;
    }

    @Override
    public E convert(String asked) {
        return Stream.of(type.getEnumConstants())
                .filter(each -> word.apply(each).equals(asked))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("no such " + kind + ": " + asked + " (there are "
                        + Stream.of(type.getEnumConstants()).map(word).collect(Collectors.joining(", ")) + ")"));
    }
}
