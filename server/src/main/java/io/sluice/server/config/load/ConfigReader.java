package io.sluice.server.config.load;

import io.sluice.protocol.time.Time;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.key.ManagerKeys;
import io.sluice.server.config.key.ProducerKeys;
import io.sluice.server.config.origin.FileTexts;
import io.sluice.server.config.read.EffectiveConfiguration;
import io.sluice.server.config.read.ManagerReader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.reload.ConfigSource;
import io.sluice.server.config.reload.ReadConfiguration;
import io.sluice.server.config.remote.AdminException;
import io.sluice.server.config.remote.ManagerConfig;
import io.sluice.server.config.sent.CheckedTexts;
import io.sluice.server.config.sent.GivenTexts;
import io.sluice.server.config.sent.TrialTexts;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.OutsideValues;
import io.sluice.server.config.text.Placeholders;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.PropertiesFile;
import io.sluice.server.config.text.ServerLookup;
import io.sluice.server.config.text.Settings;
import io.sluice.server.config.text.Warning;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a server's configuration from where it is: from files, or, with {@code canal.admin.manager} in the local file, from an admin
 * server. Which of them is decided at the first reading. For one thread at a time, but
 * for {@link #check} and {@link #forTrial}.
 */
public final class ConfigReader implements ConfigSource {
    private final Path file;
    private final Path baseDirectory;
    private final Environment environment;
    private final Time time;
    private final TextsInterpreter interpreter;
    private final FileTextsSource files;

    /** Where the configuration is; in files until the first reading. */
    private volatile TextsSource source;

    /**
     * Prepares to read; nothing is read yet.
     *
     * @param file the server's file
     * @param baseDirectory what relative paths in it start from: {@code bin/}, the scripts' working directory
     * @param producerCheck finds what is wrong with the producer's properties
     */
    public ConfigReader(
            Path file, Path baseDirectory, Environment environment, ProducerCheck producerCheck, Time time) {
        this.file = file;
        this.baseDirectory = baseDirectory;
        this.environment = environment;
        this.time = time;
        this.interpreter = new TextsInterpreter(file, baseDirectory, environment, producerCheck);
        this.files = new FileTextsSource(file, baseDirectory, environment, interpreter);
        this.source = files;
    }

    /**
     * Reads it for a server that starts. It tries to reach an admin server for a while, and then takes the copy of what that one has sent
     * before. An instance whose configuration at an admin server is wrong runs with the copy's, or not yet; it keeps none of the others
     * from running.
     *
     * @throws ConfigException if anything else is wrong, with all that is
     * @throws AdminException if an admin server gives no configuration, and there is no copy
     */
    public Configuration start() throws ConfigException, AdminException, InterruptedException {
        source = connect(false);
        return source.start();
    }

    /**
     * Reads it for a command, which changes nothing: an admin server is asked once, and then the copy is taken.
     *
     * @throws ConfigException if anything is wrong, with all that is
     */
    public Configuration load() throws ConfigException {
        return load(List.of());
    }

    /**
     * Reads it as {@link #load()} does, for a command that is about some of its instances.
     *
     * @param destinations their names; empty for all
     * @throws ConfigException if anything is wrong with them or with the server; what is wrong with others is a warning
     */
    public Configuration load(Collection<String> destinations) throws ConfigException {
        List<Warning> warnings = new ArrayList<>();
        return of(destinations, readOnce(warnings), warnings);
    }

    /**
     * Reads it for a command as {@link #load(Collection)} does, and finds also what keeps a server from starting by the files beside the
     * configuration.
     *
     * @throws ConfigException as that one does
     */
    public Configuration loadForStart(Collection<String> destinations) throws ConfigException {
        List<Warning> warnings = new ArrayList<>();
        return of(destinations, interpreter.checked(readOnce(warnings), source.texts()), warnings);
    }

    private Configuration of(Collection<String> destinations, ReadConfiguration read, List<Warning> warnings)
            throws ConfigException {
        if (destinations.isEmpty()) {
            return ConfigLoader.complete(read, file).withWarnings(warnings);
        }
        Set<Problem> ofOthers = new LinkedHashSet<>();
        Map<String, List<Problem>> own = new HashMap<>();
        read.instanceProblems().forEach((name, problems) -> {
            if (destinations.contains(name)) {
                own.put(name, problems);
            } else {
                ofOthers.addAll(problems);
            }
        });
        Configuration configuration =
                ConfigLoader.complete(read.with(read.configuration().instances(), own), file);
        ofOthers.stream()
                .sorted(Comparator.comparing(Problem::toString))
                .forEach(problem -> warnings.add(new Warning.OfAnotherInstance(problem)));
        return configuration.withWarnings(warnings);
    }

    /**
     * Finds what keeps a server from starting, also if one runs with what was read before. Changes nothing; of an instance at an admin server
     * nothing keeps the others from running. Of a server that an admin server does not know, and that registers itself at its start, nothing is
     * known before.
     *
     * @throws ConfigException if anything does, with all that does
     */
    public void requireStart() throws ConfigException {
        source = connect(true);
        source.requireStart();
    }

    /**
     * Reads it for a command as {@link #load} does, as far as that is possible.
     *
     * @throws ConfigException if an admin server gives none, and there is no copy
     */
    public ReadConfiguration readOnce() throws ConfigException {
        return readOnce(new ArrayList<>());
    }

    private ReadConfiguration readOnce(List<Warning> warnings) throws ConfigException {
        source = connect(true);
        return source.readOnce(warnings);
    }

    /** The values that count in what was read, and where each was found. */
    public EffectiveConfiguration effective(Configuration configuration) throws ConfigException {
        TextsSource read = source;
        return EffectiveConfiguration.read(configuration, read.texts(), environment, read.outside());
    }

    /** Reads it again; if an admin server cannot be asked, what is in force is the result, and a problem of the source. */
    @Override
    public ReadConfiguration read() {
        return source.read();
    }

    @Override
    public void takenOver(@Nullable String only) {
        source.takenOver(only);
    }

    @Override
    public Map<String, List<Problem>> problemsAtStart() {
        return source.problemsAtStart();
    }

    @Override
    public CheckedTexts check(GivenTexts given) {
        return SentTexts.check(given, source.texts(), baseDirectory, environment);
    }

    @Override
    public TrialTexts forTrial(GivenTexts given) {
        return SentTexts.forTrial(given, source.texts(), baseDirectory, environment);
    }

    /**
     * Finds where the configuration is.
     *
     * @param isCommand whether the reader is a command, which must not register the server
     * @throws ConfigException if the local file has a wrong setting of the admin server
     */
    private TextsSource connect(boolean isCommand) throws ConfigException {
        Set<Problem> problems = new LinkedHashSet<>();
        PropertiesFile local = new FileTexts(file).server(problems, new LinkedHashSet<>());
        OutsideValues outside = new OutsideValues(environment, baseDirectory);
        Settings settings = new Settings(
                new ServerLookup(
                        environment,
                        local,
                        new Placeholders(outside, problems),
                        ProducerKeys::leavesPlaceholderToKafka),
                problems);
        if (settings.isBlank(ManagerKeys.ADDRESS)) {
            return files; // what is wrong with the file is found when all of it is read
        }
        Optional<ManagerConfig> found = new ManagerReader(settings, environment, baseDirectory, local.origin()).read();
        if (!problems.isEmpty() || found.isEmpty()) {
            throw new ConfigException(List.copyOf(problems));
        }
        // Values of the local file are read again as a part of the admin server's text.
        ServerLookup all = new ServerLookup(
                environment,
                local,
                new Placeholders(outside, new LinkedHashSet<>()),
                ProducerKeys::leavesPlaceholderToKafka);
        local.settings().keySet().forEach(all::find);
        Set<Path> localFiles = outside.files();
        ManagerConfig config = found.get();
        return new ManagedTextsSource(
                file,
                isCommand ? config.withoutRegistration() : config,
                config.register(),
                () -> new OutsideValues(environment, baseDirectory, config.fileDirectories(), localFiles),
                interpreter,
                time);
    }
}
