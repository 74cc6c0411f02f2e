package io.sluice.deployer.command;

import io.sluice.server.version.BuildVersion;
import picocli.CommandLine.IVersionProvider;

/** The lines of {@code sluice.sh --version}. */
final class VersionText implements IVersionProvider {
    @Override
    public String[] getVersion() {
        BuildVersion build = BuildVersion.ofThisBuild();
        return new String[] {
            "Sluice " + build.version(),
            build.commit().isPresent()
                    ? "commit " + build.commitText() + " of " + build.committedText()
                    : "commit " + BuildVersion.UNKNOWN,
            "Java " + BuildVersion.java() + ", " + System.getProperty("java.vendor") + ", "
                    + System.getProperty("java.home"),
        };
    }
}
