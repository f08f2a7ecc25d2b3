package io.baton.examples;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.baton.spi.EventLoop;
import io.baton.spi.support.Background;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What holds of the code of all modules that services use. */
class LibraryCodeTest {

    private static final JavaClasses LIBRARY = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("/testkit/")
                    && !location.contains("/store-tck/")
                    && !location.contains("/examples/"))
            .importPackages("io.baton");

    private static final Set<String> TOO_LITTLE =
            Set.of(Error.class.getName(), Exception.class.getName(), RuntimeException.class.getName());

    /** Users' code may throw checked exceptions past the compiler: Kotlin, Scala and Lombok let it. */
    @Test
    void failures_whateverTheyAre_areCaughtWhole() {
        methods()
                .that()
                // Where there is no memory, its file is not to be set aside.
                .areNotDeclaredIn("io.baton.config.internal.cache.CacheFile")
                .should(catchAllOrOneKind())
                .check(LIBRARY);
    }

    /** Where there is none to be had, nothing may end that somebody relies on. */
    @Test
    void threads_startedForATask_areStartedInOnePlace() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(EventLoop.class.getName())
                .and()
                .doNotHaveFullyQualifiedName(Background.class.getName())
                .and()
                .doNotHaveFullyQualifiedName("io.baton.internal.callback.CallbackPool")
                .should()
                .callMethod(Thread.class, "start")
                .check(LIBRARY);
    }

    /** Stores and recipes are built on what is public, so that others can build theirs. */
    @Test
    void client_outsideTheCore_isNotKnown() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.baton", "io.baton.internal..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.baton.internal..")
                .check(LIBRARY);
    }

    /** That they can be written like this shows that the public packages are complete. */
    @Test
    void recipes_besideTheLocks_useThePublicPackagesOnly() {
        uses("io.baton.recipes..", "io.baton", "io.baton.recipe", "com.google.common.hash");
        uses("io.baton.fence..", "io.baton");
    }

    /** Packages depend on themselves, on these, on the JDK, and on nothing else. */
    private static void uses(String packages, String... others) {
        classes()
                .that()
                .resideInAPackage(packages)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(others)
                        .or(resideInAnyPackage(packages, "java..", "org.jspecify.annotations")))
                .check(LIBRARY);
    }

    /** Within a module one may begin to read at the bottom. The package that programs use stands beside them. */
    @Test
    void packages_ofAModule_dependOnEachOtherInOneDirection() {
        for (String module : List.of("election", "config", "recipes", "fence", "zookeeper", "etcd")) {
            slices().matching("io.baton." + module + ".(**)")
                    .should()
                    .beFreeOfCycles()
                    .check(LIBRARY);
        }
    }

    private static ArchCondition<JavaMethod> catchAllOrOneKind() {
        return new ArchCondition<>("catch Throwable or what they know of, and nothing between") {
            @Override
            public void check(JavaMethod method, ConditionEvents events) {
                method.getTryCatchBlocks().stream()
                        .flatMap(block -> block.getCaughtThrowables().stream())
                        .filter(caught -> TOO_LITTLE.contains(caught.getName()))
                        .forEach(caught -> events.add(SimpleConditionEvent.violated(
                                method, method.getFullName() + " catches " + caught.getName())));
            }
        };
    }
}
