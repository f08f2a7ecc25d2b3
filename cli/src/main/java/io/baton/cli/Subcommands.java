package io.baton.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;

/**
 * The subcommands of a command. Only the one that is called is made: it takes longer to read the options of all of them
 * than to do what most of them do.
 */
public final class Subcommands {

    private final Map<String, Supplier<?>> makers = new LinkedHashMap<>();

    /** Adds one, which is made by this: an annotated object, or a {@link CommandLine}. */
    public Subcommands with(String name, Supplier<?> maker) {
        makers.put(name, maker);
        return this;
    }

    /**
     * Adds to the command the subcommand that these arguments begin with. If they begin with none, as for help and
     * after a typing mistake, all are added.
     */
    public CommandLine addTo(CommandLine command, List<String> args) {
        String called = args.isEmpty() ? "" : args.get(0);
        makers.forEach((name, maker) -> {
            if (name.equals(called) || !makers.containsKey(called)) {
                command.addSubcommand(name, maker.get());
            }
        });
        return command;
    }
}
