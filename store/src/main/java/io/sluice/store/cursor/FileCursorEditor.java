package io.sluice.store.cursor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Changes a {@code meta.dat}; what was there before is in {@code meta.dat.previous}. It does not check whether a server runs. */
public final class FileCursorEditor implements CursorEditor {
    private final Path path;
    private final String destination;

    /**
     * Makes one.
     *
     * @param dir as of {@link FileCursorStore#open}
     */
    public FileCursorEditor(Path dir, String destination) {
        this.path = FileCursorStore.path(dir, destination);
        this.destination = destination;
    }

    @Override
    public String place() {
        return path.toString();
    }

    @Override
    public List<Subscription> read() {
        return FileCursorStore.read(path, destination).subscriptions();
    }

    @Override
    public Optional<List<Subscription>> previous() {
        return Files.exists(previousPath())
                ? Optional.of(FileCursorStore.read(previousPath(), destination).subscriptions())
                : Optional.empty();
    }

    @Override
    public void replace(List<Subscription> clients) {
        MetaFile file = FileCursorStore.read(path, destination);
        String before = file.text();
        file.setSubscriptions(clients);
        try {
            AtomicFile.replace(previousPath(), before);
            AtomicFile.replace(path, file.text());
        } catch (IOException e) {
            throw new CursorException("cursor file %s cannot be written: %s".formatted(path, e), e);
        }
    }

    private Path previousPath() {
        return path.resolveSibling(path.getFileName() + ".previous");
    }
}
