package io.baton.cli;

import java.util.Collection;
import java.util.List;

/** Suggests words for a misspelt one. */
public final class Spelling {

    /** Allows one error per this many characters. */
    private static final int CHARACTERS_PER_SLIP = 3;

    private Spelling() {}

    /** Returns those of these words that are nearest to it, if they are near enough. */
    public static List<String> like(String word, Collection<String> words) {
        int most = Math.min(Math.max(1, word.length() / CHARACTERS_PER_SLIP), word.length() - 2);
        int nearest =
                words.stream().mapToInt(each -> distance(word, each)).min().orElse(Integer.MAX_VALUE);
        return nearest > most
                ? List.of()
                : words.stream().filter(each -> distance(word, each) == nearest).toList();
    }

    /**
     * The number of characters that are missing, superfluous, wrong or swapped with a neighbour. This is the optimal
     * string alignment distance (Damerau 1964, restricted). Takes time proportional to the product of the lengths,
     * which are short on a command line.
     */
    static int distance(String one, String other) {
        int apart = Math.abs(one.length() - other.length());
        if (apart > other.length()) {
            return apart;
        }
        int[] beforeLast = new int[other.length() + 1];
        int[] last = new int[other.length() + 1];
        int[] now = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            now[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                boolean same = one.charAt(i - 1) == other.charAt(j - 1);
                int least = Math.min(Math.min(last[j], now[j - 1]) + 1, last[j - 1] + (same ? 0 : 1));
                boolean swapped = i > 1
                        && j > 1
                        && one.charAt(i - 1) == other.charAt(j - 2)
                        && one.charAt(i - 2) == other.charAt(j - 1);
                now[j] = swapped ? Math.min(least, beforeLast[j - 2] + 1) : least;
            }
            int[] oldest = beforeLast;
            beforeLast = last;
            last = now;
            now = oldest;
        }
        return last[other.length()];
    }
}
