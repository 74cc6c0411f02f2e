package io.sluice.deployer;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
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

    /** The providers of a service that the plugins bring, in the order of the plugins' names. */
    <S> List<S> providersOf(Class<S> service) throws IOException {
        List<S> providers = new ArrayList<>();
        for (Path plugin : children(directory)) {
            List<Path> jars = Files.isDirectory(plugin) ? children(plugin) : List.of(plugin);
            URL[] urls = jars.stream()
                    .filter(PluginLoader::isJar)
                    .map(PluginLoader::url)
                    .toArray(URL[]::new);
            if (urls.length > 0) {
                ClassLoader loader = new ChildFirst(plugin.toString(), urls, parent);
                ServiceLoader.load(service, loader).stream()
                        .filter(provider -> provider.type().getClassLoader() == loader)
                        .map(ServiceLoader.Provider::get)
                        .forEach(providers::add);
            }
        }
        return providers;
    }

    Path directory() {
        return directory;
    }

    private static List<Path> children(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> children = Files.list(directory)) {
            return children.sorted().toList();
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
