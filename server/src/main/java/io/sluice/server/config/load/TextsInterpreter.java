package io.sluice.server.config.load;

import io.sluice.server.config.origin.ConfigTexts;
import io.sluice.server.config.read.KeyStoreCheck;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.read.ReadRequest;
import io.sluice.server.config.read.TextsReader;
import io.sluice.server.config.reload.ReadConfiguration;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.OutsideValues;
import io.sluice.server.config.unread.UnreadData;
import java.nio.file.Path;

/**
 * Makes configurations of the texts of one server. It keeps what need not be found out again: the key stores without problems, and the
 * folders of cursors that were read.
 */
final class TextsInterpreter {
    private final Path file;
    private final Path baseDirectory;
    private final Environment environment;
    private final ProducerCheck producerCheck;
    private final KeyStoreCheck stores = new KeyStoreCheck();
    private final UnreadData unreadData;

    /** Creates it; the parameters are those of {@link ConfigReader}. */
    TextsInterpreter(Path file, Path baseDirectory, Environment environment, ProducerCheck producerCheck) {
        this.file = file;
        this.baseDirectory = baseDirectory;
        this.environment = environment;
        this.producerCheck = producerCheck;
        this.unreadData = new UnreadData(file, baseDirectory, environment);
    }

    ReadConfiguration interpret(ConfigTexts texts, OutsideValues outside) {
        return TextsReader.read(
                new ReadRequest(texts, file, baseDirectory, environment, outside, producerCheck, stores));
    }

    /** Finds also what keeps an instance from starting by the files beside the configuration. */
    ReadConfiguration interpretForStart(ConfigTexts texts, OutsideValues outside) {
        return checked(interpret(texts, outside), texts);
    }

    /** Returns what was read of some texts, with the instances that cannot start by the files beside the configuration among the wrong ones. */
    ReadConfiguration checked(ReadConfiguration read, ConfigTexts texts) {
        return unreadData.check(read, texts.isManaged());
    }
}
