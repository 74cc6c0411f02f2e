package io.sluice.server.config.read;

import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.PropertiesFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Texts of a server on another machine: a setting that names a file which the check would open is hidden, so that no answer depends on the
 * files of this machine.
 *
 * @param texts what is read
 */
record TextsElsewhere(ConfigTexts texts) implements ConfigTexts {
    /** Keys that name a file which is read to check it. */
    private static final Set<String> READ_FILES = Set.of(
            SourceKeys.MASTER.serverKeyFile().name(),
            FailoverKeys.STANDBY.serverKeyFile().name());

    /** URLs that name no such file, whatever follows. */
    private static final List<String> HARMLESS_URLS = List.of("jdbc:h2:", "jdbc:sqlite:");

    /** Hides the settings that name a file which would be opened. */
    static PropertiesFile withoutFiles(PropertiesFile file) {
        return file.hiding((key, value) -> !value.isEmpty() && readsFile(key, value));
    }

    private static boolean readsFile(String key, String value) {
        return READ_FILES.contains(key)
                || (key.equals(SchemaKeys.HISTORY_URL.name())
                        && HARMLESS_URLS.stream().noneMatch(value::startsWith));
    }

    @Override
    public PropertiesFile server(Set<Problem> problems, Set<String> warnings) {
        return withoutFiles(texts.server(problems, warnings));
    }

    @Override
    public List<String> found(Path confDirectory, Set<Problem> problems) {
        return texts.found(confDirectory, problems);
    }

    @Override
    public PropertiesFile instance(
            Path confDirectory, String destination, Set<Problem> problems, Set<String> warnings) {
        return withoutFiles(texts.instance(confDirectory, destination, problems, warnings));
    }

    @Override
    public boolean namesAll() {
        return texts.namesAll();
    }

    @Override
    public boolean sayWhere() {
        return texts.sayWhere();
    }

    @Override
    public boolean isManaged() {
        return texts.isManaged();
    }
}
