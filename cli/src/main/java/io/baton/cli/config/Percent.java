package io.baton.cli.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a percentage: {@code 20%}, or {@code 20}; 1 to 100. */
final class Percent implements ITypeConverter<Integer> {

    private static final Pattern FORM = Pattern.compile("(\\d{1,3})%?");

    @Override
    public Integer convert(String text) {
        Matcher parts = FORM.matcher(text);
        int percent = parts.matches() ? Integer.parseInt(parts.group(1)) : 0;
        if (percent < 1 || percent > 100) {
            throw new TypeConversionException("'" + text + "' is no share; write it as 20%, from 1% to 100%");
        }
        return percent;
    }
}
