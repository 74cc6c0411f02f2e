package io.sluice.server.config.read;

import io.sluice.protocol.time.Time;
import io.sluice.server.config.CheckedTexts;
import io.sluice.server.config.ConfigSource;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.GivenTexts;
import io.sluice.server.config.InstanceConfig;
import io.sluice.server.config.ManagerConfig;
import io.sluice.server.config.ReadConfiguration;
import io.sluice.server.config.TrialTexts;
import io.sluice.server.config.key.ManagerKeys;
import io.sluice.server.config.key.ProducerKeys;
import io.sluice.server.config.origin.ConfigTexts;
import io.sluice.server.config.origin.FileTexts;
import io.sluice.server.config.origin.ManagedTexts;
import io.sluice.server.config.remote.AdminException;
import io.sluice.server.config.remote.AdminServer;
import io.sluice.server.config.remote.RemoteTexts;
import io.sluice.server.config.remote.TextCopy;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.OutsideValues;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.PropertiesFile;
import io.sluice.server.config.text.ServerLookup;
import io.sluice.server.config.text.Settings;
import io.sluice.server.config.unread.UnreadData;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a server's configuration from where it is: from files, or, with {@code canal.admin.manager} in the local file, from an admin
 * server. Which of them is decided at the first reading. For one thread at a time, but
 * for {@link #check} and {@link #forTrial}.
 */
public final class ConfigReader implements ConfigSource {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigReader.class);

    /** How long a start waits between two questions to an admin server. */
    private static final Duration REST = Duration.ofSeconds(2);

    private final Path file;
    private final Path baseDirectory;
    private final Environment environment;
    private final ProducerCheck producerCheck;
    private final KeyStoreCheck stores = new KeyStoreCheck();

    /** What the placeholders of the local file name, if there is an admin server. */
    private volatile Set<Path> localFiles = Set.of();

    private final Time time;
    private volatile ConfigTexts texts;
    private ConfigTexts inForce;
    private final UnreadData unreadData;

    private @Nullable ManagerConfig manager;
    private boolean registersAtStart;

    /** Whether the admin server does not know this server, which a start changes. */
    private boolean isToRegister;

    private @Nullable AdminServer admin;
    private @Nullable RemoteTexts saved;
    private @Nullable Answer newest;
    private @Nullable Instant failingSince;
    private Map<String, List<Problem>> problemsAtStart = Map.of();

    /** Why the copy could not be written at last; empty if it could. */
    private String unwritten = "";

    /** What an admin server has answered, and was read of it. */
    private record Answer(RemoteTexts remote, ReadConfiguration read) {}

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
        this.producerCheck = producerCheck;
        this.time = time;
        this.unreadData = new UnreadData(file, baseDirectory, environment);
        this.texts = new FileTexts(file); // the same at each reading: it knows the files that were there
        this.inForce = texts;
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
        ManagerConfig config = connect(false);
        if (config == null) {
            return ConfigLoader.complete(interpretForStart(texts), file);
        }
        List<String> warnings = new ArrayList<>();
        warnOfPlainText(config, warnings);
        Optional<TextCopy.Saved> copy = readCopy(config, warnings);
        copy.ifPresent(found -> {
            saved = found.texts();
            asked().remember(found.texts());
        });
        long end = time.nanos() + (copy.isPresent() ? REST.plusSeconds(1) : config.startLimit()).toNanos();
        RemoteTexts remote;
        while (true) {
            try {
                remote = asked().ask();
                break;
            } catch (AdminException e) {
                if (e.isRefusal()) {
                    throw e;
                }
                if (time.nanos() + REST.toNanos() >= end) {
                    remote = copy.orElseThrow(() -> e).texts();
                    warnings.add(usesCopy(config, copy.get(), e));
                    failingSince = now();
                    break;
                }
                LOG.warn(
                        "the admin server cannot give the configuration, trying again: rest_seconds={} reason={}",
                        REST.toSeconds(),
                        e.getMessage());
                time.sleep(REST);
            }
        }
        return withoutWrongInstances(config, remote, warnings);
    }

    private Configuration withoutWrongInstances(ManagerConfig config, RemoteTexts remote, List<String> warnings)
            throws ConfigException {
        ConfigTexts asked = managed(config, remote);
        ReadConfiguration read = interpretForStart(asked);
        if (!read.serverProblems().isEmpty()) {
            throw new ConfigException(read.serverProblems());
        }
        texts = asked;
        inForce = asked;
        Map<String, List<Problem>> wrong = new LinkedHashMap<>(read.instanceProblems());
        RemoteTexts tried = remote;
        ReadConfiguration usable = read;
        for (RemoteTexts next = withFormerTexts(tried, usable);
                !next.equals(tried);
                next = withFormerTexts(tried, usable)) {
            tried = next;
            usable = interpretForStart(managed(config, tried));
            usable.instanceProblems().forEach(wrong::putIfAbsent);
        }
        save(config, tried, usable);
        problemsAtStart = Map.copyOf(wrong);
        Set<String> running = usable.configuration().instances().stream()
                .map(InstanceConfig::destination)
                .collect(Collectors.toSet());
        wrong.forEach((destination, problems) -> {
            String what = running.contains(destination)
                    ? "it runs with what was right before"
                    : "it does not run until that is corrected";
            problems.forEach(problem -> warnings.add("the instance %s: %s; %s".formatted(destination, problem, what)));
        });
        return withWarnings(usable.configuration(), warnings);
    }

    /**
     * The texts with those that were right before in place of the wrong ones, and without the wrong instances that have none: what such
     * an instance has in common with another one must not keep that one from running.
     */
    private RemoteTexts withFormerTexts(RemoteTexts tried, ReadConfiguration read) {
        Map<String, String> instances = new LinkedHashMap<>(tried.instances());
        RemoteTexts before = saved;
        for (String destination : read.instanceProblems().keySet()) {
            String old = before == null ? null : before.instances().get(destination);
            if (old == null) {
                instances.remove(destination);
            } else {
                instances.put(destination, old);
            }
        }
        return new RemoteTexts(tried.server(), instances);
    }

    /**
     * Reads it for a command, which changes nothing: an admin server is asked once, and then the copy is taken.
     *
     * @throws ConfigException if anything is wrong, with all that is
     */
    public Configuration load() throws ConfigException {
        List<String> warnings = new ArrayList<>();
        ReadConfiguration read = readOnce(warnings);
        return withWarnings(ConfigLoader.complete(read, file), warnings);
    }

    /**
     * Reads it for a command as {@link #load} does, and finds also what keeps a server from starting by the files beside the
     * configuration.
     *
     * @throws ConfigException if anything is wrong, with all that is
     */
    public Configuration loadForStart() throws ConfigException {
        List<String> warnings = new ArrayList<>();
        ReadConfiguration read = checked(readOnce(warnings));
        return withWarnings(ConfigLoader.complete(read, file), warnings);
    }

    /**
     * Finds what keeps a server from starting, also if one runs with what was read before. Changes nothing; of an instance at an admin server
     * nothing keeps the others from running. Of a server that an admin server does not know, and that registers itself at its start, nothing is
     * known before.
     *
     * @throws ConfigException if anything does, with all that does
     */
    public void requireStart() throws ConfigException {
        ReadConfiguration read;
        try {
            read = checked(readOnce());
        } catch (ConfigException e) {
            if (isToRegister) {
                return;
            }
            throw e;
        }
        if (manager == null) {
            ConfigLoader.complete(read, file);
        } else if (!read.serverProblems().isEmpty()) {
            throw new ConfigException(read.serverProblems());
        }
    }

    /**
     * Reads it for a command as {@link #load} does, as far as that is possible.
     *
     * @throws ConfigException if an admin server gives none, and there is no copy
     */
    public ReadConfiguration readOnce() throws ConfigException {
        return readOnce(new ArrayList<>());
    }

    private ReadConfiguration readOnce(List<String> warnings) throws ConfigException {
        ManagerConfig config = connect(true);
        if (config != null) {
            warnOfPlainText(config, warnings);
            try {
                texts = managed(config, asked().ask());
            } catch (AdminException e) {
                isToRegister = registersAtStart && e.isOfUnknownServer();
                Optional<TextCopy.Saved> copy = e.isRefusal() ? Optional.empty() : readCopy(config, warnings);
                if (copy.isEmpty()) {
                    throw new ConfigException(List.of(problem(String.valueOf(e.getMessage()))));
                }
                warnings.add(usesCopy(config, copy.get(), e));
                texts = managed(config, copy.get().texts());
            }
        }
        return interpret(texts);
    }

    /** The values that count in what was read, and where each was found. */
    public EffectiveConfiguration effective(Configuration configuration) throws ConfigException {
        return EffectiveConfiguration.read(configuration, texts, environment, outside(texts));
    }

    /** Reads it again; if an admin server cannot be asked, what is in force is the result, and a problem of the source. */
    @Override
    public ReadConfiguration read() {
        ManagerConfig config = manager;
        if (config == null) {
            return interpretForStart(texts);
        }
        try {
            RemoteTexts remote = asked().ask();
            failingSince = null;
            texts = managed(config, remote);
            ReadConfiguration read = interpretForStart(texts);
            newest = new Answer(remote, read);
            return read;
        } catch (AdminException e) {
            if (failingSince == null) {
                failingSince = now();
            }
            texts = inForce; // one answer that was not confirmed by another must not get into force by a failure
            newest = null;
            return interpretForStart(texts)
                    .with("%s; since %s the configuration that was read before stays in force"
                            .formatted(e.getMessage(), failingSince));
        }
    }

    /**
     * Keeps what was read also in the copy: an answer that was never in force must not be what a start without the admin server finds. The new text
     * of one instance is not kept if the server's has changed, too: with the former one it is a configuration that the admin server never had.
     */
    @Override
    public void takenOver(@Nullable String only) {
        ManagerConfig config = manager;
        Answer answer = newest;
        if (only == null || !(inForce instanceof ManagedTexts former)) {
            inForce = texts;
            if (config != null && answer != null) {
                save(config, answer.remote(), answer.read());
            }
        } else if (config != null
                && answer != null
                && answer.remote().server().equals(former.texts().server())) {
            inForce = managed(config, former.texts().withInstanceOf(answer.remote(), only));
            RemoteTexts before = saved;
            if (before != null) {
                save(config, before.withInstanceOf(answer.remote(), only), answer.read());
            }
        }
    }

    @Override
    public Map<String, List<Problem>> problemsAtStart() {
        return problemsAtStart;
    }

    @Override
    public CheckedTexts check(GivenTexts given) {
        return SentTexts.check(given, texts, baseDirectory, environment);
    }

    @Override
    public TrialTexts forTrial(GivenTexts given) {
        return SentTexts.forTrial(given, texts, baseDirectory, environment);
    }

    private Instant now() {
        return Instant.ofEpochMilli(time.millis()).truncatedTo(ChronoUnit.SECONDS);
    }

    private ReadConfiguration interpret(ConfigTexts given) {
        return ConfigLoader.read(given, file, baseDirectory, environment, outside(given), producerCheck, stores);
    }

    /** Reads files each time; for the texts of an admin server only some. */
    private OutsideValues outside(ConfigTexts given) {
        ManagerConfig config = manager;
        return given.isManaged() && config != null
                ? new OutsideValues(environment, baseDirectory, config.fileDirectories(), localFiles)
                : new OutsideValues(environment, baseDirectory);
    }

    private ReadConfiguration interpretForStart(ConfigTexts given) {
        return unreadData.check(interpret(given), given.isManaged());
    }

    private ReadConfiguration checked(ReadConfiguration read) {
        return unreadData.check(read, manager != null);
    }

    private ConfigTexts managed(ManagerConfig config, RemoteTexts remote) {
        return new ManagedTexts(new FileTexts(file), config.address().toString(), remote);
    }

    private AdminServer asked() {
        AdminServer server = admin;
        if (server == null) {
            throw new IllegalStateException("the configuration is not at an admin server");
        }
        return server;
    }

    /**
     * Finds the admin server; null if the configuration is in files.
     *
     * @throws ConfigException if the local file says something wrong of it
     */
    private @Nullable ManagerConfig connect(boolean isCommand) throws ConfigException {
        Set<Problem> problems = new LinkedHashSet<>();
        PropertiesFile local = new FileTexts(file).server(problems, new LinkedHashSet<>());
        OutsideValues outside = new OutsideValues(environment, baseDirectory);
        Settings settings = new Settings(
                new ServerLookup(environment, local, outside, ProducerKeys::leavesPlaceholderToKafka, problems),
                problems);
        if (settings.isBlank(ManagerKeys.ADDRESS)) {
            return null; // what is wrong with the file is found when all of it is read
        }
        Optional<ManagerConfig> found = new ManagerReader(settings, environment, baseDirectory, local.origin()).read();
        if (!problems.isEmpty() || found.isEmpty()) {
            throw new ConfigException(List.copyOf(problems));
        }
        // Values of the local file are read again as a part of the admin server's text.
        ServerLookup all = new ServerLookup(
                environment, local, outside, ProducerKeys::leavesPlaceholderToKafka, new LinkedHashSet<>());
        local.settings().keySet().forEach(all::find);
        localFiles = outside.files();
        registersAtStart = found.get().register();
        ManagerConfig config = isCommand ? found.get().withoutRegistration() : found.get();
        try {
            admin = new AdminServer(config);
        } catch (IOException e) {
            throw new ConfigException(List.of(problem(String.valueOf(e.getMessage()))));
        }
        manager = config;
        return config;
    }

    private Problem problem(String complaint) {
        return new Problem(PropertiesFile.empty(file).origin(), ManagerKeys.ADDRESS.name(), "", complaint);
    }

    private Optional<TextCopy.Saved> readCopy(ManagerConfig config, List<String> warnings) {
        if (config.copy().isEmpty()) {
            return Optional.empty();
        }
        TextCopy copy = new TextCopy(config.copy().get(), config.address());
        try {
            return copy.read();
        } catch (IOException e) {
            warnings.add("the copy of the configuration is not used: " + e.getMessage());
            return Optional.empty();
        }
    }

    private static void warnOfPlainText(ManagerConfig config, List<String> warnings) {
        if (config.isPlainText()) {
            warnings.add(
                    "%s is on another machine and is not https: canal.admin.passwd, with which anyone can get all configurations, and the passwords in them can be read on the way"
                            .formatted(config.address()));
        }
    }

    private static String usesCopy(ManagerConfig config, TextCopy.Saved copy, AdminException e) {
        return "%s; the configuration of %s is used, from %s"
                .formatted(
                        e.getMessage(),
                        copy.time().truncatedTo(ChronoUnit.SECONDS),
                        config.copy().map(Path::toString).orElse(""));
    }

    /** Keeps what is right; of an instance that is wrong, what was right before. */
    private void save(ManagerConfig config, RemoteTexts remote, ReadConfiguration read) {
        if (config.copy().isEmpty()) {
            return;
        }
        RemoteTexts before = saved;
        Map<String, String> instances = new LinkedHashMap<>();
        remote.instances().forEach((destination, text) -> {
            boolean isWrong = read.instanceProblems().containsKey(destination);
            String old = before == null ? null : before.instances().get(destination);
            if (!isWrong) {
                instances.put(destination, text);
            } else if (old != null) {
                instances.put(destination, old);
            }
        });
        RemoteTexts next = new RemoteTexts(remote.server(), instances);
        if (next.equals(before)) {
            return;
        }
        TextCopy copy = new TextCopy(config.copy().get(), config.address());
        try {
            copy.write(next, Instant.ofEpochMilli(time.millis()));
            saved = next;
            unwritten = "";
        } catch (IOException e) {
            if (!unwritten.equals(e.toString())) { // it is tried again at each reading
                LOG.error(
                        "the copy of the configuration cannot be written, so a start without the admin server would not have it: file={} reason={}",
                        copy.file(),
                        e.toString());
                unwritten = e.toString();
            }
        }
    }

    private static Configuration withWarnings(Configuration configuration, List<String> more) {
        List<String> warnings = new ArrayList<>(more);
        warnings.addAll(configuration.warnings());
        return new Configuration(
                configuration.server(),
                configuration.instances(),
                warnings,
                configuration.digests(),
                configuration.withoutFile());
    }
}
