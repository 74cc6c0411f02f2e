package io.sluice.server.config.unread;

import io.sluice.server.config.key.Keys;
import io.sluice.server.config.origin.FileTexts;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.PropertiesFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Optional;

/**
 * The files of {@code conf/} from which canal takes keys of instances, where they are others than those that are read here: canal reads
 * {@code conf/canal.properties} also if it is started with another file, and {@code conf/<destination>/instance.properties} whatever
 * {@code canal.conf.dir} is.
 */
final class CanalConf {
    private final Path file;
    private final Path directory;

    /**
     * Creates it.
     *
     * @param file the server's file that is read
     * @param baseDirectory what relative paths start from
     */
    CanalConf(Path file, Path baseDirectory) {
        this.file = file;
        this.directory = baseDirectory.resolve("../conf").normalize();
    }

    /** The directory of canal's files. */
    Path directory() {
        return directory;
    }

    /**
     * The {@code canal.properties} that is not read. One with keys that canal does not have, as that of the package, is none of canal's: empty
     * then, too.
     */
    Optional<PropertiesFile> server() {
        return find(directory.resolve("canal.properties"), file)
                .filter(found -> found.settings().keySet().stream().noneMatch(CanalConf::isOurs));
    }

    private static boolean isOurs(String name) {
        Key<?> key = Keys.find(name);
        return key != null && key.text().ours();
    }

    /**
     * The file of an instance that is not read.
     *
     * @param confDirectory where those are that are read
     */
    Optional<PropertiesFile> instance(Path confDirectory, String destination) {
        return find(FileTexts.instanceFile(directory, destination), FileTexts.instanceFile(confDirectory, destination));
    }

    /** The file of an instance in {@code conf/}, whether it is read or not; empty without one. */
    PropertiesFile instance(String destination) {
        Path path = FileTexts.instanceFile(directory, destination);
        try {
            return PropertiesFile.read(path, new LinkedHashSet<>(), new LinkedHashSet<>());
        } catch (IOException e) {
            return PropertiesFile.empty(path);
        }
    }

    private static Optional<PropertiesFile> find(Path unread, Path read) {
        try {
            return !Files.exists(unread) || (Files.exists(read) && Files.isSameFile(unread, read))
                    ? Optional.empty()
                    : Optional.of(PropertiesFile.read(unread, new LinkedHashSet<>(), new LinkedHashSet<>()));
        } catch (IOException e) {
            return Optional.empty(); // nothing depends on it here
        }
    }
}
