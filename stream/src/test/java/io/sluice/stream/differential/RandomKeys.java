package io.sluice.stream.differential;

import java.util.List;

/** Keys and constraints, as they are written between columns. */
final class RandomKeys {
    private final Scene scene;
    private final Dice dice;

    RandomKeys(Scene scene) {
        this.scene = scene;
        dice = scene.dice();
    }

    /** A key of some of these columns. */
    String clause(List<String> columns) {
        String first = columns.isEmpty() ? "a" : dice.oneOf(columns);
        String second = columns.isEmpty() ? "b" : dice.oneOf(columns);
        String name = dice.oneOf("", "", "k1", "`i 2`", "`primary key`", "`表`", "u" + dice.below(999));
        return switch (dice.below(13)) {
            case 0, 1, 2, 3 ->
                dice.oneOf("", "", "constraint ", "constraint `c p` ", "constraint pk ")
                        + "primary key"
                        + dice.oneOf("", "", " using btree", " pkname")
                        + " (" + first + dice.oneOf("", "", "(3)", " desc", " asc")
                        + (dice.percent(30) && !second.equals(first) ? ", " + second : "") + ")" + options();
            case 4, 5 ->
                dice.oneOf("unique ", "unique key ", "unique index ", "constraint unique ", "constraint u9 unique key ")
                        + name + dice.oneOf("", "", " using btree", " using hash")
                        + " (" + first + dice.oneOf("", "(5)", "") + ")" + options();
            case 6, 7 ->
                dice.oneOf("key ", "index ", "INDEX ") + name + " (" + first + dice.oneOf("", "(4)", " desc") + ", "
                        + second + ")" + options();
            case 8 -> "fulltext " + dice.oneOf("", "key ", "index ") + name + " (" + first + ")";
            case 9 -> "spatial " + dice.oneOf("", "key ", "index ") + name + " (" + first + ")";
            case 10 ->
                scene.dialect().isMySqlFrom(80_013)
                        ? "key " + name + " (("
                                + dice.oneOf("length(" + first + ")", "1 + " + first, "cast(" + first + " as char(10))")
                                + "))"
                        : "key (" + first + ")";
            case 11 ->
                dice.oneOf("check ", "constraint check ", "constraint `ck " + dice.below(9999) + "` check ")
                        + "(" + first + " is null or 1 = 1)"
                        + (scene.dialect().isMySqlFrom(80_016) ? dice.oneOf("", " not enforced", " enforced") : "");
            default -> "key " + name + " (" + first + ")";
        };
    }

    private String options() {
        return dice.oneOf(
                "",
                "",
                "",
                " comment 'k, )'",
                " key_block_size=8",
                scene.dialect().isMySqlFrom(80_000) ? " invisible" : scene.mariaDb() ? " ignored" : "");
    }
}
