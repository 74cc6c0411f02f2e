package io.sluice.server.config.read;

import io.sluice.protocol.pattern.MatchBudget;
import io.sluice.server.config.ConfigDigests;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.instance.CursorKind;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.key.Keys;
import io.sluice.server.config.key.QueueKeys;
import io.sluice.server.config.key.ServerKeys;
import io.sluice.server.config.key.SourceKeys;
import io.sluice.server.config.key.ValueKeys;
import io.sluice.server.config.origin.ConfigTexts;
import io.sluice.server.config.reload.ReadConfiguration;
import io.sluice.server.config.server.ServerConfig;
import io.sluice.server.config.server.ServerMode;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.InstanceLookup;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Key.Scope;
import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.Placeholders;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.PropertiesFile;
import io.sluice.server.config.text.Secret;
import io.sluice.server.config.text.Settings;
import io.sluice.server.config.text.Warning;
import io.sluice.server.config.unread.UnreadFiles;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads each instance's settings, and keeps what is wrong with one apart from the others. */
final class AllInstancesReader {
    /** What reading an instance without settings of its own costs, so that a list of names which was sent has an end. */
    private static final int LOOKS_PER_INSTANCE = 50_000;

    /** Of the instances that have a file. */
    private static final int MAX_OTHERS = 5;

    private final ReadRequest request;
    private final ConfigTexts texts;
    private final ReadServer server;
    private final ServerConfig config;
    private final Set<Problem> problems;
    private final Set<Warning> warnings;
    private final UnreadFiles unread;

    /**
     * Prepares to read them.
     *
     * @param server what was read of the server
     * @param problems what is wrong with the server; gets what is found out later, which may be of an instance's text
     * @param warnings gets what was accepted but does not work as written
     */
    AllInstancesReader(ReadRequest request, ReadServer server, Set<Problem> problems, Set<Warning> warnings) {
        this.request = request;
        this.texts = request.texts();
        this.server = server;
        this.config = server.config();
        this.problems = problems;
        this.warnings = warnings;
        this.unread = new UnreadFiles(
                texts, request.file(), server.file(), request.baseDirectory(), request.environment(), warnings);
    }

    /** Reads the instances, and returns what was read of all. */
    ReadConfiguration read() {
        List<ReadInstance> instances = new ArrayList<>();
        for (String destination : InstanceSelection.of(config.destinations(), texts, server.file())) {
            instances.add(read(destination));
        }
        unread.warnOfServer();
        Environment environment = request.environment();
        KeyCheck keys = server.keys();
        keys.checkNames(
                server.file(), instances.stream().map(ReadInstance::file).toList(), environment);
        keys.warnOfSemiSync(environment);
        keys.warnOfKeysWithoutEffect();
        checkTogether(instances);
        List<InstanceConfig> configs =
                instances.stream().map(ReadInstance::config).toList();
        server.clusters().check(config.cluster(), configs, server.origin(), warnings);
        return result(instances);
    }

    private ReadInstance read(String destination) {
        MatchBudget.spend(LOOKS_PER_INSTANCE);
        Path confDirectory = config.confDirectory();
        ServerMode mode = config.mode();
        Set<Problem> found = new LinkedHashSet<>();
        Optional<Instant> modified =
                texts.modified(confDirectory, destination); // before the text: a later change counts
        PropertiesFile file = texts.instance(confDirectory, destination, found, warnings);
        Origin origin = file.origin();
        Settings own = new Settings(
                lookup(
                        request.environment(),
                        texts,
                        server.file(),
                        file,
                        destination,
                        new Placeholders(request.outside(), found)),
                found);
        if (texts.isManaged()) {
            warnOfHidden(file);
        }
        WiringReader wiring =
                new WiringReader(destination, server.lookup(), new Settings(server.lookup(), found), warnings);
        if (!texts.isManaged()) {
            wiring.checkMode();
        }
        CursorKind cursorKind = wiring.cursorKind();
        unread.check(confDirectory, destination, cursorKind, file);
        if (cursorKind == CursorKind.ZOOKEEPER) {
            server.clusters().doubtOwnServers(destination, own, file, warnings);
        }
        RoutingReader routing = new RoutingReader(own, mode, server.settings().get(QueueKeys.HASH_SCHEMA), origin);
        InstanceConfig instance = new InstanceReader(
                        destination, own, request.environment(), request.baseDirectory(), origin)
                .read(
                        config,
                        cursorKind,
                        wiring.isLazy(mode.isQueue()),
                        InstanceReader.restart(texts.isManaged()),
                        routing,
                        request.stores(),
                        new DeliveryReader(server.settings(), own, mode));
        server.keys().checkValues(Scope.INSTANCE, own);
        doubt(destination, own, origin, routing);
        if (found.stream().anyMatch(problem -> problem.origin().equals(origin))) {
            explainMissingFile(destination, origin, found);
        }
        return new ReadInstance(
                instance,
                file,
                found,
                DigestReader.ofInstance(destination, own, server.lookup()),
                modified,
                own.isSecret(SourceKeys.REPLICA_ID));
    }

