package io.sluice.deployer;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Loads the plugins of a {@code plugin/} directory: each jar, and each directory of jars, is a plugin with a class loader
 * of its own, so that the clients of two brokers may bring two versions of one library.
 *
 * <p>The loaders live as long as the process: a plugin is never unloaded.
 */
final class PluginLoader {
    private final Path directory;
    private final ClassLoader parent;

    /**
     * Creates a loader for a directory.
     *
     * @param directory the directory; it need not exist
     * @param parent has the classes that plugins share with the server, and those that they do not bring
     */
    PluginLoader(Path directory, ClassLoader parent) {
        this.directory = directory;
        this.parent = parent;
    }

    /**
     * A provider of a service.
     *
     * @param plugin the jar or the directory that brings it
     */
    record Plugged<S>(S provider, Path plugin) {}

    /**
     * What cannot be loaded.
     *
     * @param plugin the jar, or the directory of jars
     * @param reason why
     */
    record Unusable(Path plugin, String reason) {
        @Override
        public String toString() {
            return "%s cannot be loaded: %s".formatted(plugin, reason);
        }
    }

    /**
     * What the plugins bring of a service, in the order of their names.
     *
     * @param unusable plugins of which nothing is used
     */
    record Providers<S>(List<Plugged<S>> usable, List<Unusable> unusable) {}

    /**
     * Makes the providers of a service that the plugins bring. What cannot be loaded of one plugin is no reason not to load the others. Files and
     * directories whose names begin with a dot are no plugins.
     */
    <S> Providers<S> providersOf(Class<S> service) throws IOException {
        List<Plugged<S>> usable = new ArrayList<>();
        List<Unusable> unusable = new ArrayList<>();
        for (Path plugin : children(directory)) {
            Path read = plugin;
            try {
                List<Path> jars = jars(plugin);
                if (jars.isEmpty()) {
                    continue;
                }
                for (Path jar : jars) {
                    read = jar;
                    requireJar(jar);
                }
                read = plugin;
                usable.addAll(providers(service, plugin, jars));
            } catch (IOException | RuntimeException | LinkageError | ServiceConfigurationError e) {
                unusable.add(new Unusable(read, reason(e)));
            }
        }
        return new Providers<>(List.copyOf(usable), List.copyOf(unusable));
    }

    private <S> List<Plugged<S>> providers(Class<S> service, Path plugin, List<Path> jars) {
        URL[] urls = jars.stream().map(PluginLoader::url).toArray(URL[]::new);
        ClassLoader loader = new ChildFirst(plugin.toString(), urls, parent);
        return ServiceLoader.load(service, loader).stream()
                .filter(provider -> provider.type().getClassLoader() == loader)
                .map(provider -> new Plugged<>(provider.get(), plugin))
                .toList();
    }

    private static List<Path> jars(Path plugin) throws IOException {
        List<Path> files = Files.isDirectory(plugin) ? children(plugin) : List.of(plugin);
        return files.stream().filter(PluginLoader::isJar).toList();
    }

    /** A class loader passes over a file that is no jar, such as one that a full disk has cut off. */
    private static void requireJar(Path jar) throws IOException {
        new JarFile(jar.toFile()).close();
    }

    private static String reason(Throwable failure) {
        Throwable cause = failure.getCause();
        return cause == null ? failure.toString() : "%s: %s".formatted(failure, cause);
    }

    Path directory() {
        return directory;
    }

    private static List<Path> children(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> children = Files.list(directory)) {
            return children.filter(child -> !child.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList();
        }
    }

    private static boolean isJar(Path path) {
        return path.toString().endsWith(".jar");
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("not the path of a plugin: " + path, e);
        }
    }

    /** Loads a class from the plugin if it is there, except those that server and plugin must share. */
    private static final class ChildFirst extends URLClassLoader {
        static {
            ClassLoader.registerAsParallelCapable();
        }

        private static final List<String> SHARED =
                List.of("java.", "org.slf4j.", "io.sluice.protocol.", "io.sluice.store.", "io.sluice.connector.api.");

        ChildFirst(String name, URL[] urls, ClassLoader parent) {
            super(name, urls, parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            for (String shared : SHARED) {
                if (name.startsWith(shared)) {
                    return super.loadClass(name, resolve);
                }
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded == null) {
                    try {
                        loaded = findClass(name);
                    } catch (ClassNotFoundException notInThePlugin) {
                        return super.loadClass(name, resolve);
                    }
                }
                if (resolve) {
                    resolveClass(loaded);
                }
                return loaded;
            }
        }
    }
}
