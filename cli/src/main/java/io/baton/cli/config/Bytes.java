package io.baton.cli.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a number of bytes: {@code 16M}, {@code 500K}, {@code 1G}, in units of 1,024, or a plain number. */
final class Bytes implements ITypeConverter<Long> {

    private static final String UNITS = "KMG";
    private static final int BITS_PER_UNIT = 10;
    private static final Pattern SIZE = Pattern.compile("(\\d{1,9})([KMG]?)");

    @Override
    public Long convert(String text) {
        Matcher matcher = SIZE.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is no size as 16M, 500K or 1G");
        }
        int unit = matcher.group(2).isEmpty() ? 0 : 1 + UNITS.indexOf(matcher.group(2));
        return Long.parseLong(matcher.group(1)) << (BITS_PER_UNIT * unit);
    }

    /** Formats a number of bytes approximately. */
    static String format(long bytes) {
        long amount = bytes;
        int unit = 0;
        while (unit < UNITS.length() && amount >= 10L << BITS_PER_UNIT) {
            amount >>= BITS_PER_UNIT;
            unit++;
        }
        return unit == 0 ? amount + " bytes" : amount + " " + UNITS.charAt(unit - 1) + "iB";
    }
}
