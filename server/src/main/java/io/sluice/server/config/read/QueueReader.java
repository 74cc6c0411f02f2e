package io.sluice.server.config.read;

import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.format.flat.FlatFormat;
import io.sluice.format.message.MessageFormat;
import io.sluice.format.message.MessageFormats;
import io.sluice.format.protobuf.ProtobufFormat;
import io.sluice.server.config.key.FilterKeys;
import io.sluice.server.config.key.MemoryKeys;
import io.sluice.server.config.key.ProducerKeys;
import io.sluice.server.config.key.ProducerSettings;
import io.sluice.server.config.key.QueueKeys;
import io.sluice.server.config.server.MqConfig;
import io.sluice.server.config.server.ServerMode;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Masking;
import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.Setting;
import io.sluice.server.config.text.Settings;
import io.sluice.server.config.text.Warning;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads what concerns messages for queues, but for the routing: the format, the producer's properties, and keys without effect. */
final class QueueReader {
    private final Settings settings;
    private final ServerMode mode;
    private final Set<Warning> warnings;

    QueueReader(Settings settings, ServerMode mode, Set<Warning> warnings) {
        this.settings = settings;
        this.mode = mode;
        this.warnings = warnings;
    }

    MqConfig read() {
        return new MqConfig(
                format(),
                settings.get(QueueKeys.BUILD_THREADS),
                settings.find(FilterKeys.DROP_TRANSACTION_ENTRIES).orElse(true));
    }

    /** The format that is named; else one of canal's two. */
    private MessageFormat format() {
        return settings.find(QueueKeys.FORMAT)
                .flatMap(MessageFormats::find)
                .orElseGet(() -> settings.get(QueueKeys.FLAT_MESSAGE) ? new FlatFormat() : new ProtobufFormat());
    }

    /** The shipped file sets the key to true, so only false can contradict the format. */
    void doubtFormat(MqConfig mq) {
        Setting setting = settings.raw(QueueKeys.FLAT_MESSAGE.name());
        if (setting != null && mode.isQueue() && !settings.get(QueueKeys.FLAT_MESSAGE) && !mq.inPackets()) {
            warnings.add(new Warning.At(
                    setting.origin(),
                    "%s = false has no effect: messages are of the format %s, as %s says"
                            .formatted(
                                    QueueKeys.FLAT_MESSAGE.name(),
                                    settings.shown(QueueKeys.FORMAT),
                                    QueueKeys.FORMAT.name())));
        }
    }

    /** The shipped files of canal switch them on, so only a number, or that they are off, can be meant for this server. */
    void doubtEncoders(Settings own) {
        if (!mode.isQueue()) {
            return;
        }
        for (Key<?> key : List.of(MemoryKeys.PARSER_THREADS, MemoryKeys.PARALLEL)) {
            Setting setting = own.raw(key.name());
            boolean isMeant = key.equals(MemoryKeys.PARSER_THREADS) || !own.get(MemoryKeys.PARALLEL);
            if (setting != null && isMeant && !key.isQuiet(setting)) {
                warnings.add(new Warning.At(
                        setting.origin(),
                        "%s: has no effect with a queue, for which %s is the number of threads"
                                .formatted(key.name(), QueueKeys.BUILD_THREADS.name())));
            }
        }
    }

    /** What makes producers of the properties; empty without a queue, and if they have problems. */
    Optional<MessageProducerFactory> producers(
            ProducerSettings producer, ProducerCheck producerCheck, Origin file, Set<Problem> problems) {
        if (!mode.isQueue()) {
            return Optional.empty();
        }
        Optional<MessageProducerFactory> producers =
                producerCheck.configure(mode, producer.properties(), (key, complaint) -> {
                    Setting setting = producer.find(key);
                    if (setting == null) {
                        problems.add(missing(file, key, producer.sentence(key, complaint)));
                    } else if (!setting.isUnusable()) {
                        problems.add(new Problem(
                                setting.origin(),
                                producer.writtenAs(key),
                                Masking.shown(key, setting),
                                producer.sentence(key, complaint)));
                    }
                });
        ProducerKeys keys = ProducerKeys.of(mode);
        if (!keys.required().isEmpty() && producer.find(keys.required()) == null) {
            Problem required = missing(file, keys.required(), "is required: " + keys.meaning());
            if (problems.stream().noneMatch(problem -> problem.key().equals(required.key()))) {
                problems.add(required);
            }
        }
        return producers.map(factory -> new MaskedProducers(factory, producer));
    }

    /** The problem that a key of the producer has no value; it may be set to nothing by an old name. */
    private Problem missing(Origin file, String key, String complaint) {
        if (settings.raw(key) != null) {
            return settings.missing(file, key, complaint);
        }
        return ProducerKeys.of(mode).aliases().entrySet().stream()
                .filter(alias -> alias.getValue().equals(key) && settings.raw(alias.getKey()) != null)
                .findFirst()
                .map(alias -> settings.missing(file, alias.getKey(), complaint))
                .orElseGet(() -> new Problem(file, key, "", complaint));
    }
}
