package io.sluice.store.text;

import io.sluice.protocol.file.DurableFiles;
import io.sluice.protocol.file.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A small file that is written so that a crash leaves the old text or the new one. */
public final class AtomicFile implements DurableText {
    private final Path path;

    /** The stamp of the text that was read or replaced last; null if there was none. */
    private @Nullable FileStamp known;

    private final boolean makesDirectory;

    /** Makes one of the file at a path, which need not be there yet; nor need its directory. */
    public AtomicFile(Path path) {
        this(path, true);
    }

    private AtomicFile(Path path, boolean makesDirectory) {
        this.path = path;
        this.makesDirectory = makesDirectory;
    }

    /** Makes one of a file that is not written while its directory is gone, which may be about to be moved back. */
    public static AtomicFile inDirectory(Path path) {
        return new AtomicFile(path, false);
    }

    @Override
    public String location() {
        return path.toString();
    }

    @Override
    public String read() throws IOException {
        known = FileStamp.of(path); // first: a version that replaces it meanwhile is seen to be another one
        return Files.readString(path);
    }

    @Override
    public void replace(String text) throws IOException {
        AtomicReference<@Nullable FileStamp> written = new AtomicReference<>();
        if (makesDirectory) {
            PrivateFiles.createDirectories(path.resolveSibling(""));
        }
        // before it has its name: afterwards something else may have removed it already, which must be seen
        DurableFiles.replace(path, StandardCharsets.UTF_8.encode(text), draft -> written.set(FileStamp.of(draft)));
        known = written.get();
    }

    @Override
    public boolean mayDiffer() {
        FileStamp before = known;
        try {
            return before != null && !before.equals(FileStamp.of(path));
        } catch (IOException e) {
            return true;
        }
    }

    /**
     * Replaces a file. Makes the directory. Other users cannot read it, and one that they could read is replaced by one that they
     * cannot.
     */
    public static void replace(Path path, String text) throws IOException {
        PrivateFiles.createDirectories(path.resolveSibling(""));
        DurableFiles.replace(path, StandardCharsets.UTF_8.encode(text));
    }
}
