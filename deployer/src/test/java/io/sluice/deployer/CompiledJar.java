package io.sluice.deployer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** A jar that a test compiles. */
final class CompiledJar {
    private CompiledJar() {}

    /**
     * Compiles classes, which may use other jars.
     *
     * @param service its providers are those classes whose source has its simple name in it
     * @param sources by the name of their class
     */
    static void write(Path jar, Class<?> service, Map<String, String> sources, Path... uses) throws IOException {
        Path work = Files.createTempDirectory(jar.getParent(), ".classes"); // no plugin
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-d", work + "/out"));
        String classpath = Stream.concat(
                        Stream.of(System.getProperty("java.class.path")),
                        Arrays.stream(uses).map(Path::toString))
                .collect(Collectors.joining(File.pathSeparator));
        arguments.addAll(List.of("-cp", classpath));
        List<String> providers = new ArrayList<>();
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = work.resolve("src").resolve(source.getKey().replace('.', '/') + ".java");
            Files.createDirectories(file.getParent());
            Files.writeString(file, source.getValue());
            arguments.add(file.toString());
            if (source.getValue().contains(service.getSimpleName())) {
                providers.add(source.getKey());
            }
        }
        int failed = ToolProvider.getSystemJavaCompiler().run(null, null, System.err, arguments.toArray(String[]::new));
        assertThat(failed).isZero();
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                Stream<Path> classes = Files.walk(work.resolve("out"))) {
            for (Path path : (Iterable<Path>) classes.filter(Files::isRegularFile)::iterator) {
                out.putNextEntry(
                        new JarEntry(work.resolve("out").relativize(path).toString()));
                Files.copy(path, out);
            }
            if (!providers.isEmpty()) {
                out.putNextEntry(new JarEntry("META-INF/services/" + service.getName()));
                out.write(String.join("\n", providers).getBytes(StandardCharsets.UTF_8));
            }
        }
    }
}
