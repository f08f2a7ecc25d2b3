package io.baton.etcd;

import static org.assertj.core.api.Assertions.fail;

import java.util.List;

/** Compares what came of one script on two servers. */
final class Agreement {

    private Agreement() {}

    /** Fails with the script as far as the first difference, and both sides of that. */
    static void assertSame(String what, List<String> simulated, List<String> real) {
        int same = 0;
        while (same < simulated.size()
                && same < real.size()
                && simulated.get(same).equals(real.get(same))) {
            same++;
        }
        if (same < simulated.size() || same < real.size()) {
            fail(what + "\n" + String.join("\n", real.subList(0, same)) + "\nthen, simulated:\n" + next(simulated, same)
                    + "\nand real:\n" + next(real, same));
        }
    }

    private static String next(List<String> lines, int from) {
        return from < lines.size() ? lines.get(from) : "nothing more";
    }
}
