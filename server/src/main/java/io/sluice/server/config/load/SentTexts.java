package io.sluice.server.config.load;

import io.sluice.connector.api.route.RoutingRules;
import io.sluice.connector.api.route.RuleTexts;
import io.sluice.protocol.pattern.MarkedSyntaxException;
import io.sluice.protocol.pattern.MatchBudget;
import io.sluice.schema.filter.TableFilter;
import io.sluice.server.config.ConfigDigests;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.key.FilterKeys;
import io.sluice.server.config.key.RoutingKeys;
import io.sluice.server.config.origin.ConfigTexts;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.read.ReadRequest;
import io.sluice.server.config.read.TextsReader;
import io.sluice.server.config.reload.ReadConfiguration;
import io.sluice.server.config.sent.CheckedTexts;
import io.sluice.server.config.sent.GivenTexts;
import io.sluice.server.config.sent.TrialTexts;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Masking;
import io.sluice.server.config.text.OutsideValues;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.PropertiesFile;
import io.sluice.server.config.text.Secret;
import io.sluice.server.config.text.Setting;
import io.sluice.server.config.text.Warning;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Texts that a client has sent, read without anything that is outside of them.
 *
 * @param own the texts of the server that reads
 * @param forTrial whether their settings are to be tried, so that no setting may name a file that is read to connect
 */
record SentTexts(GivenTexts given, ConfigTexts own, boolean forTrial) implements ConfigTexts {
    private static final Logger LOG = LoggerFactory.getLogger(SentTexts.class);
    private static final String SERVER = "canal.properties";
    private static final String INSTANCE = "instance.properties";

    /** The name of a text that was sent, where a path is needed; there is no such file. */
    private static final Path NO_FILE = Path.of(SERVER);

    /** The keys of the server's own text that count here; others are hidden, so that no answer can quote them. */
    private static final List<String> SHOWN = List.of("canal.serverMode", "canal.mq.", "canal.instance.filter.");

    /**
     * Checks them.
     *
     * @param own the texts of the server that checks
     * @param machine gives nothing but its address and its processors
     */
    static CheckedTexts check(GivenTexts given, ConfigTexts own, Path baseDirectory, Environment machine) {
        Set<Problem> unread = new LinkedHashSet<>();
        ReadConfiguration read = read(new SentTexts(given, own, false), baseDirectory, machine, unread);
        return checked(given, read, unread);
    }

    /** Reads them for a trial; the parameters are those of {@link #check}. */
    static TrialTexts forTrial(GivenTexts given, ConfigTexts own, Path baseDirectory, Environment machine) {
        Set<Problem> unread = new LinkedHashSet<>();
        ReadConfiguration read = read(new SentTexts(given, own, true), baseDirectory, machine, unread);
        boolean hasServer = given.server().isPresent();
        UntriedParts untried = new UntriedParts(read.configuration().server().mode(), hasServer, texts(given));
        unread.forEach(untried::add);
        return new TrialTexts(checked(given, read, unread), hasServer, untried.sentences());
    }

    private static ReadConfiguration read(
            SentTexts texts, Path baseDirectory, Environment machine, Set<Problem> unread) {
        texts.readOwnRules();
        return TextsReader.read(new ReadRequest(
                texts,
                NO_FILE,
                baseDirectory,
                new Environment(Map.of(), Map.of(), machine.address(), machine.processors()),
                OutsideValues.none(unread),
                ProducerCheck.NONE));
    }

    /** Reads the rules of the server's own text, if it counts, without charging what was sent: what has its many rules may be short. */
    private void readOwnRules() {
        if (given.server().isPresent()) {
            return;
        }
        PropertiesFile file = server(new LinkedHashSet<>(), new LinkedHashSet<>());
        MatchBudget.uncharged(() -> {
            RoutingRules.read(new RuleTexts(
                    "",
                    0,
                    own(file, RoutingKeys.TOPIC_RULES),
                    own(file, RoutingKeys.HASH_RULES),
                    false,
                    OptionalInt.empty(),
                    own(file, RoutingKeys.COUNT_RULES),
                    false,
                    own(file, RoutingKeys.MESSAGE_KEY)));
            readTables(own(file, FilterKeys.INCLUDE));
            readTables(own(file, FilterKeys.EXCLUDE));
        });
    }

    private static void readTables(String list) {
        try {
            TableFilter.doubtsOf(list);
        } catch (MarkedSyntaxException e) {
            LOG.debug("a filter of the server's own text cannot be read, as is reported with the instance", e);
        }
    }

    private static String own(PropertiesFile file, Key<String> key) {
        Setting setting = file.find(key.name());
        return setting == null ? "" : setting.text();
    }

    private static CheckedTexts checked(GivenTexts given, ReadConfiguration read, Set<Problem> unread) {
        List<Problem> problems = new ArrayList<>();
        List<Problem> shown = new ArrayList<>(unread);
        if (given.server().isPresent()) {
            problems.addAll(read.serverProblems());
        } else {
            shown.removeIf(problem -> !problem.origin().document().equals(INSTANCE));
        }
        read.instanceProblems().values().forEach(problems::addAll);
        Configuration configuration = read.configuration();
        return new CheckedTexts(
                new Configuration(
                        configuration.server(),
                        configuration.instances(),
                        configuration.warnings(),
                        ConfigDigests.NONE,
                        Map.of()),
                problems,
                shown);
    }

    /** What was sent, as it is written. */
    private static List<PropertiesFile> texts(GivenTexts given) {
        return List.of(
                PropertiesFile.parse(SERVER, given.server().orElse(""), new LinkedHashSet<>(), new LinkedHashSet<>()),
                PropertiesFile.parse(
                        INSTANCE, given.instance().orElse(""), new LinkedHashSet<>(), new LinkedHashSet<>()));
    }

    @Override
    public boolean namesAll() {
        return true;
    }

    @Override
    public boolean knowsDestinations() {
        return false;
    }

    @Override
    public boolean isManaged() {
        return own.isManaged();
    }

    @Override
    public PropertiesFile server(Set<Problem> problems, Set<Warning> warnings) {
        return given.server().isPresent()
                ? parse(SERVER, given.server().get(), problems, warnings)
                : own.server(new LinkedHashSet<>(), new LinkedHashSet<>()).hiding(SentTexts::isHidden);
    }

    @Override
    public List<String> found(Path confDirectory, Set<Problem> problems) {
        return given.instance().isPresent() ? List.of(given.destination()) : List.of();
    }

    @Override
    public PropertiesFile instance(
            Path confDirectory, String destination, Set<Problem> problems, Set<Warning> warnings) {
        return parse(INSTANCE, given.instance().orElse(""), problems, warnings);
    }

    private PropertiesFile parse(String document, String text, Set<Problem> problems, Set<Warning> warnings) {
        PropertiesFile file = PropertiesFile.parse(document, text, problems, warnings);
        return forTrial
                ? TextsElsewhere.withoutFilesToConnect(file).hiding((key, value) -> value.contains(Secret.MASK))
                : TextsElsewhere.withoutFiles(file);
    }

    private static boolean isHidden(String key, String value) {
        return SHOWN.stream().noneMatch(key::startsWith)
                || Key.isSecret(key)
                || value.contains("${")
                || !Masking.value(value).equals(value);
    }
}
