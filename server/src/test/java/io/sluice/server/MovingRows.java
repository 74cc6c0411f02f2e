package io.sluice.server;

import io.sluice.testkit.mysql.MySqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Random changes of two tables: in {@code moving}, rows get other keys, one by one and many at once, and keys that became
 * free are used again; in {@code steady}, keys of two columns stay.
 */
final class MovingRows {
    private static final int KEYS = 60;
    private static final int FAR = 1000;

    private final Random random;
    private final Set<Integer> taken = new HashSet<>();
    private final Set<Integer> steady = new HashSet<>();
    private int changes;
    private int moves;

    MovingRows(long seed) {
        this.random = new Random(seed);
    }

    /** How many rows were changed, each as often as it was. */
    int changes() {
        return changes;
    }

    /** How many of these changes gave a row another key. */
    int moves() {
        return moves;
    }

    void run(MySqlServer mysql, String schema, int statements) throws SQLException {
        try (Connection connection = mysql.connect();
                Statement sql = connection.createStatement()) {
            sql.execute("create database " + schema);
            sql.execute("use " + schema);
            sql.execute("create table moving (id int primary key, note varchar(40), n int)");
            sql.execute("create table steady (a int, b varchar(20), n int, primary key (a, b))");
            for (int i = 0; i < statements; i++) {
                change(sql, i);
            }
        }
    }

    private void change(Statement sql, int number) throws SQLException {
        switch (random.nextInt(8)) {
            case 0, 1 -> insert(sql, number);
            case 2 ->
                changed(sql.executeUpdate("update moving set n = %d, note = concat('ü', n) where id %% 4 = %d"
                        .formatted(number, random.nextInt(4))));
            case 3 -> moveOne(sql, number);
            case 4 -> moveMany(sql, number);
            case 5 -> delete(sql);
            case 6 -> insertSteady(sql, number);
            default ->
                changed(sql.executeUpdate(
                        "update steady set n = %d where a %% 3 = %d".formatted(number, random.nextInt(3))));
        }
    }

    private void changed(int rows) {
        changes += rows;
    }

    private List<Integer> some(boolean isTaken) {
        List<Integer> keys = new ArrayList<>();
        for (int i = 1 + random.nextInt(16); i > 0; i--) {
            int key = random.nextInt(KEYS) + (random.nextBoolean() ? FAR : 0);
            if (taken.contains(key) == isTaken && !keys.contains(key)) {
                keys.add(key);
            }
        }
        return keys;
    }

    private void insert(Statement sql, int number) throws SQLException {
        List<Integer> keys = some(false);
        if (!keys.isEmpty()) {
            changed(sql.executeUpdate("insert into moving values "
                    + keys.stream()
                            .map(key -> "(%d, 'of %d', 0)".formatted(key, number))
                            .collect(Collectors.joining(","))));
            taken.addAll(keys);
        }
    }

    private void moveOne(Statement sql, int number) throws SQLException {
        List<Integer> from = some(true);
        List<Integer> to = some(false);
        if (!from.isEmpty() && !to.isEmpty()) {
            changed(sql.executeUpdate("update moving set id = %d, note = 'moved by %d' where id = %d"
                    .formatted(to.get(0), number, from.get(0))));
            moves++;
            taken.remove(from.get(0));
            taken.add(to.get(0));
        }
    }

    private void moveMany(Statement sql, int number) throws SQLException {
        int step = random.nextBoolean() ? FAR : -FAR;
        List<Integer> from = some(true);
        from.removeIf(key -> key / FAR == (step > 0 ? 1 : 0) || taken.contains(key + step));
        if (!from.isEmpty()) {
            String keys = from.stream().map(Object::toString).collect(Collectors.joining(","));
            changed(sql.executeUpdate(
                    "update moving set id = id + %d, n = %d where id in (%s)".formatted(step, number, keys)));
            moves += from.size();
            from.forEach(key -> {
                taken.remove(key);
                taken.add(key + step);
            });
        }
    }

    private void delete(Statement sql) throws SQLException {
        List<Integer> keys = some(true);
        if (!keys.isEmpty()) {
            changed(sql.executeUpdate("delete from moving where id in ("
                    + keys.stream().map(Object::toString).collect(Collectors.joining(",")) + ")"));
            taken.removeAll(keys);
        }
    }

    private void insertSteady(Statement sql, int number) throws SQLException {
        int key = random.nextInt(KEYS);
        if (steady.add(key)) {
            changed(sql.executeUpdate("insert into steady values (%d, 'é%d', %d)".formatted(key, key % 5, number)));
        } else {
            changed(sql.executeUpdate("delete from steady where a = " + key));
            steady.remove(key);
        }
    }
}
