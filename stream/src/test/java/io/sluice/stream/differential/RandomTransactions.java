package io.sluice.stream.differential;

import io.sluice.testkit.check.TableId;
import java.util.ArrayList;
import java.util.List;

/** Changes of the rows of several tables together: by transactions, joins and triggers. */
final class RandomTransactions {
    private static final String XID = "'x','y',7";

    private final Scene scene;
    private final Dice dice;
    private final RandomRows rows;
    private final RandomAlters alters;

    RandomTransactions(Scene scene) {
        this.scene = scene;
        alters = new RandomAlters(scene);
        dice = scene.dice();
        rows = new RandomRows(scene);
    }

    /** A transaction, a part of which may be rolled back; after it none is open. */
    List<String> transaction() {
        if (dice.percent(25)) {
            return distributed();
        }
        List<String> statements = new ArrayList<>(List.of(dice.oneOf("begin", "start transaction")));
        if (dice.percent(15)) {
            statements.add(alters.alter());
            statements.add("start transaction");
        }
        statements.addAll(changes());
        if (dice.percent(40)) {
            statements.add("savepoint s1");
            statements.addAll(changes());
            statements.add(dice.oneOf("rollback to s1", "rollback to savepoint s1", "release savepoint s1"));
            statements.addAll(changes());
        }
        statements.add(dice.oneOf("commit", "commit", "commit", "rollback"));
        return statements;
    }

    /** What is rolled back after it was prepared has been delivered, so that is not done. */
    private List<String> distributed() {
        List<String> statements = new ArrayList<>(List.of("xa start " + XID));
        statements.addAll(changes());
        statements.add("xa end " + XID);
        switch (dice.below(4)) {
            case 0 -> statements.add("xa commit " + XID + " one phase");
            case 1 -> statements.add("xa rollback " + XID);
            default -> statements.addAll(List.of("xa prepare " + XID, "xa commit " + XID));
        }
        return statements;
    }

    private List<String> changes() {
        List<String> changes = new ArrayList<>();
        for (int i = 1 + dice.below(3); i > 0; i--) {
            changes.add(dice.percent(75) ? rows.change(scene.someTable()) : rows.changeOfTwo());
        }
        return changes;
    }

    /** A trigger of a table that changes another one, or its end. */
    String trigger() {
        TableId on = scene.someTable();
        String name = Identifiers.quoted(on.schema()) + ".tr" + dice.below(3);
        if (dice.percent(35)) {
            return "drop trigger if exists " + name;
        }
        String body = rows.change(scene.someTable());
        return "create trigger " + name + " " + dice.oneOf("before ", "after ")
                + dice.oneOf("insert", "insert", "update", "delete") + " on " + scene.name(on) + " for each row "
                + (dice.percent(60) ? body : "begin " + body + "; " + rows.change(scene.someTable()) + "; end");
    }
}
