package io.baton.benchmarks.config;

import java.util.Locale;

/** What is measured. */
enum ConfigCase {
    /** From the write until the listener. */
    LATENCY {
        @Override
        void measure(Scene scene, Size size) throws Exception {
            new Latency(scene, size).measure();
        }
    },
    /** Until many keys are there, and what they take of the heap. */
    SNAPSHOT {
        @Override
        void measure(Scene scene, Size size) throws Exception {
            new FirstSnapshot(scene, size).measure();
        }
    },
    /** Many changes a second. */
    RATE {
        @Override
        void measure(Scene scene, Size size) throws Exception {
            new Rate(scene, size).measure();
        }
    },
    /** Many followers. */
    FOLLOWERS {
        @Override
        void measure(Scene scene, Size size) throws Exception {
            new Crowd(scene, size).measure();
        }
    };

    abstract void measure(Scene scene, Size size) throws Exception;

    /** As on a command line. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
