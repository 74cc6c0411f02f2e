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
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginLoaderTest {
    @TempDir
    Path directory;

    private Path plugins;

    @BeforeEach
    void pluginDirectory() throws IOException {
        plugins = Files.createDirectory(directory.resolve("plugin"));
    }

    /** Stands for a library that the launcher and a plugin both have, each in a version of its own. */
    public static final class Library {
        private Library() {}

        public static String version() {
            return "the launcher's";
        }
    }

    @Test
    void eachJarAndEachDirectoryOfJarsIsAPlugin() throws Exception {
        jar(plugins.resolve("b.jar"), provider("B", "return \"b\";"));
        Files.createDirectory(plugins.resolve("a"));
        Path other = plugins.resolve("a/other.jar");
        jar(other, Map.of("Other", "public class Other { public static String text() { return \"a\"; } }"));
        jar(plugins.resolve("a/main.jar"), provider("A", "return Other.text();"), other);
        Files.writeString(plugins.resolve("readme.txt"), "not a plugin");

        assertThat(answers()).containsExactly("a", "b");
    }

    @Test
    void aPluginsOwnClassComesFirst() throws Exception {
        String library = "io.sluice.deployer.PluginLoaderTest.Library";
        Map<String, String> sources = new TreeMap<>(provider("P", "return " + library + ".version();"));
        sources.put("io.sluice.deployer.PluginLoaderTest", """
                package io.sluice.deployer;
                public class PluginLoaderTest {
                    public static class Library {
                        public static String version() { return "the plugin's"; }
                    }
                }
                """);
        jar(plugins.resolve("p.jar"), sources);

        assertThat(Library.version()).isEqualTo("the launcher's");
        assertThat(answers()).containsExactly("the plugin's");
    }

    @Test
    void sharedClassesComeFromTheLauncher() throws Exception {
        Map<String, String> sources =
                new TreeMap<>(provider("P", "return org.slf4j.Logger.class.getClassLoader().getName();"));
        sources.put("org.slf4j.Logger", "package org.slf4j; public interface Logger {}");
        jar(plugins.resolve("p.jar"), sources);

        assertThat(answers()).containsExactly(getClass().getClassLoader().getName());
    }

    @Test
    void filesInConfAreResources() throws Exception {
        Path conf = directory.resolve("conf");
        ClassLoader resources = ResourceFolder.loader(conf);
        Files.writeString(Files.createDirectory(conf).resolve("words.txt"), "of the operator");
        String read = "try (java.io.InputStream in = P.class.getResourceAsStream(\"/words.txt\")) {"
                + " return new String(in.readAllBytes());"
                + " } catch (java.io.IOException e) { throw new java.io.UncheckedIOException(e); }";
        jar(plugins.resolve("q.jar"), provider("P", read));

        List<Object> answers = new ArrayList<>();
        for (Callable<?> provider : new PluginLoader(plugins, resources).providersOf(Callable.class)) {
            answers.add(provider.call());
        }

        assertThat(answers).containsExactly("of the operator");
    }

    @Test
    void noDirectoryIsNoPlugin() throws IOException {
        assertThat(new PluginLoader(directory.resolve("nowhere"), parent()).providersOf(Callable.class))
                .isEmpty();
    }

    private static ClassLoader parent() {
        return PluginLoaderTest.class.getClassLoader();
    }

    private List<Object> answers() throws Exception {
        List<Object> answers = new ArrayList<>();
        for (Callable<?> provider : new PluginLoader(plugins, parent()).providersOf(Callable.class)) {
            answers.add(provider.call());
        }
        return answers;
    }

    private static Map<String, String> provider(String name, String body) {
        return Map.of(
                name,
                "public class " + name + " implements java.util.concurrent.Callable<String> {"
                        + " public String call() { " + body + " } }");
    }

    /** Compiles classes, which may use other jars, into a jar whose providers are those that are callable. */
    private void jar(Path jar, Map<String, String> sources, Path... uses) throws IOException {
        Path work = Files.createTempDirectory(directory, "classes");
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
            if (source.getValue().contains("Callable")) {
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
                out.putNextEntry(new JarEntry("META-INF/services/java.util.concurrent.Callable"));
                out.write(String.join("\n", providers).getBytes(StandardCharsets.UTF_8));
            }
        }
    }
}
