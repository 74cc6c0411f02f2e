package io.sluice.server.config.load;

import io.sluice.protocol.time.Time;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.key.ManagerKeys;
import io.sluice.server.config.origin.ConfigTexts;
import io.sluice.server.config.origin.FileTexts;
import io.sluice.server.config.origin.ManagedTexts;
import io.sluice.server.config.reload.ReadConfiguration;
import io.sluice.server.config.remote.AdminException;
import io.sluice.server.config.remote.AdminServer;
import io.sluice.server.config.remote.ManagerConfig;
import io.sluice.server.config.remote.RemoteTexts;
import io.sluice.server.config.remote.TextCopy;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.OutsideValues;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.PropertiesFile;
import io.sluice.server.config.text.Warning;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The configuration at an admin server, and the copy of what that server sent before. */
final class ManagedTextsSource implements TextsSource {
    private static final Logger LOG = LoggerFactory.getLogger(ManagedTextsSource.class);

    /** The time between two requests of a start to the admin server. */
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(2);

    private final Path file;
    private final ManagerConfig config;
    private final boolean registersAtStart;
    private final AdminServer admin;
    private final Supplier<OutsideValues> outside;
    private final TextsInterpreter interpreter;
    private final Time time;

    private volatile ConfigTexts texts;

    /** The texts of the configuration that is in force. */
    private ConfigTexts inForce;

    private @Nullable RemoteTexts saved;
    private @Nullable Answer newest;
    private @Nullable Instant failingSince;
    private Map<String, List<Problem>> problemsAtStart = Map.of();

    /** Why the last attempt to write the copy failed; empty if it did not. */
    private String unwritten = "";

    /** An answer of the admin server, and what was read of it. */
    private record Answer(RemoteTexts remote, ReadConfiguration read) {}

    /**
     * Prepares to ask the admin server.
     *
     * @param file the server's file, which has settings beside those of the admin server
     * @param config does not register this server if it is for a command
     * @param registersAtStart whether a start registers this server at the admin server
     * @param outside makes readers of the values that placeholders of the texts name outside of them
     * @throws ConfigException if the connection to the admin server cannot be prepared
     */
    ManagedTextsSource(
            Path file,
            ManagerConfig config,
            boolean registersAtStart,
            Supplier<OutsideValues> outside,
            TextsInterpreter interpreter,
            Time time)
            throws ConfigException {
        this.file = file;
        this.config = config;
        this.registersAtStart = registersAtStart;
        this.outside = outside;
        this.interpreter = interpreter;
        this.time = time;
        this.texts = new FileTexts(file); // until the admin server has answered
        this.inForce = texts;
        try {
            this.admin = new AdminServer(config);
        } catch (IOException e) {
            throw new ConfigException(List.of(problem(String.valueOf(e.getMessage()))));
        }
    }

    @Override
    public ConfigTexts texts() {
        return texts;
    }

    @Override
    public OutsideValues outside() {
        return outside.get();
    }

    @Override
    public Map<String, List<Problem>> problemsAtStart() {
        return problemsAtStart;
    }

    @Override
    public Configuration start() throws ConfigException, AdminException, InterruptedException {
        List<Warning> warnings = new ArrayList<>();
        warnOfPlainText(warnings);
        Optional<TextCopy.Saved> copy = readCopy(warnings);
        copy.ifPresent(found -> {
            saved = found.texts();
            admin.remember(found.texts());
        });
        return withoutWrongInstances(askForStart(copy, warnings), warnings);
    }

    /** Asks until the admin server answers; after a while the copy is the result, if there is one. */
    private RemoteTexts askForStart(Optional<TextCopy.Saved> copy, List<Warning> warnings)
            throws AdminException, InterruptedException {
        Duration limit = copy.isPresent() ? RETRY_INTERVAL.plusSeconds(1) : config.startLimit();
        long end = time.nanos() + limit.toNanos();
        while (true) {
            try {
                return admin.ask();
            } catch (AdminException e) {
                if (e.isRefusal()) {
                    throw e;
                }
                if (time.nanos() + RETRY_INTERVAL.toNanos() >= end) {
                    TextCopy.Saved found = copy.orElseThrow(() -> e);
                    warnings.add(new Warning.General(usesCopy(found, e)));
                    failingSince = now();
                    return found.texts();
                }
                LOG.warn(
                        "the admin server cannot give the configuration, trying again: retry_seconds={} reason={}",
                        RETRY_INTERVAL.toSeconds(),
                        e.getMessage());
                time.sleep(RETRY_INTERVAL);
            }
        }
    }