    /** Adds, before the others, that the file in which keys are missing is not there, and which instances have one. */
    private void explainMissingFile(String destination, Origin origin, Set<Problem> found) {
        Path confDirectory = config.confDirectory();
        if (!texts.lacks(confDirectory, destination)
                || found.stream().anyMatch(problem -> problem.key().isEmpty())) {
            return; // or it is reported already
        }
        List<String> others = texts.found(confDirectory, new HashSet<>()).stream()
                .filter(name -> !config.destinations().contains(name))
                .limit(MAX_OTHERS)
                .toList();
        List<Problem> missing = List.copyOf(found);
        found.clear();
        found.add(new Problem(
                origin,
                "",
                "",
                "there is no such file, and canal.properties does not set all that the instance %s needs: create it%s"
                        .formatted(
                                destination,
                                others.isEmpty()
                                        ? ""
                                        : ", or name in %s what has a file: %s"
                                                .formatted(
                                                        ServerKeys.DESTINATIONS.name(), String.join(", ", others)))));
        found.addAll(missing);
    }

    /** Warns of settings that are probably not intended. */
    private void doubt(String destination, Settings own, Origin origin, RoutingReader routing) {
        Path baseDirectory = request.baseDirectory();
        warnings.addAll(new FilterReader(own)
                .doubts(!config.mode().isQueue() || config.mq().format().hasStatements()));
        warnings.addAll(new HostReader(own, origin, baseDirectory).doubts());
        warnings.addAll(new SchemaReader(destination, own, baseDirectory, baseDirectory).doubts());
        server.queue().doubtEncoders(own);
        warnings.addAll(routing.doubts());
        if (own.isBlank(ValueKeys.TIME_ZONE)) {
            ZoneOfMachine.doubt(request.environment()).map(Warning.General::new).ifPresent(warnings::add);
        }
    }

    private void warnOfHidden(PropertiesFile instance) {
        Set<String> hidden = instance.hiddenBy(server.file());
        hidden.removeIf(name -> {
            Key<?> key = Keys.find(name);
            return key == null || key.scope() != Scope.INSTANCE;
        });
        if (!hidden.isEmpty()) {
            warnings.add(new Warning.At(
                    instance.origin(),
                    "these keys have no effect, since canal.properties sets them to other values, and with an admin server that one wins, as with canal: "
                            + String.join(", ", hidden)));
        }
    }

    /** The lookup for one instance; with an admin server, the server's text wins, as with canal. */
    static InstanceLookup lookup(
            Environment environment,
            ConfigTexts texts,
            PropertiesFile server,
            PropertiesFile own,
            String destination,
            Placeholders placeholders) {
        return texts.isManaged()
                ? new InstanceLookup(environment, own, server, destination, placeholders)
                : new InstanceLookup(environment, server, own, destination, placeholders);
    }

    private static void checkTogether(List<ReadInstance> instances) {
        Map<String, ReadInstance> replicas = new HashMap<>();
        for (ReadInstance instance : instances) {
            InstanceConfig own = instance.config();
            long replicaId = own.source().replicaServerId();
            ReadInstance other = replicas.put(own.login().address() + "#" + replicaId, instance);
            if (other != null) {
                Problem problem = new Problem(
                        new Origin.BuiltIn(),
                        SourceKeys.REPLICA_ID.name(),
                        instance.isReplicaIdSecret() ? Secret.MASK : Long.toString(replicaId),
                        "is that of %s and of %s, which read the same server: MySQL would cut one of them off"
                                .formatted(other.destination(), instance.destination()));
                other.problems().add(problem); // also to the other, so that one that runs stays as it is
                instance.problems().add(problem);
            }
        }
    }

    /** Problems of an instance's own text are the instance's, regardless of the reader that found them. */
    private ReadConfiguration result(List<ReadInstance> instances) {
        ConfigDigests digests = digests(instances); // first, since a value that cannot be found is a problem
        Map<String, ReadInstance> byDocument = new HashMap<>();
        instances.forEach(instance -> byDocument.put(instance.document(), instance));
        List<Problem> ofServer = new ArrayList<>();
        for (Problem problem : problems) {
            ReadInstance instance = byDocument.get(problem.origin().document());
            if (instance == null) {
                ofServer.add(problem);
            } else {
                instance.problems().add(problem);
            }
        }
        Map<String, List<Problem>> wrong = new HashMap<>();
        for (String name : server.unusable()) {
            wrong.put(name, List.of(unusable(name)));
        }
        List<InstanceConfig> right = new ArrayList<>();
        Map<String, String> documents = new HashMap<>();
        for (ReadInstance instance : instances) {
            documents.put(instance.destination(), instance.document());
            if (instance.isRight()) {
                right.add(instance.config());
            } else {
                wrong.put(instance.destination(), List.copyOf(instance.problems()));
            }
        }
        return new ReadConfiguration(
                new Configuration(config, right, List.copyOf(warnings), digests, server.withoutFile()),
                ofServer,
                wrong,
                documents,
                "");
    }

    private Problem unusable(String name) {
        return new Problem(
                texts.origin(config.confDirectory(), name),
                "",
                "",
                "no instance can be named \"%s\": a name has letters, digits, '.', '-' and '_', and does not begin with '.'"
                        .formatted(name));
    }

    private ConfigDigests digests(List<ReadInstance> instances) {
        Map<String, String> digests = new HashMap<>();
        Map<String, Instant> modified = new HashMap<>();
        for (ReadInstance instance : instances) {
            digests.put(instance.destination(), instance.digest());
            instance.modified().ifPresent(time -> modified.put(instance.destination(), time));
        }
        return DigestReader.of(server.settings(), config, digests, modified);
    }
}
