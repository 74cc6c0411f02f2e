package io.sluice.server.config.read;

import io.sluice.connector.api.convert.ChangeHeaders;
import io.sluice.connector.api.convert.KeyChange;
import io.sluice.connector.api.route.RoutingRules;
import io.sluice.connector.api.route.RoutingRules.NamedTopic;
import io.sluice.connector.api.route.RuleProblem;
import io.sluice.connector.api.route.RuleTexts;
import io.sluice.server.config.instance.RoutingConfig;
import io.sluice.server.config.key.Keys;
import io.sluice.server.config.key.RoutingKeys;
import io.sluice.server.config.server.ServerMode;
import io.sluice.server.config.server.TopicNames;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.PlaceholderNames;
import io.sluice.server.config.text.Setting;
import io.sluice.server.config.text.Settings;
import io.sluice.server.config.text.Warning;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Reads where an instance's entries go, and checks the rules for that. */
final class RoutingReader {
    /** Each may quote a long value. */
    private static final int MAX_DOUBTS = 100;

    private final Settings settings;
    private final ServerMode mode;
    private final boolean hashSchema;
    private final Origin file;
    private final List<Warning> doubts = new ArrayList<>();

    /**
     * Makes a reader.
     *
     * @param hashSchema whether the schema's name counts in the hash of a row
     * @param file where a topic should be named
     */
    RoutingReader(Settings settings, ServerMode mode, boolean hashSchema, Origin file) {
        this.settings = settings;
        this.mode = mode;
        this.hashSchema = hashSchema;
        this.file = file;
    }

    /** Reads it; rules that cannot be read are reported, with the position in the value. Clients that pull have none. */
    RoutingConfig read() {
        RoutingRules rules = RoutingRules.read(mode.isQueue() ? texts() : fixed());
        for (RuleProblem problem : rules.problems()) {
            settings.complain(keyOf(problem), problem.problem());
        }
        RoutingConfig config = new RoutingConfig(
                rules,
                settings.get(RoutingKeys.KEY_CHANGE),
                settings.get(RoutingKeys.DDL_PARTITION),
                settings.get(RoutingKeys.CHANGE_HEADERS) ? ChangeHeaders.IDS : ChangeHeaders.NONE);
        if (mode.isQueue()) {
            checkTopics(rules);
            rules.doubts().forEach(doubt -> doubt(keyOf(doubt), doubt.problem()));
            doubtEmptyPlaceholders();
            doubtUnusedKeys(config);
        }
        return config;
    }

    private RuleTexts fixed() {
        return RuleTexts.fixed(settings.get(RoutingKeys.TOPIC), settings.get(RoutingKeys.PARTITION));
    }

    private RuleTexts texts() {
        return new RuleTexts(
                settings.get(RoutingKeys.TOPIC),
                settings.get(RoutingKeys.PARTITION),
                settings.get(RoutingKeys.TOPIC_RULES),
                mode.hasPartitions() ? settings.get(RoutingKeys.HASH_RULES) : "",
                hashSchema,
                settings.find(RoutingKeys.PARTITIONS).map(OptionalInt::of).orElse(OptionalInt.empty()),
                settings.get(RoutingKeys.COUNT_RULES),
                mode == ServerMode.ROCKETMQ && settings.get(RoutingKeys.ASK_PARTITIONS),
                settings.get(RoutingKeys.MESSAGE_KEY));
    }

    private static Key<?> keyOf(RuleProblem problem) {
        Key<?> key = Keys.find(problem.key());
        if (key == null) {
            throw new IllegalStateException("rules of an unknown key: " + problem.key());
        }
        return key;
    }

