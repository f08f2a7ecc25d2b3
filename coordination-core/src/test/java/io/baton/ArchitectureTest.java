package io.baton;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.baton.spi.EventLoop;
import java.time.Clock;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What the parts of the core may know of each other, and of the world. */
class ArchitectureTest {

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.baton");

    @Test
    void storeInterface_always_knowsNoClient() {
        noClasses()
                .that()
                .resideInAPackage("io.baton.spi")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.baton.internal..", "io.baton.memory")
                .check(CORE);
    }

    @Test
    void memoryStore_always_knowsNoClient() {
        noClasses()
                .that()
                .resideInAPackage("io.baton.memory")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.baton.internal..")
                .check(CORE);
    }

    /** Or recipes would be bound to how the client is made. */
    @Test
    void whatRecipesAreBuiltWith_always_knowsNoClient() {
        noClasses()
                .that()
                .resideInAPackage("io.baton.recipe")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.baton.internal..", "io.baton.memory")
                .check(CORE);
    }

    @Test
    void client_always_knowsNoParticularStore() {
        noClasses()
                .that()
                .resideInAnyPackage("io.baton.internal..", "io.baton")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.baton.memory")
                .check(CORE);
    }

    @Test
    void packagesOfTheClient_always_dependOnEachOtherInOneDirection() {
        slices().matching("io.baton.internal.(*)..").should().beFreeOfCycles().check(CORE);
    }

    @Test
    void time_everywhereButInTheEventLoop_comesFromTheLoop() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(EventLoop.class.getName())
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Clock.class)
                .check(CORE);
    }

    @Test
    void chance_everywhereButInTheEventLoop_comesFromTheLoop() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(EventLoop.class.getName())
                .should()
                .dependOnClassesThat()
                .areAssignableTo(java.util.Random.class)
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethod(java.util.UUID.class, "randomUUID")
                .check(CORE);
    }
}
