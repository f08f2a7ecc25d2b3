package io.baton.mutations;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pitest.bytecode.analysis.ClassTree;
import org.pitest.classinfo.ClassByteArraySource;
import org.pitest.classinfo.ClassName;
import org.pitest.classpath.ClassloaderByteArraySource;
import org.pitest.mutationtest.EngineArguments;
import org.pitest.mutationtest.build.CompoundInterceptorFactory;
import org.pitest.mutationtest.build.InterceptorType;
import org.pitest.mutationtest.build.MutationInterceptor;
import org.pitest.mutationtest.config.PluginServices;
import org.pitest.mutationtest.config.ReportOptions;
import org.pitest.mutationtest.engine.Mutater;
import org.pitest.mutationtest.engine.MutationDetails;
import org.pitest.mutationtest.engine.gregor.config.GregorEngineFactory;

/**
 * Finds what PIT would change in classes: its default mutators, and the one for switches, of which our machines consist.
 * What the compiler made, log messages and static initializers stay as they are.
 */
final class Planter {

    private static final List<String> MUTATORS = List.of("DEFAULTS", "EXPERIMENTAL_SWITCH");

    private final Map<String, byte[]> classes;
    private final List<String> source;
    private final Mutater mutater;
    private final MutationInterceptor filters;

    Planter(Map<String, byte[]> classes, List<String> source) {
        this.classes = classes;
        this.source = source;
        var others = new ClassloaderByteArraySource(Planter.class.getClassLoader());
        ClassByteArraySource bytes = name -> {
            byte[] own = classes.get(name.replace('/', '.'));
            return own == null ? others.getBytes(name) : Optional.of(own);
        };
        this.mutater = new GregorEngineFactory()
                .createEngine(EngineArguments.arguments().withMutators(MUTATORS))
                .createMutator(bytes);
        var options = new ReportOptions();
        options.setLoggingClasses(ReportOptions.LOGGING_CLASSES);
        this.filters = new CompoundInterceptorFactory(
                        List.of(),
                        PluginServices.makeForLoader(Planter.class.getClassLoader())
                                .findInterceptors())
                .createInterceptor(options, null, bytes, null, null)
                .filter(each -> each.type() != InterceptorType.REPORT);
    }

    /** Everything that can be changed, in the order of the lines. */
    List<Mutant> mutants() {
        var details = new ArrayList<MutationDetails>();
        classes.forEach((name, bytes) -> {
            filters.begin(ClassTree.fromBytes(bytes));
            details.addAll(filters.intercept(mutater.findMutations(ClassName.fromString(name)), mutater));
            filters.end();
        });
        details.sort(Comparator.comparingInt(MutationDetails::getLineNumber)
                .thenComparing(each -> each.getClassName().asJavaName())
                .thenComparing(MutationDetails::getFirstIndex));
        var seen = new HashMap<String, Integer>();
        return details.stream().map(each -> mutant(each, seen)).toList();
    }

    private Mutant mutant(MutationDetails details, Map<String, Integer> seen) {
        String mutator = details.getMutator().substring(details.getMutator().lastIndexOf('.') + 1);
        String name = mutator.endsWith("Mutator") ? mutator.substring(0, mutator.length() - 7) : mutator;
        int line = details.getLineNumber();
        String text = line > 0 && line <= source.size() ? source.get(line - 1).strip() : "";
        String type = details.getClassName().asJavaName();
        return new Mutant(
                type,
                details.getFilename(),
                line,
                text,
                name,
                seen.merge(String.join("\t", type, name, text), 1, Integer::sum),
                details.getDescription(),
                mutater.getMutation(details.getId()).getBytes());
    }
}
