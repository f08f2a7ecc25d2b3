package io.baton.chaos.check;

import io.baton.chaos.check.Holding.Sharing;
import io.baton.chaos.check.Write.Outcome;
import io.baton.chaos.history.Costs;
import io.baton.chaos.history.Event;
import io.baton.chaos.history.FencingToken;
import io.baton.chaos.history.HistoryFolder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the events of a run tell, put together: who held what and when, what was written, what was done to them. */
public final class RunHistory {

    private record Key(String lock, FencingToken token, String who) {}

    private final Map<String, Ask> asks = new LinkedHashMap<>();
    private final List<Holding> holdings = new ArrayList<>();
    private final Map<Key, Holding> newestHoldings = new HashMap<>();
    private final Map<String, Long> evictions = new HashMap<>();
    private final Map<Key, Part> parts = new LinkedHashMap<>();
    private final Map<String, Write> writes = new LinkedHashMap<>();
    private final List<Disturbance> disturbances = new ArrayList<>();
    private final List<LossWindow> lossWindows = new ArrayList<>();
    private final List<Long> healings = new ArrayList<>();
    private final List<Counted> counted = new ArrayList<>();
    private final List<Left> left = new ArrayList<>();
    private final RecipeHistory recipes = new RecipeHistory();
    private final List<Event> troubles = new ArrayList<>();
    private final Map<String, Long> killed = new HashMap<>();
    private final Map<String, Long> lastAsked = new HashMap<>();
    private final Set<String> contenders = new HashSet<>();
    private long newest = Long.MIN_VALUE;

    /** An empty one. */
    public RunHistory() {}

    /** What the files of a folder tell. */
    public static RunHistory of(HistoryFolder folder) {
        RunHistory history = new RunHistory();
        folder.read(history::add);
        return history;
    }

    /** What these lines tell. */
    public static RunHistory of(List<String> lines) {
        RunHistory history = new RunHistory();
        lines.forEach(line -> history.add(Event.parse(line)));
        return history;
    }

    /** Adds an event; those of one contender in their order. */
    public void add(Event event) {
        newest = Math.max(newest, event.nanos());
        switch (event.what()) {
            case CONNECTED -> contenders.add(event.who());
            case ASKED -> asked(event);
            case GAVE_UP -> answered(event);
            case GRANTED -> granted(event);
            case LOOKED -> looked(event);
            case TAKEN -> taken(event);
            case GONE -> Optional.ofNullable(parts.get(key(event))).ifPresent(part -> part.gone(event.nanos()));
            case LOST -> holding(event).ifPresent(holding -> holding.toldLost(event.nanos()));
            case RELEASING -> holding(event).ifPresent(holding -> holding.releasing(event.nanos()));
            case ATTEMPTED -> attempted(event);
            case APPLIED -> ended(event, Outcome.APPLIED);
            case REFUSED -> ended(event, Outcome.REFUSED);
            case FAILED -> ended(event, Outcome.FAILED);
            case UNKNOWN -> ended(event, Outcome.UNKNOWN);
            case FAULT -> disturbed(event);
            case EVICTING -> evicting(event);
            case HEALED -> healings.add(event.nanos());
            case KILLED -> killed.put(event.text("process"), event.nanos());
            case COUNTED ->
                counted.add(new Counted(event.text("lock"), event.number("value"), event.text("write"), event.nanos()));
            case ADDING,
                    ADDED,
                    NOT_ADDED,
                    NUMBERED,
                    SUMMED,
                    TOLD_VERDICT,
                    COUNTING_DOWN,
                    COUNTED_DOWN,
                    LET_GO,
                    ANSWERING,
                    ANSWERED,
                    MEMBER,
                    SAW_MEMBERS -> recipes.add(event);
            case LEFT -> left.add(new Left(event.text("lock"), event.number("entries"), event.nanos()));
            case TROUBLE, UNFINISHED, DIED -> troubles.add(event);
            case RELEASED, ENDED, OVER -> {
                // Only for people who read the history.
            }
            case ELECTED, STOPPED, RESIGNING, HANDING_OVER, SAW, READ ->
                throw new IllegalArgumentException("of an election, and not of locks: " + event.line());
        }
    }

    private void disturbed(Event event) {
        String costs = event.has("costs") ? event.text("costs") : Costs.ANY_HOLD;
        disturbances.add(new Disturbance(event.text("kind"), event.text("target"), costs, event.nanos()));
        if (event.has("safe")) {
            lossWindows.add(new LossWindow(event.number("safe"), event.number("gone")));
        }
    }

    private void asked(Event event) {
        asks.put(event.text("ask"), new Ask(event.who(), event.text("lock"), event.nanos()));
        lastAsked.merge(event.who(), event.nanos(), Math::max);
    }

    private void answered(Event event) {
        Optional.ofNullable(asks.get(event.text("ask"))).ifPresent(Ask::answer);
    }

    private void granted(Event event) {
        answered(event);
        Sharing sharing = sharing(event);
        boolean downgraded =
                sharing.shared() && holding(event).filter(Holding::exclusive).isPresent();
        Holding holding = new Holding(
                event.who(),
                event.text("lock"),
                event.token(),
                askedAt(event),
                event.nanos(),
                event.number("remaining"),
                event.number("seen"),
                sharing,
                Terms.of(event),
                downgraded);
        holdings.add(holding);
        Optional.ofNullable(evictions.get(entry(event))).ifPresent(holding::evicted);
        newestHoldings.put(key(event), holding);
    }

    private void evicting(Event event) {
        evictions.merge(entry(event), event.nanos(), Math::min);
        holdings.stream()
                .filter(holding -> holding.lock().equals(event.text("lock"))
                        && holding.token().equals(event.token()))
                .forEach(holding -> holding.evicted(event.nanos()));
    }

