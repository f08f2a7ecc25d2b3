package io.baton.tck;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Tells a chapter the contract in which it stands, and so its store. */
final class ContractStore implements BeforeEachCallback {

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        var instances = context.getRequiredTestInstances();
        Contract contract = instances
                .findInstance(Contract.class)
                .orElseThrow(() -> new IllegalStateException("a chapter stands in a contract"));
        instances.findInstance(Chapter.class).orElseThrow().begin(contract);
    }
}
