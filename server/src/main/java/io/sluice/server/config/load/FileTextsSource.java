package io.sluice.server.config.load;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.origin.ConfigTexts;
import io.sluice.server.config.origin.FileTexts;
import io.sluice.server.config.reload.ReadConfiguration;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.OutsideValues;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.Warning;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The configuration in the files of this machine. */
final class FileTextsSource implements TextsSource {
    private final Path file;
    private final Path baseDirectory;
    private final Environment environment;
    private final TextsInterpreter interpreter;
    private final FileTexts texts; // the same at each reading: it knows the files that were there

    FileTextsSource(Path file, Path baseDirectory, Environment environment, TextsInterpreter interpreter) {
        this.file = file;
        this.baseDirectory = baseDirectory;
        this.environment = environment;
        this.interpreter = interpreter;
        this.texts = new FileTexts(file);
    }

    @Override
    public ConfigTexts texts() {
        return texts;
    }

    @Override
    public OutsideValues outside() {
        return new OutsideValues(environment, baseDirectory);
    }

    @Override
    public Configuration start() throws ConfigException {
        return ConfigLoader.complete(read(), file);
    }

    @Override
    public ReadConfiguration readOnce(List<Warning> warnings) {
        return interpreter.interpret(texts, outside());
    }

    @Override
    public void requireStart() throws ConfigException {
        ConfigLoader.complete(read(), file);
    }

    @Override
    public ReadConfiguration read() {
        return interpreter.interpretForStart(texts, outside());
    }

    /** Files are read again each time, so nothing is kept. */
    @Override
    public void takenOver(@Nullable String only) {}

    /** Files with a problem keep the server from starting. */
    @Override
    public Map<String, List<Problem>> problemsAtStart() {
        return Map.of();
    }
}
