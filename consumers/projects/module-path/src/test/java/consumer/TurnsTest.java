package consumer;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.module.ModuleDescriptor;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TurnsTest {

    /** Those that depend on nothing but modules with names of their own. */
    @Test
    void modules_thatSayWhatTheyNeed() {
        assertTrue(Turns.class.getModule().isNamed());
        Set<String> modules = ModuleLayer.boot().modules().stream()
                .map(Module::getDescriptor)
                .filter(descriptor -> descriptor.name().startsWith("io.baton"))
                .filter(descriptor -> !descriptor.isAutomatic())
                .map(ModuleDescriptor::name)
                .collect(toSet());
        assertEquals(
                Set.of("io.baton.core", "io.baton.election", "io.baton.config", "io.baton.micrometer"), modules);
    }

    @Test
    void modules_thatAreAutomatic() {
        Set<String> modules = ModuleLayer.boot().modules().stream()
                .map(Module::getDescriptor)
                .filter(descriptor -> descriptor.name().startsWith("io.baton"))
                .filter(ModuleDescriptor::isAutomatic)
                .map(ModuleDescriptor::name)
                .collect(toSet());
        assertEquals(Set.of("io.baton.zookeeper", "io.baton.etcd"), modules);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ZOOKEEPER_STORE", "ETCD_STORE"})
    void lock_onARealStore_isHeld(String store) throws Exception {
        assertTrue(Turns.holds(System.getenv(store)));
    }

    @Test
    void election_ofNobody_hasNoLeader() throws Exception {
        assertFalse(Turns.someoneLeads("mem:consumer"));
    }

    @Test
    void configuration_isRead() throws Exception {
        assertTrue(Turns.configured("mem:consumer", "7").contains("7"));
    }
}
