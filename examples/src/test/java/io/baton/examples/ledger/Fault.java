package io.baton.examples.ledger;

import io.baton.testkit.server.Freezer;

/** What befalls the active process. */
enum Fault {
    KILLED {
        @Override
        void strike(Nodes nodes, String id, Turnover turnover) throws Exception {
            nodes.get(id).kill();
            turnover.await();
            nodes.restart(id);
        }
    },
    /** Beyond its deadline, with requests waiting; and on waking it writes without a look at its term, which must be refused. */
    FROZEN {
        @Override
        void strike(Nodes nodes, String id, Turnover turnover) throws Exception {
            NodeProcess frozen = nodes.get(id);
            Freezer freezer = frozen.freeze();
            try {
                turnover.await();
                nodes.stragglers().post(frozen.port());
            } finally {
                freezer.thaw();
            }
            frozen.await(RecklessNode.REFUSED);
        }
    },
    /** Told to end, as at a deployment. */
    TERMINATED {
        @Override
        void strike(Nodes nodes, String id, Turnover turnover) throws Exception {
            nodes.get(id).terminate();
            turnover.await();
            nodes.restart(id);
        }
    };

    /** Waits until a client has been acknowledged by another active one. */
    interface Turnover {
        void await() throws InterruptedException;
    }

    /** Whether the active one goes without having been demoted, so that it has to be fenced. */
    boolean unclean() {
        return this != TERMINATED;
    }

    /** Does it, and puts things right again. */
    abstract void strike(Nodes nodes, String id, Turnover turnover) throws Exception;
}
