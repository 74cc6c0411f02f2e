package io.sluice.bench.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShippedOptionsTest {
    private static final Path SCRIPTS = Path.of("../deployer/src/main/package/bin");

    @TempDir
    private Path work;

    @Test
    void areThoseOfTheStartScriptWithoutFilesOfAPackage() throws IOException {
        List<String> options =
                ShippedOptions.of(SCRIPTS, work, Path.of(System.getProperty("java.home"), "bin", "java"));

        assertThat(options).anyMatch(option -> option.startsWith("-Xmx"));
        assertThat(options).anyMatch(option -> option.matches("-XX:\\+Use.*GC"));
        assertThat(options).allMatch(option -> option.startsWith("-X") || option.equals("-server"));
        assertThat(options)
                .filteredOn(option -> option.contains("/"))
                .singleElement()
                .satisfies(option -> assertThat(Path.of(option.replace("-XX:CompileCommandFile=", "")))
                        .isNotEmptyFile());
    }
}
