package io.sluice.stream.differential;

import io.sluice.testkit.check.TableId;
import java.util.List;

/** Foreign keys that are added to tables and dropped. */
final class RandomForeignKeys {
    private static final int TRIES = 4;

    private final Scene scene;
    private final Dice dice;

    RandomForeignKeys(Scene scene) {
        this.scene = scene;
        dice = scene.dice();
    }

    String change() {
        TableId child = scene.someTable();
        String name = "fk" + dice.below(5);
        if (dice.percent(30)) {
            return "alter table " + scene.name(child) + " drop foreign key " + name;
        }
        for (int i = 0; i < TRIES; i++) {
            TableId parent = scene.someTable();
            List<ColumnState> key =
                    scene.columns(parent).stream().filter(ColumnState::key).toList();
            if (key.size() == 1) {
                return reference(child, name, parent, key.get(0));
            }
        }
        return "alter table " + scene.name(child) + " add foreign key (" + scene.someColumn(child) + ") references "
                + scene.someTableName() + " (" + scene.anyColumn() + ")";
    }

    private String reference(TableId child, String name, TableId parent, ColumnState key) {
        String added = scene.newColumn(child);
        String referenced = " references " + scene.name(parent) + dice.oneOf(" (", "(")
                + scene.columnName(key.name()) + ")" + dice.oneOf("", " match full")
                + dice.oneOf(
                        "", "", " on delete cascade", " on update cascade on delete set null", " on delete restrict")
                + dice.oneOf("", " on update no action");
        String column = "add " + dice.oneOf("column ", "") + added + " " + key.type();
        return "alter table " + scene.name(child) + " "
                + (dice.percent(25)
                        ? column + referenced
                        : column + dice.oneOf("", " first", " after " + scene.someColumn(child)) + ", add "
                                + dice.oneOf("constraint " + name + " ", "constraint ", "") + "foreign key "
                                + dice.oneOf("", name + " ") + "(" + added + ")" + referenced);
    }
}
