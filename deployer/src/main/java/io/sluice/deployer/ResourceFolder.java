package io.sluice.deployer;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/**
 * Makes the files of a folder, {@code conf/}, resources for plugins and for libraries that search for one by the thread's
 * context, as if the folder was on the class path. It must not be on the class path: with a folder on it the JVM has no use for
 * an archive of classes.
 */
final class ResourceFolder {
    private ResourceFolder() {}

    /** A class loader that has the classes of the server and, besides, what is in a folder; the folder need not exist. */
    static ClassLoader loader(Path folder) {
        try {
            // A path of what is no directory yet would not end with the slash that makes it a folder.
            URL url = new URL("file", null, folder.toUri().getRawPath().replaceFirst("/*$", "/"));
            return new URLClassLoader("conf", new URL[] {url}, ResourceFolder.class.getClassLoader());
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("not the path of a folder: " + folder, e);
        }
    }
}
