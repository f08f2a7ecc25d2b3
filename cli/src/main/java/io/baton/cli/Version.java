package io.baton.cli;

import picocli.CommandLine.IVersionProvider;

/** The version in the jar's manifest. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {"baton " + (version == null ? "(not packaged)" : version)};
    }
}
