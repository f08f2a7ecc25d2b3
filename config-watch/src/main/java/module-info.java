/** Live typed configuration. */
module io.baton.config {
    requires static transitive org.jspecify;
    requires static jakarta.validation;
    requires org.slf4j;
    requires transitive io.baton.core;
    requires com.fasterxml.jackson.databind;
    requires com.fasterxml.jackson.dataformat.yaml;
    requires com.fasterxml.jackson.datatype.jdk8;
    requires org.yaml.snakeyaml;

    exports io.baton.config;

    // Records of Baton's own are read and written by it.
    opens io.baton.config.internal.active to
            com.fasterxml.jackson.databind;
    opens io.baton.config.internal.record to
            com.fasterxml.jackson.databind;
}