    private void checkTopics(RoutingRules rules) {
        if (settings.isBlank(RoutingKeys.TOPIC)) {
            settings.complain(file, RoutingKeys.TOPIC, "is required: the topic that the changes go to");
        }
        for (NamedTopic named : rules.namedTopics()) {
            String why = TopicNames.problemOf(mode, named.topic());
            if (!named.topic().isEmpty() && why != null) {
                String rule = named.reason().rule().isEmpty()
                        ? ""
                        : ", in the rule " + named.reason().rule();
                settings.complain(
                        named.reason().rule().isEmpty() ? RoutingKeys.TOPIC : RoutingKeys.TOPIC_RULES,
                        "the broker cannot have a topic named %s: %s%s".formatted(named.topic(), why, rule));
            }
        }
    }

    /** A misspelt name in a template would send all tables to one topic. */
    private void doubtEmptyPlaceholders() {
        Setting setting = settings.raw(RoutingKeys.TOPIC_RULES.name());
        for (String name : PlaceholderNames.withoutFallback(setting == null ? "" : setting.raw())) {
            Setting meant = settings.raw(name);
            if (!name.equals("schema") && !name.equals("table") && (meant == null || meant.isBlank())) {
                doubt(
                        RoutingKeys.TOPIC_RULES,
                        "there is no key named %s, so that ${%s} is empty; names of tables are ${schema} and ${table}"
                                .formatted(name, name));
            }
        }
    }

    private void doubtUnusedKeys(RoutingConfig config) {
        RoutingRules rules = config.rules();
        if (!mode.hasPartitions()) {
            doubtIfSet(RoutingKeys.HASH_RULES, "has no effect: %s has no partitions".formatted(mode.spelling()));
            return;
        }
        if (rules.isHashed()) {
            doubtIfSet(
                    RoutingKeys.PARTITION,
                    "has no effect with %s: what no rule is for goes to partition 0",
                    RoutingKeys.HASH_RULES);
            boolean counted = rules.texts().partitions().isPresent()
                    || !settings.isBlank(RoutingKeys.COUNT_RULES)
                    || rules.texts().askBroker();
            if (!counted) {
                doubt(
                        RoutingKeys.HASH_RULES,
                        "spreads nothing: without %s everything goes to partition 0"
                                .formatted(RoutingKeys.PARTITIONS.name()));
            }
        } else {
            doubtIfSet(RoutingKeys.PARTITIONS, "has no effect without %s", RoutingKeys.HASH_RULES);
            doubtIfSet(RoutingKeys.COUNT_RULES, "has no effect without %s", RoutingKeys.HASH_RULES);
            doubtIfSet(RoutingKeys.DDL_PARTITION, "has no effect without %s", RoutingKeys.HASH_RULES);
        }
        if (config.keyChange() == KeyChange.SPLIT && !rules.hashesRows() && !rules.hasMessageKeys()) {
            doubt(
                    RoutingKeys.KEY_CHANGE,
                    "has no effect without %s, or columns in %s"
                            .formatted(RoutingKeys.MESSAGE_KEY.name(), RoutingKeys.HASH_RULES.name()));
        }
        if (settings.get(RoutingKeys.ASK_PARTITIONS) && mode != ServerMode.ROCKETMQ) {
            doubt(RoutingKeys.ASK_PARTITIONS, "has no effect but with rocketMQ");
        }
    }

    private void doubtIfSet(Key<?> key, String sentence, Key<?> other) {
        doubtIfSet(key, sentence.formatted(other.name()));
    }

    private void doubtIfSet(Key<?> key, String sentence) {
        Setting setting = settings.raw(key.name());
        if (setting != null && !key.isQuiet(setting)) {
            doubt(key, sentence);
        }
    }

    private void doubt(Key<?> key, String sentence) {
        if (doubts.size() >= MAX_DOUBTS) {
            return;
        }
        Setting setting = settings.raw(key.name());
        if (setting != null) {
            doubts.add(new Warning.At(setting.origin(), key.name() + ": " + settings.sentence(key, sentence)));
        }
    }

    /** What can be read, but is probably meant otherwise. */
    List<Warning> doubts() {
        return List.copyOf(doubts);
    }
}
