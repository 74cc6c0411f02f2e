package io.sluice.server.instance;

import io.sluice.connector.api.convert.KeyChange;
import io.sluice.connector.api.route.RoutingRules;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.stream.options.PartialImagePolicy;
import io.sluice.stream.options.PartialImagePolicy.Reported;
import java.util.ArrayList;
import java.util.List;

/** Determines what becomes of an instance's messages when the source's row images lack columns. */
public final class PartialImageRules {
    private static final String FULL = "set binlog_row_image=FULL on the source";
    private static final String COMPLETE = ", or canal.instance.value.image.complete=true";
    private static final String EMPTY_KEY = "a row whose image has no key goes to the partition of an empty key";

    private final InstanceConfig config;
    private final boolean flat;
    private final RoutingRules rules;

    /**
     * Makes the rules of an instance.
     *
     * @param flat whether its rows leave as flat messages
     */
    public PartialImageRules(InstanceConfig config, boolean flat) {
        this.config = config;
        this.flat = flat;
        this.rules = config.routing().rules();
    }

    /** What the instance's stream does with such images. */
    PartialImagePolicy images() {
        boolean completes = config.stream().partialImages().completesAfter();
        if (!flat && !rules.hashesRows() && !rules.hasMessageKeys()) {
            return new PartialImagePolicy(completes, Reported.NONE, false, "");
        }
        Reported reported = rules.namesColumns() ? Reported.ANY : Reported.WITHOUT_KEY;
        String consequence = consequence();
        return consequence.isEmpty()
                ? new PartialImagePolicy(completes, reported, false, EMPTY_KEY + "; " + FULL)
                : new PartialImagePolicy(completes, reported, true, consequence);
    }

    /** What is wrong with the messages of such images, and the remedy; empty if nothing is. */
    public String consequence() {
        boolean completes = config.stream().partialImages().completesAfter();
        List<String> sentences = new ArrayList<>();
        if (flat && !completes) {
            sentences.add("a flat message of an update has the changed columns only, and does not identify its row");
        }
        if (rules.hashesRows() && !completes && config.routing().keyChange() == KeyChange.KEEP) {
            sentences.add(
                    "an update goes to the partition of an empty key, so it is not in order with the insert and the"
                            + " delete of its row");
        }
        String remedy = sentences.isEmpty() ? FULL : FULL + COMPLETE;
        if (rules.namesColumns()) {
            sentences.add(
                    "a column of canal.mq.partitionHash or canal.mq.messageKey that is not in the primary key counts"
                            + " as NULL where the image lacks it");
        }
        return sentences.isEmpty() ? "" : String.join("; ", sentences) + "; " + remedy;
    }
}
