package io.baton.testkit.etcd;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A version of etcd, such as 3.5.16. */
public record EtcdVersion(int major, int minor, int patch) implements Comparable<EtcdVersion> {

    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,9})\\.(\\d{1,9})\\.(\\d{1,9})");

    private static final Comparator<EtcdVersion> ORDER = Comparator.comparingInt(EtcdVersion::major)
            .thenComparingInt(EtcdVersion::minor)
            .thenComparingInt(EtcdVersion::patch);

    /**
     * Returns the first version in a text, such as the output of {@code etcd --version}.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static EtcdVersion in(String text) {
        Matcher numbers = NUMBERS.matcher(text);
        if (!numbers.find()) {
            throw new IllegalArgumentException("no version in: " + text);
        }
        return new EtcdVersion(
                Integer.parseInt(numbers.group(1)),
                Integer.parseInt(numbers.group(2)),
                Integer.parseInt(numbers.group(3)));
    }

    @Override
    public int compareTo(EtcdVersion other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
