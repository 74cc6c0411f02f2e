package io.sluice.deployer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.sluice.deployer.PluginLoader.Plugged;
import io.sluice.deployer.PluginLoader.Providers;
import io.sluice.deployer.PluginLoader.Unusable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("rawtypes") // Callable.class has no type parameter
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
        for (Plugged<Callable> plugged :
                new PluginLoader(plugins, resources).providersOf(Callable.class).usable()) {
            answers.add(plugged.provider().call());
        }

        assertThat(answers).containsExactly("of the operator");
    }

    @Test
    void noDirectoryIsNoPlugin() throws IOException {
        assertThat(new PluginLoader(directory.resolve("nowhere"), parent())
                        .providersOf(Callable.class)
                        .usable())
                .isEmpty();
    }

    @Test
    void aPluginThatCannotBeLoadedIsNamedAndKeepsNoOtherFromBeingLoaded() throws Exception {
        jar(plugins.resolve("good.jar"), provider("Good", "return \"good\";"));
        jar(plugins.resolve("zz.jar"), Map.of("Gone", "class Gone {}"));
        try (OutputStream file = Files.newOutputStream(plugins.resolve("aa.jar"));
                JarOutputStream out = new JarOutputStream(file)) {
            out.putNextEntry(new JarEntry("META-INF/services/java.util.concurrent.Callable"));
            out.write("dev.gone.Missing".getBytes(StandardCharsets.UTF_8));
        }
        Path cutOff = Files.createDirectory(plugins.resolve("kafka")).resolve("client.jar");
        byte[] whole = Files.readAllBytes(plugins.resolve("good.jar"));
        Files.write(cutOff, Arrays.copyOf(whole, whole.length / 2));
        jar(plugins.resolve("kafka/connector.jar"), provider("K", "return \"k\";"));

        Providers<Callable> found = load();

        assertThat(found.usable()).extracting(Plugged::plugin).containsExactly(plugins.resolve("good.jar"));
        assertThat(found.unusable()).extracting(Unusable::plugin).containsExactly(plugins.resolve("aa.jar"), cutOff);
        assertThat(found.unusable().get(0).toString())
                .startsWith(plugins.resolve("aa.jar") + " cannot be loaded: ")
                .contains("dev.gone.Missing")
                .doesNotContain("\n");
    }

    /** As {@code lost+found} of a volume. */
    @Test
    void aDirectoryThatCannotBeListedIsNamedAndKeepsNoPluginFromBeingLoaded() throws Exception {
        jar(plugins.resolve("good.jar"), provider("Good", "return \"good\";"));
        Path closed = Files.createDirectory(plugins.resolve("lost+found"));
        Files.setPosixFilePermissions(closed, Set.of());
        try {
            assumeFalse(Files.isReadable(closed), "this account may list everything");

            Providers<Callable> found = load();

            assertThat(found.usable()).extracting(Plugged::plugin).containsExactly(plugins.resolve("good.jar"));
            assertThat(found.unusable()).extracting(Unusable::plugin).containsExactly(closed);
        } finally {
            Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        }
    }

    /** As what is left of a former version, or what a file manager leaves beside a file. */
    @Test
    void whatIsHiddenIsNoPlugin() throws Exception {
        jar(plugins.resolve(".old.jar"), provider("Old", "return \"old\";"));
        jar(Files.createDirectory(plugins.resolve(".kafka-old")).resolve("a.jar"), provider("A", "return \"old\";"));
        jar(Files.createDirectory(plugins.resolve("kafka")).resolve("b.jar"), provider("B", "return \"new\";"));
        Files.writeString(plugins.resolve("kafka/._b.jar"), "no jar");

        assertThat(answers()).containsExactly("new");
        assertThat(load().unusable()).isEmpty();
    }

    private Providers<Callable> load() throws IOException {
        return new PluginLoader(plugins, parent()).providersOf(Callable.class);
    }

    private static ClassLoader parent() {
        return PluginLoaderTest.class.getClassLoader();
    }

    private List<Object> answers() throws Exception {
        List<Object> answers = new ArrayList<>();
        for (Plugged<Callable> plugged : load().usable()) {
            answers.add(plugged.provider().call());
        }
        return answers;
    }

    private static Map<String, String> provider(String name, String body) {
        return Map.of(
                name,
                "public class " + name + " implements java.util.concurrent.Callable<String> {"
                        + " public String call() { " + body + " } }");
    }

    private void jar(Path jar, Map<String, String> sources, Path... uses) throws IOException {
        CompiledJar.write(jar, Callable.class, sources, uses);
    }
}
