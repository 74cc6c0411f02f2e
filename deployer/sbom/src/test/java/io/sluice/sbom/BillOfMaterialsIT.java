package io.sluice.sbom;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The list of libraries beside the package is that of the jars in it. */
class BillOfMaterialsIT {
    /** Annotations for the compiler, which the package leaves out. */
    private static final List<String> NOT_PACKAGED = List.of("jspecify", "error_prone_annotations");

    private final Path archive = Path.of(System.getProperty("sluice.package", ""));
    private JsonNode list;

    @BeforeEach
    void read() throws IOException {
        String name = archive.getFileName().toString().replace(".tar.gz", ".cdx.json");
        list = new ObjectMapper().readTree(archive.resolveSibling(name).toFile());
    }

    @Test
    void everyJarOfThePackageIsListedAndNoOther() throws Exception {
        Set<String> listed = new TreeSet<>();
        for (JsonNode component : list.path("components")) {
            String name = component.path("name").asText();
            if (!NOT_PACKAGED.contains(name)) {
                listed.add(name + "-" + component.path("version").asText() + ".jar");
            }
        }

        assertThat(listed).hasSizeGreaterThan(50).isEqualTo(jars());
    }

    @Test
    void everyLibraryHasALicenseAChecksumAndAPurl() {
        assertThat(list.path("components")).allSatisfy(component -> {
            assertThat(component.path("licenses").isEmpty())
                    .as("no license: %s", component.path("name"))
                    .isFalse();
            assertThat(component.path("hashes").findValuesAsText("alg")).contains("SHA-256");
            assertThat(component.path("purl").asText()).startsWith("pkg:maven/");
        });
    }

    private Set<String> jars() throws Exception {
        Process tar = new ProcessBuilder("tar", "tzf", archive.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String names = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(tar.waitFor()).isZero();
        Set<String> jars = new TreeSet<>();
        names.lines()
                .filter(name -> name.endsWith(".jar"))
                .forEach(name -> jars.add(name.substring(name.lastIndexOf('/') + 1)));
        return jars;
    }
}
