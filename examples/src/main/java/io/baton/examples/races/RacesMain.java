package io.baton.examples.races;

import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Plays both races with each protection, and prints what came of them. */
final class RacesMain {

    private static final int BALANCE = 100;

    private final Map<String, String> options = new HashMap<>(Map.of(
            "--jdbc", "jdbc:h2:mem:races;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000",
            "--store", "mem:races",
            "--rounds", "20",
            "--buyers", "10,50",
            "--stock", "300",
            "--work-us", "1000"));

    private RacesMain() {}

    public static void main(String[] args) throws SQLException, InterruptedException {
        RacesMain main = new RacesMain();
        for (int index = 0; index < args.length; index += 2) {
            if (!main.options.containsKey(args[index]) || index + 1 == args.length) {
                System.err.println("races: options are " + String.join(" V ", main.options.keySet()) + " V");
                System.exit(2);
            }
            main.options.put(args[index], args[index + 1]);
        }
        main.play();
        System.exit(0);
    }

    private void play() throws SQLException, InterruptedException {
        Duration work = Duration.ofNanos(1_000L * number("--work-us"));
        try (Race race = new Race(text("--jdbc"), text("--store"))) {
            System.out.printf(
                    "locks on %s, work between reading and writing: %d us%n", text("--store"), work.toNanos() / 1_000);
            int rounds = number("--rounds");
            print(
                    "An account of " + BALANCE + ", " + rounds + " times: two transfers of " + BALANCE + " at once",
                    "paid too much",
                    race,
                    rounds,
                    frozen -> new RaceRules(2, BALANCE, BALANCE, false, work, frozen));
            for (String buyers : text("--buyers").split(",", -1)) {
                int stock = number("--stock");
                print(
                        "A sale of " + stock + " pieces to " + buyers + " buyers",
                        "sold too many",
                        race,
                        1,
                        frozen -> new RaceRules(Integer.parseInt(buyers), stock, 1, true, work, frozen));
            }
        }
    }

    private void print(String title, String wrong, Race race, int rounds, Rules rules)
            throws SQLException, InterruptedException {
        System.out.printf("%n%s%n%n", title);
        System.out.printf("| | %s | purchases a second | longest wait, ms |%n|---|---|---|---|%n", wrong);
        for (boolean frozen : new boolean[] {false, true}) {
            for (Protection each : Protection.values()) {
                boolean enough = rules.frozen(frozen).untilSoldOut() || each.rows() == 1;
                if (enough && (!frozen || holdsWhileItWorks(each))) {
                    race.play(each, rules.frozen(false)); // for the compiler's sake
                    RaceResult sum = race.play(each, rules.frozen(frozen));
                    for (int round = 1; round < (frozen ? Math.min(rounds, 5) : rounds); round++) {
                        sum = sum.plus(race.play(each, rules.frozen(frozen)));
                    }
                    System.out.println(row(each.label() + (frozen ? "; one is frozen" : ""), sum));
                }
            }
        }
    }

    private static boolean holdsWhileItWorks(Protection protection) {
        return switch (protection) {
            case FOR_UPDATE, LOCK, FENCED_LOCK, SEGMENTS -> true;
            case NONE, CONDITIONAL, OPTIMISTIC -> false;
        };
    }

    private static String row(String label, RaceResult result) {
        return String.format(
                Locale.ROOT,
                "| %s | %s | %,.0f | %,.1f |",
                label,
                result.tooMuch() == 0 ? "0" : String.format(Locale.ROOT, "**%,d**", result.tooMuch()),
                result.purchasesPerSecond(),
                result.longestWait().toNanos() / 1e6);
    }

    private String text(String option) {
        return options.getOrDefault(option, "");
    }

    private int number(String option) {
        return Integer.parseInt(text(option));
    }

    /** The rules with one buyer frozen, or without. */
    private interface Rules {
        RaceRules frozen(boolean frozen);
    }
}