    private Configuration withoutWrongInstances(RemoteTexts remote, List<Warning> warnings) throws ConfigException {
        ConfigTexts asked = managed(remote);
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
            usable = interpretForStart(managed(tried));
            usable.instanceProblems().forEach(wrong::putIfAbsent);
        }
        save(tried, usable);
        problemsAtStart = Map.copyOf(wrong);
        Set<String> running = usable.configuration().instances().stream()
                .map(InstanceConfig::destination)
                .collect(Collectors.toSet());
        wrong.forEach((destination, problems) -> {
            String what = running.contains(destination)
                    ? "it runs with what was right before"
                    : "it does not run until that is corrected";
            problems.forEach(problem ->
                    warnings.add(new Warning.General("the instance %s: %s; %s".formatted(destination, problem, what))));
        });
        return usable.configuration().withWarnings(warnings);
    }

    /**
     * The texts with those that were right before in place of the wrong ones, and without the wrong instances that have none: what such
     * an instance has in common with another one must not keep that one from running.
     */
    private RemoteTexts withFormerTexts(RemoteTexts tried, ReadConfiguration read) {
        Map<String, String> instances = new LinkedHashMap<>(tried.instances());
        for (String destination : read.instanceProblems().keySet()) {
            String old = savedText(destination);
            if (old == null) {
                instances.remove(destination);
            } else {
                instances.put(destination, old);
            }
        }
        return new RemoteTexts(tried.server(), instances);
    }

    @Override
    public ReadConfiguration readOnce(List<Warning> warnings) throws ConfigException {
        try {
            return readOrCopy(warnings);
        } catch (AdminException e) {
            throw new ConfigException(List.of(problem(String.valueOf(e.getMessage()))));
        }
    }

    @Override
    public void requireStart() throws ConfigException {
        ReadConfiguration read;
        try {
            read = interpreter.checked(readOrCopy(new ArrayList<>()), texts);
        } catch (AdminException e) {
            if (registersAtStart && e.isOfUnknownServer()) {
                return;
            }
            throw new ConfigException(List.of(problem(String.valueOf(e.getMessage()))));
        }
        if (!read.serverProblems().isEmpty()) {
            throw new ConfigException(read.serverProblems());
        }
    }

    private ReadConfiguration readOrCopy(List<Warning> warnings) throws AdminException {
        warnOfPlainText(warnings);
        try {
            texts = managed(admin.ask());
        } catch (AdminException e) {
            Optional<TextCopy.Saved> copy = e.isRefusal() ? Optional.empty() : readCopy(warnings);
            TextCopy.Saved found = copy.orElseThrow(() -> e);
            warnings.add(new Warning.General(usesCopy(found, e)));
            texts = managed(found.texts());
        }
        return interpreter.interpret(texts, outside());
    }

    @Override
    public ReadConfiguration read() {
        try {
            RemoteTexts remote = admin.ask();
            failingSince = null;
            texts = managed(remote);
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
        Answer answer = newest;
        if (only == null || !(inForce instanceof ManagedTexts former)) {
            inForce = texts;
            if (answer != null) {
                save(answer.remote(), answer.read());
            }
        } else if (answer != null
                && answer.remote().server().equals(former.texts().server())) {
            inForce = managed(former.texts().withInstanceOf(answer.remote(), only));
            RemoteTexts before = saved;
            if (before != null) {
                save(before.withInstanceOf(answer.remote(), only), answer.read());
            }
        }
    }

    private ReadConfiguration interpretForStart(ConfigTexts given) {
        return interpreter.interpretForStart(given, outside());
    }

    private ConfigTexts managed(RemoteTexts remote) {
        return new ManagedTexts(new FileTexts(file), config.address().toString(), remote);
    }

    private Instant now() {
        return Instant.ofEpochMilli(time.millis()).truncatedTo(ChronoUnit.SECONDS);
    }

    private Problem problem(String complaint) {
        return new Problem(PropertiesFile.empty(file).origin(), ManagerKeys.ADDRESS.name(), "", complaint);
    }

    private void warnOfPlainText(List<Warning> warnings) {
        if (config.isPlainText()) {
            warnings.add(new Warning.General(
                    "%s is on another machine and is not https: canal.admin.passwd, with which any client can get all configurations, and the passwords in them can be read on the way"
                            .formatted(config.address())));
        }
    }

    private Optional<TextCopy.Saved> readCopy(List<Warning> warnings) {
        if (config.copy().isEmpty()) {
            return Optional.empty();
        }
        TextCopy copy = new TextCopy(config.copy().get(), config.address());
        try {
            return copy.read();
        } catch (IOException e) {
            warnings.add(new Warning.General("the copy of the configuration is not used: " + e.getMessage()));
            return Optional.empty();
        }
    }

    private String usesCopy(TextCopy.Saved copy, AdminException e) {
        return "%s; the configuration of %s is used, from %s"
                .formatted(
                        e.getMessage(),
                        copy.time().truncatedTo(ChronoUnit.SECONDS),
                        config.copy().map(Path::toString).orElse(""));
    }

    /** Keeps what is right; of an instance that is wrong, what was right before. */
    private void save(RemoteTexts remote, ReadConfiguration read) {
        if (config.copy().isEmpty()) {
            return;
        }
        Map<String, String> instances = new LinkedHashMap<>();
        remote.instances().forEach((destination, text) -> {
            boolean isWrong = read.instanceProblems().containsKey(destination);
            String kept = isWrong ? savedText(destination) : text;
            if (kept != null) {
                instances.put(destination, kept);
            }
        });
        RemoteTexts next = new RemoteTexts(remote.server(), instances);
        if (next.equals(saved)) {
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

    /** The text of an instance in the copy; null if it has none. */
    private @Nullable String savedText(String destination) {
        RemoteTexts copy = saved;
        return copy == null ? null : copy.instances().get(destination);
    }
}