    private static String entry(Event event) {
        return event.text("lock") + " " + event.token();
    }

    private static Sharing sharing(Event event) {
        return event.has("permits")
                ? new Sharing(false, event.number("permits"), event.number("size"))
                : new Sharing(event.has("claim") && event.text("claim").equals("shared"), 0, 0);
    }

    /** Of several locks, all but the first are asked for later than that one, at a moment that is not known. */
    private long askedAt(Event event) {
        return Optional.ofNullable(asks.get(event.text("ask")))
                .filter(ask -> ask.lock().equals(event.text("lock")))
                .map(Ask::at)
                .orElse(event.nanos());
    }

    private void taken(Event event) {
        parts.put(key(event), new Part(event.who(), event.text("lock"), event.token(), askedAt(event), event.nanos()));
    }

    private void looked(Event event) {
        holding(event).ifPresent(holding -> {
            holding.looked(event.nanos(), event.number("remaining"), event.number("seen"));
            if (event.text("state").equals("LOST")) {
                holding.sawLost(event.nanos());
            }
        });
    }

    private void attempted(Event event) {
        writes.put(
                event.text("write"),
                new Write(
                        event.text("write"),
                        event.who(),
                        event.text("lock"),
                        event.token(),
                        event.number("value"),
                        event.text("read"),
                        event.nanos()));
    }

    private void ended(Event event, Outcome outcome) {
        Optional.ofNullable(writes.get(event.text("write"))).ifPresent(write -> write.ended(outcome, event.nanos()));
    }

    private Optional<Holding> holding(Event event) {
        return Optional.ofNullable(newestHoldings.get(key(event)));
    }

    private static Key key(Event event) {
        return new Key(event.text("lock"), event.token(), event.who());
    }

    /** How many there were who contended, those that took another's place counted anew. */
    public int contenders() {
        return contenders.size();
    }

    /** How many holds were granted. */
    public int holds() {
        return holdings.size();
    }

    /** How many holds of each kind were granted. */
    public Map<String, Long> grants() {
        return counted(holdings.stream().map(Holding::kind));
    }

    /** How many holds of each kind their holders saw lost. */
    public Map<String, Long> losses() {
        return counted(holdings.stream().filter(Holding::lost).map(Holding::kind));
    }

    /** How many locks were acquired as parts of several. */
    public int parts() {
        return parts.size();
    }

    /** How often a place in line was passed on within a process. */
    public long handOvers() {
        List<Holding> inCohorts = holdings.stream()
                .filter(holding -> holding.terms().handOvers() > 0)
                .toList();
        long places = inCohorts.stream()
                .map(holding -> List.of(holding.lock(), holding.token().token()))
                .distinct()
                .count();
        return inCohorts.size() - places;
    }

    /** How many writes were applied for certain. */
    public long applied() {
        return writes.values().stream().filter(Write::applied).count();
    }

    /** How many writes ended so. */
    public Map<String, Long> outcomes() {
        return counted(
                writes.values().stream().map(write -> write.outcome().name().toLowerCase(Locale.ROOT)));
    }

    /** How many faults there were of each kind. */
    public Map<String, Long> faults() {
        return counted(disturbances.stream().map(Disturbance::kind));
    }

    /** What the nemesis did, in the order in which it did. */
    List<Disturbance> disturbances() {
        return List.copyOf(disturbances);
    }

    /** When acknowledged writes may have been lost. */
    List<LossWindow> lossWindows() {
        return List.copyOf(lossWindows);
    }

    /** When the writer's hold was granted; empty if that was not recorded. */
    Optional<Long> grantedAt(Write write) {
        return Optional.ofNullable(newestHoldings.get(new Key(write.lock(), write.token(), write.who())))
                .map(Holding::granted);
    }

    /** When all was well again, each time. */
    List<Long> healings() {
        return List.copyOf(healings);
    }

    /** When the last event was. */
    long newest() {
        return newest;
    }

    /** Those who asked, had no answer, and live. */
    List<Ask> waiting() {
        return asks.values().stream()
                .filter(ask -> !ask.answered() && killed(ask.who()).isEmpty())
                .toList();
    }

    Collection<Holding> holdings() {
        return holdings;
    }

    Map<String, List<Holding>> holdingsByLock() {
        return byLock(holdings, Holding::lock);
    }

    Map<String, List<Part>> partsByLock() {
        return byLock(parts.values(), Part::lock);
    }

    Map<String, List<Write>> writesByLock() {
        return byLock(writes.values(), Write::lock);
    }

    Optional<Write> write(String id) {
        return Optional.ofNullable(writes.get(id));
    }

    List<Counted> counted() {
        return counted;
    }

    List<Left> left() {
        return left;
    }

    /** What was done with recipes beside the locks. */
    public RecipeHistory recipes() {
        return recipes;
    }

    List<Event> troubles() {
        return troubles;
    }

    /** When this one asked last for anything; long before all else if it never did. */
    long lastAsked(String who) {
        return lastAsked.getOrDefault(who, Long.MIN_VALUE);
    }

    /** When the process of whoever is called so was killed. */
    Optional<Long> killed(String who) {
        return Optional.ofNullable(killed.get(Event.processOf(who)));
    }

    private static Map<String, Long> counted(Stream<String> words) {
        return words.collect(Collectors.groupingBy(word -> word, TreeMap::new, Collectors.counting()));
    }

    private static <T> Map<String, List<T>> byLock(Collection<T> all, Function<T, String> lock) {
        return all.stream().collect(Collectors.groupingBy(lock, TreeMap::new, Collectors.toList()));
    }
}
