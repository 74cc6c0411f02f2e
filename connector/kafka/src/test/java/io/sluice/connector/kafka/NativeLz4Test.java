package io.sluice.connector.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NativeLz4Test {
    @Test
    void givesThePluginsLz4TheNativeLibrary() throws Exception {
        try (URLClassLoader plugin = plugin()) {
            assertThat(compressor(plugin)).as("what lz4-java takes by itself").contains("Java");

            Method load = plugin.loadClass(NativeLz4.class.getName()).getDeclaredMethod("load");
            load.setAccessible(true);
            load.invoke(null);

            assertThat(compressor(plugin)).contains("JNI");
        }
    }

    private static String compressor(ClassLoader plugin) throws ReflectiveOperationException {
        return plugin.loadClass("net.jpountz.lz4.LZ4Factory")
                .getMethod("fastestInstance")
                .invoke(null)
                .toString();
    }

    /** All that this test can see, loaded as the server loads a plugin: by another class loader than the application's. */
    private static URLClassLoader plugin() {
        URL[] classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(NativeLz4Test::urlOf)
                .toArray(URL[]::new);
        return new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader());
    }

    private static URL urlOf(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(entry, e);
        }
    }
}
