package io.sluice.protocol.file;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardOpenOption;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The system's files, with a record of what is opened and renamed, in this order. For one thread. */
final class RecordedFiles extends FileSystem {
    private final FileSystem system;
    private final List<String> record = new ArrayList<>();
    private final FileSystemProvider provider = new RecordedProvider();

    RecordedFiles(FileSystem system) {
        this.system = system;
    }

    /** What was done, such as {@code write file.tmp}, {@code rename file.tmp file} and {@code read directory}. */
    List<String> record() {
        return Collections.unmodifiableList(record);
    }

    /** A path of the system, whose use is recorded. */
    Path recorded(Path path) {
        return (Path) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Path.class, Recorded.class}, (self, method, arguments) -> {
                    if (method.getName().equals("plain")) {
                        return path;
                    }
                    if (method.getName().equals("getFileSystem")) {
                        return this;
                    }
                    Object[] plain = arguments == null ? new Object[0] : arguments.clone();
                    for (int i = 0; i < plain.length; i++) {
                        plain[i] = plain[i] instanceof Recorded recorded ? recorded.plain() : plain[i];
                    }
                    try {
                        Object result = method.invoke(path, plain);
                        return result instanceof Path next ? recorded(next) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private interface Recorded {
        Path plain();
    }

    private static Path plain(Path path) {
        return path instanceof Recorded recorded ? recorded.plain() : path;
    }

    private final class RecordedProvider extends FileSystemProvider {
        @Override
        public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
                throws IOException {
            record.add((options.contains(StandardOpenOption.WRITE) ? "write " : "read ")
                    + plain(path).getFileName());
            return system.provider().newFileChannel(plain(path), options, attributes);
        }

        @Override
        public void move(Path source, Path target, CopyOption... options) throws IOException {
            record.add("rename %s %s"
                    .formatted(plain(source).getFileName(), plain(target).getFileName()));
            system.provider().move(plain(source), plain(target), options);
        }

        @Override
        public String getScheme() {
            return system.provider().getScheme();
        }

        @Override
        public FileSystem newFileSystem(URI address, Map<String, ?> environment) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileSystem getFileSystem(URI address) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Path getPath(URI address) {
            throw new UnsupportedOperationException();
        }

        @Override
        public SeekableByteChannel newByteChannel(
                Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
            return newFileChannel(path, options, attributes);
        }

        @Override
        public DirectoryStream<Path> newDirectoryStream(Path path, DirectoryStream.Filter<? super Path> filter)
                throws IOException {
            return system.provider().newDirectoryStream(plain(path), filter);
        }

        @Override
        public void createDirectory(Path path, FileAttribute<?>... attributes) throws IOException {
            system.provider().createDirectory(plain(path), attributes);
        }

        @Override
        public void delete(Path path) throws IOException {
            system.provider().delete(plain(path));
        }

        @Override
        public void copy(Path source, Path target, CopyOption... options) throws IOException {
            system.provider().copy(plain(source), plain(target), options);
        }

        @Override
        public boolean isSameFile(Path path, Path other) throws IOException {
            return system.provider().isSameFile(plain(path), plain(other));
        }

        @Override
        public boolean isHidden(Path path) throws IOException {
            return system.provider().isHidden(plain(path));
        }

        @Override
        public FileStore getFileStore(Path path) throws IOException {
            return system.provider().getFileStore(plain(path));
        }

        @Override
        public void checkAccess(Path path, AccessMode... modes) throws IOException {
            system.provider().checkAccess(plain(path), modes);
        }

        @Override
        public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
            return system.provider().getFileAttributeView(plain(path), type, options);
        }

        @Override
        public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
                throws IOException {
            return system.provider().readAttributes(plain(path), type, options);
        }

        @Override
        public Map<String, Object> readAttributes(Path path, String names, LinkOption... options) throws IOException {
            return system.provider().readAttributes(plain(path), names, options);
        }

        @Override
        public void setAttribute(Path path, String name, Object value, LinkOption... options) throws IOException {
            system.provider().setAttribute(plain(path), name, value, options);
        }
    }

    @Override
    public FileSystemProvider provider() {
        return provider;
    }

    @Override
    public void close() {}

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean isReadOnly() {
        return system.isReadOnly();
    }

    @Override
    public String getSeparator() {
        return system.getSeparator();
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return system.getRootDirectories();
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        return system.getFileStores();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return system.supportedFileAttributeViews();
    }

    @Override
    public Path getPath(String first, String... more) {
        return recorded(system.getPath(first, more));
    }

    @Override
    public PathMatcher getPathMatcher(String pattern) {
        return system.getPathMatcher(pattern);
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        return system.getUserPrincipalLookupService();
    }

    @Override
    public WatchService newWatchService() throws IOException {
        return system.newWatchService();
    }
}
