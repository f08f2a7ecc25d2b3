package io.baton.cli.demo;

import java.util.List;

/**
 * One line between the demo and a worker: a verb and its arguments.
 *
 * @param verb what to do, or what was done
 * @param args the arguments, without spaces inside
 */
record Message(String verb, List<String> args) {

    static final String GONE = "gone";
    static final String FAILED = "failed";

    static Message of(String verb, Object... args) {
        return new Message(verb, List.of(args).stream().map(Object::toString).toList());
    }

    static Message parse(String line) {
        List<String> words = List.of(line.strip().split(" +", -1));
        return new Message(words.get(0), words.subList(1, words.size()));
    }

    /** The argument at this index, as a number. */
    long number(int index) {
        return Long.parseLong(args.get(index));
    }

    String text(int index) {
        return args.get(index);
    }

    @Override
    public String toString() {
        return args.isEmpty() ? verb : verb + " " + String.join(" ", args);
    }
}
