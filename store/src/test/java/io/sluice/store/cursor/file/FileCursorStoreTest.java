package io.sluice.store.cursor.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SourceServer;
import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.ClientsJson;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.CursorLog;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.testkit.log.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileCursorStoreTest {
    private static final Duration NEVER = Duration.ofDays(1);

    /** What canal wrote for position 1234, on one line. */
    private static final String CANALS = """
            {"clientDatas":[{"clientIdentity":{"clientId":1001,"destination":"example","filter":""},\
            "cursor":{"identity":{"slaveId":-1,"sourceAddress":{"address":"localhost","port":3306}},\
            "postion":{"gtid":"","included":false,"journalName":"mysql-bin.000001","position":1234,\
            "serverId":1,"timestamp":1700000000000}}}],"destination":"example"}""";

    @TempDir
    private Path dir;

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void stopTimer() {
        scheduler.shutdownNow();
    }

    @Test
    void withoutAFileThereIsNoCursorAndNoFileIsMade() {
        try (FileCursorStore store = open(NEVER)) {
            assertThat(store.load(1001)).isNull();
        }
        assertThat(file()).doesNotExist();
    }

    @Test
    void writesWhatCanalWrites() throws IOException {
        try (FileCursorStore store = open(NEVER)) {
            store.subscribe(1001, "");
            store.save(1001, position(1234));
        }

        assertThat(Files.readString(file())).isEqualTo(CANALS);
        assertThat(file().getParent())
                .isDirectoryNotContaining(path -> !path.endsWith("meta.dat") && !path.endsWith("meta.dat.lock"));
    }

    @Test
    void writesTheCursorToWhichAStreamGoesBackForTheClientsThatAreAfterIt() {
        Cursor old = at(1, 49);
        Cursor to = at(2, 50);
        try (FileCursorStore store = open(NEVER)) {
            store.subscribe(1001, "");
            store.subscribe(1002, "");
            store.subscribe(1003, "");
            store.save(1001, old);
            store.save(1002, at(3, 60));

            store.goBack(to);

            assertThat(store.unwritten()).isZero();
            assertThat(store.load(1001)).isEqualTo(old);
            assertThat(store.load(1002)).isEqualTo(to);
            assertThat(store.load(1003)).isNull();
        }
    }

    @Test
    void alsoTheLastClientGoesBackThatHasLeft() {
        try (FileCursorStore store = open(NEVER)) {
            store.subscribe(1001, "");
            store.save(1001, at(3, 60));
            store.unsubscribe(1001);
            store.subscribe(1002, "");

            store.goBack(at(2, 50));

            assertThat(store.kept()).extracting(Subscription::cursor).containsExactly(at(2, 50), null);
        }
    }

    private static Cursor at(long offset, long millis) {
        return new Cursor("db", 3306, new BinlogPosition("binlog.000001", offset), "", 1, millis);
    }

    @Test
    void notesWhereCursorsWent() throws IOException {
        try (LogLines lines = LogLines.of(CursorLog.class)) {
            try (FileCursorStore store = open(NEVER)) {
                store.subscribe(1001, "");
                store.subscribe(1002, "");
                store.save(1001, position(1234));
                store.flush();
                store.save(1002, position(5));
                store.flush();
                store.flush();
            }

            assertThat(lines.texts())
                    .containsExactly(
                            "clientId:1001 cursor:[mysql-bin.000001,1234,1700000000000,1,] address[localhost:3306]",
                            "clientId:1002 cursor:[mysql-bin.000001,5,1700000000000,1,] address[localhost:3306]");
            assertThat(lines.events())
                    .allMatch(line -> "example".equals(line.getMDCPropertyMap().get("destination")));
        }
    }

    @Test
    void readsWhatCanalWrote() throws IOException {
        write(CANALS + "\n");

        try (FileCursorStore store = open(NEVER)) {
            assertThat(store.load(1001)).isEqualTo(position(1234));
        }
    }

    @Test
    void aCursorThatWasNotMovedLeavesTheFileAlone() throws IOException {
        write("  " + CANALS);
        try (FileCursorStore store = open(NEVER)) {
            store.save(1001, position(1234));
        }
        assertThat(Files.readString(file())).isEqualTo("  " + CANALS);
    }

    @Test
    void keepsSeveralClients() throws IOException {
        write(CANALS);
        try (FileCursorStore store = open(NEVER)) {
            store.subscribe(7, "shop\\..*");
            store.save(7, position(10));
            store.subscribe(8, "");
            assertThat(store.subscriptions())
                    .containsExactly(
                            new Subscription(7, "shop\\..*", position(10), 1),
                            new Subscription(8, "", null),
                            new Subscription(1001, "", position(1234)));
        }
        assertThat(Files.readString(file())).contains("""
                {"clientIdentity":{"clientId":8,"destination":"example","filter":""}}""");

        try (FileCursorStore store = open(NEVER)) {
            store.unsubscribe(1001);
            store.subscribe(7, "");
        }
        try (FileCursorStore store = open(NEVER)) {
            assertThat(store.subscriptions())
                    .containsExactly(new Subscription(7, "", position(10)), new Subscription(8, "", null));
        }
    }

    @Test
    void keepsTheOrderOfFiltersBesideWhatCanalReads() throws IOException {
        try (FileCursorStore store = open(NEVER)) {
            store.subscribe(1002, "b");
            store.subscribe(1001, "a");
            store.subscribe(1003, "");
        }
        assertThat(Files.readString(file())).isEqualTo("""
                {"clientDatas":[\
                {"clientIdentity":{"clientId":1001,"destination":"example","filter":"a"},"filterOrder":2},\
                {"clientIdentity":{"clientId":1002,"destination":"example","filter":"b"},"filterOrder":1},\
                {"clientIdentity":{"clientId":1003,"destination":"example","filter":""}}],"destination":"example"}""");
        try (FileCursorStore store = open(NEVER)) {
            assertThat(newestFilters(store)).containsExactly("a", "b");
            store.subscribe(1001, "a"); // the newest already
            assertThat(store.subscription(1001).orElseThrow().filterOrder()).isEqualTo(2);
            store.subscribe(1002, "c");
            store.subscribe(1001, "");
        }
        assertThat(Files.readString(file())).containsOnlyOnce("filterOrder").contains("\"filterOrder\":3");
        try (FileCursorStore store = open(NEVER)) {
            assertThat(newestFilters(store)).containsExactly("c");
        }
    }

    @Test
    void filtersThatCanalHasWrittenAreOlderThanTheNext() throws IOException {
        write("""
                {"clientDatas":[{"clientIdentity":{"clientId":1,"destination":"example","filter":"a"}},
                 {"clientIdentity":{"clientId":2,"destination":"example","filter":"b"}},
                 {"clientIdentity":{"clientId":3,"destination":"example","filter":"c"}}],"destination":"example"}""");
        try (FileCursorStore store = open(NEVER)) {
            assertThat(newestFilters(store)).containsExactly("c", "b", "a");
            store.subscribe(2, "d");
        }
        try (FileCursorStore store = open(NEVER)) {
            assertThat(newestFilters(store)).containsExactly("d", "c", "a");
        }
    }

    private static List<String> newestFilters(CursorStore store) {
        return store.subscriptions().stream()
                .filter(client -> !client.filter().isEmpty())
                .sorted(Subscription.NEWEST_FILTER_FIRST)
                .map(Subscription::filter)
                .toList();
    }

    @Test
    void aFilterIsNewerThanThatOfAClientThatHasLeft() {
        try (FileCursorStore store = open(NEVER)) {
            store.subscribe(1002, "former");
            store.save(1002, at(1, 49));
            store.unsubscribe(1002);
            store.subscribe(1001, "newest");
            store.subscribe(1002);

            assertThat(newestFilters(store)).containsExactly("newest", "former");
        }
    }

    @Test
    void aFilterIsNewerThanOneOfCanalWhoseClientHasLeft() throws IOException {
        write(CANALS.replace("\"filter\":\"\"", "\"filter\":\"former\""));
        try (FileCursorStore store = open(NEVER)) {
            store.unsubscribe(1001);
            store.subscribe(7, "newest");
            store.subscribe(1001);

            assertThat(newestFilters(store)).containsExactly("newest", "former");
        }
    }

    @Test
    void aFilterOfBlanksIsNone() throws IOException {
        write(CANALS.replace("\"filter\":\"\"", "\"filter\":\" \""));
        try (FileCursorStore store = open(NEVER)) {
            assertThat(store.subscriptions()).containsExactly(new Subscription(1001, "", position(1234)));
            store.subscribe(7, "a");
            store.subscribe(8, " \t");
            assertThat(newestFilters(store)).containsExactly("a");
        }
        try (FileCursorStore store = open(NEVER)) {
            assertThat(newestFilters(store)).containsExactly("a");
        }
    }

    /** Its changes of the time until it comes back would be skipped by the next start; canal keeps them, too. */
    @Test
    void theCursorOfTheLastClientStaysInTheFile() throws IOException {
        write(CANALS);
        try (FileCursorStore store = open(NEVER)) {
            store.unsubscribe(1001);
            assertThat(store.subscriptions()).isEmpty();
        }
        Subscription left = new Subscription(1001, "", position(1234), 0, true);
        try (FileCursorStore store = open(NEVER)) {
            assertThat(store.subscriptions()).as("it has left").isEmpty();
            assertThat(store.kept()).containsExactly(left);
            store.subscribe(7, "shop\\..*");
        }
        Subscription joined = new Subscription(7, "shop\\..*", null, 1);
        try (FileCursorStore store = open(NEVER)) {
            assertThat(store.subscriptions()).containsExactly(joined);
            assertThat(store.kept()).containsExactly(joined, left);
            store.save(7, position(2000));
        }
        try (FileCursorStore store = open(NEVER)) {
            assertThat(store.kept()).containsExactly(joined.withCursor(position(2000)));
        }
    }

    @Test
    void thatAClientHasLeftIsBesideWhatCanalReads() throws IOException {
        write(CANALS);
        try (FileCursorStore store = open(NEVER)) {
            store.subscribe(1001, "shop\\..*");
            store.unsubscribe(1001);
        }
        assertThat(Files.readString(file()))
                .isEqualTo(CANALS.replace("\"filter\":\"\"", "\"filter\":\"shop\\\\..*\"")
                        .replace("}],\"dest", ",\"filterOrder\":1,\"unsubscribed\":true}],\"dest"));

        try (FileCursorStore store = open(NEVER)) {
            store.subscribe(1001, "");
            assertThat(store.load(1001)).isEqualTo(position(1234));
        }
        assertThat(Files.readString(file())).isEqualTo(CANALS);
    }

    @Test
    void aClientThatHasLeftDoesNotHoldBackAnOtherOneThatAnOperatorAdds() throws IOException {
        write(CANALS);
        try (FileCursorStore store = open(NEVER)) {
            store.unsubscribe(1001);
        }
        FileCursorEditor editor = new FileCursorEditor(dir, "example");
        Subscription left = new Subscription(1001, "", position(1234), 0, true);
        assertThat(editor.read()).containsExactly(left);

        Subscription added = new Subscription(7, "", position(2000));
        editor.replace(List.of(added, left));

        assertThat(editor.read()).containsExactly(added);
        assertThat(Files.readString(file())).doesNotContain("1001");
        assertThat(editor.previous()).contains(List.of(left));
    }

    @Test
    void theLastClientContinuesAtItsCursorWhenItComesBack() throws IOException {
        write(CANALS);
        try (FileCursorStore store = open(NEVER)) {
            store.unsubscribe(1001);
            store.subscribe(1001, "shop\\..*");
            assertThat(store.load(1001)).isEqualTo(position(1234));
        }
    }

    /** Else the next start would be where the source has no binlog any more, though nothing came since. */
    @Test
    void theCursorOfTheLastClientThatHasLeftFollowsTheStream() throws IOException {
        write(CANALS);
        try (FileCursorStore store = open(NEVER)) {
            store.unsubscribe(1001);

            store.saveAll(() -> position(2000));

            assertThat(store.kept()).extracting(Subscription::cursor).containsExactly(position(2000));
        }
    }

    @Test
    void theLastClientThatHasLeftIsForgottenWhenTheStreamGivesAnotherOneItsFirstCursor() throws IOException {
        write(CANALS);
        try (FileCursorStore store = open(NEVER)) {
            store.unsubscribe(1001);
            store.subscribe(1002, "");
            assertThat(store.kept()).extracting(Subscription::clientId).containsExactly(1001, 1002);

            store.begin(() -> position(2000));

            assertThat(store.kept()).containsExactly(new Subscription(1002, "", position(2000)));
        }
    }

    @Test
    void theLastClientThatHasLeftIsForgottenWhenAnotherOneAcks() {
        try (FileCursorStore store = open(NEVER)) {
            store.subscribe(1001, "");
            store.save(1001, at(3, 60));
            store.unsubscribe(1001);
            store.subscribe(1002, "");

            store.save(1002, at(4, 70));

            assertThat(store.kept()).containsExactly(new Subscription(1002, "", at(4, 70)));
        }
    }

    /** The next start would be at its cursor otherwise, for which the others would get all again. */
    @Test
    void aClientThatLeavesAnotherOneWithACursorIsNotKept() {
        try (FileCursorStore store = open(NEVER)) {
            store.subscribe(1001, "");
            store.save(1001, at(3, 60));
            store.subscribe(1002, "");
            store.save(1002, at(4, 70));

            store.unsubscribe(1001);

            assertThat(store.kept()).containsExactly(new Subscription(1002, "", at(4, 70)));
        }
    }

    @Test
    void aClientThatComesBackHasNotLeftAnyMore() {
        try (FileCursorStore store = open(NEVER)) {
            store.subscribe(1001, "");
            store.save(1001, at(3, 60));
            store.unsubscribe(1001);

            store.subscribe(1001);

            assertThat(store.kept()).containsExactly(new Subscription(1001, "", at(3, 60)));
        }
    }

    /** What another one has acked is not after the position at which a further one begins. */
    @Test
    void whereTheStreamIsIsTheFirstCursorOfClientsWithoutOneOnly() {
        try (FileCursorStore store = open(NEVER)) {
            store.subscribe(1001, "");
            store.save(1001, at(3, 60));
            store.subscribe(1002, "");

            store.begin(() -> at(9, 90));

            assertThat(store.load(1001)).isEqualTo(at(3, 60));
            assertThat(store.load(1002)).isEqualTo(at(9, 90));
        }
    }

    /** It could not be written, and the client has acked meanwhile. */
    @Test
    void aFilterThatIsTakenBackLeavesTheNewestCursor() {
        try (FileCursorStore store = open(NEVER)) {
            store.subscribe(1001, "former");
            store.save(1001, at(3, 60));
            List<Subscription> before = store.kept();
            store.subscribe(1001, "newest");
            store.save(1001, at(4, 70));

            store.takeBack(1001, before);

            assertThat(store.kept()).containsExactly(new Subscription(1001, "former", at(4, 70), 1));
        }
    }

    /** The change has given an order to the filters of others, which had that of their clients' ids. */
    @Test
    void aFilterThatIsTakenBackLeavesTheNewestOneOfCanal() throws IOException {
        write("""
                {"clientDatas":[{"clientIdentity":{"clientId":7,"destination":"example","filter":"a"}},
                 {"clientIdentity":{"clientId":1001,"destination":"example","filter":"b"}}],"destination":"example"}""");
        try (FileCursorStore store = open(NEVER)) {
            List<Subscription> before = store.kept();
            assertThat(newestFilters(store)).containsExactly("b", "a");
            store.subscribe(1001, "c");

            store.takeBack(1001, before);

            assertThat(newestFilters(store)).containsExactly("b", "a");
        }
    }

    @Test
    void aLateAckDoesNotBringBackAClientThatLeft() {
        try (FileCursorStore store = open(NEVER)) {
            store.subscribe(7, "");
            store.unsubscribe(7);
            store.save(7, position(10));
            assertThat(store.subscriptions()).isEmpty();
        }
    }

    /** As by a client that subscribes while its instance ends: the next one has the file, and may have written newer cursors. */
    @Test
    void aClosedStoreWritesNothing() throws IOException {
        write(CANALS);
        FileCursorStore former = open(NEVER);
        former.close();
        former.subscribe(7, "");

        assertThatThrownBy(former::flush).isInstanceOf(CursorException.class).hasMessageContaining("is closed");
        former.close();
        assertThat(Files.readString(file())).isEqualTo(CANALS);
    }

    @Test
    void keepsUnknownKeys() throws IOException {
        write("""
                {"clientDatas":[{"clientIdentity":{"clientId":7,"destination":"example","x":1},"y":2},
                 {"clientIdentity":{"clientId":1001,"destination":"example","filter":"f"}}],
                 "destination":"example","more":[1]}""");
        try (FileCursorStore store = open(NEVER)) {
            assertThat(store.load(1001)).isNull();
            store.save(1001, position(1));
        }

        assertThat(Files.readString(file()))
                .contains("{\"clientIdentity\":{\"clientId\":7,\"destination\":\"example\",\"x\":1},\"y\":2}")
                .contains("{\"clientId\":1001,\"destination\":\"example\",\"filter\":\"f\"},\"cursor\":{\"identity\"")
                .contains("\"more\":[1]");
    }

    @Test
    void writesTheNewestCursorEveryPeriod() {
        try (FileCursorStore store = open(Duration.ofMillis(5))) {
            store.subscribe(1001, "");
            store.save(1001, position(1));
            store.save(1001, position(2));
            await().until(() -> Files.exists(file()) && Files.readString(file()).contains("\"position\":2,"));

            store.save(1001, position(3));
            await().until(() -> Files.readString(file()).contains("\"position\":3,"));
        }
    }

    @Test
    void aLeftOverOfACrashIsReplaced() throws IOException {
        write(CANALS);
        Files.writeString(file().resolveSibling("meta.dat.tmp"), "{\"clientDa");
        try (FileCursorStore store = open(NEVER)) {
            store.save(1001, position(2000));
        }
        try (FileCursorStore store = open(NEVER)) {
            assertThat(store.load(1001)).isEqualTo(position(2000));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | it is empty",
                "' \n ' | it is empty",
                "{\"clientDatas\":[{\"cl | it is torn or not JSON",
                "[] | it is not a cursor file",
                "{\"destination\":\"example\"} | it is not a cursor file",
                "{\"clientDatas\":[]} | its destination is missing",
                "{\"clientDatas\":[],\"destination\":\"other\"} | its destination is \"other\", not \"example\"",
                "{\"clientDatas\":[1],\"destination\":\"example\"} | has no clientIdentity.clientId",
                "{\"clientDatas\":[{\"clientIdentity\":{\"clientId\":7}},{\"clientIdentity\":{\"clientId\":7}}],\"destination\":\"example\"}"
                        + " | has the client 7 twice",
                "{\"clientDatas\":[{\"clientIdentity\":{\"clientId\":1001},\"cursor\":{}}],\"destination\":\"example\"}"
                        + " | a cursor's identity is not an object but missing",
            })
    void refusesAFileThatIsNotItsOwn(String text, String what) throws IOException {
        write(text);

        assertThatThrownBy(() -> open(NEVER))
                .isInstanceOf(CursorException.class)
                .hasMessageContaining(file().toString())
                .hasMessageContaining(what)
                .hasMessageContaining(
                        "restore it from a copy; or set where to continue: bin/sluice.sh cursor set example --time");
        assertThat(Files.readString(file())).isEqualTo(text);
    }

    @Test
    void theFileOfARenamedInstanceIsRefusedWithTheCommandsThatKeepItsPositions() throws IOException {
        write(CANALS.replace("\"destination\":\"example\"", "\"destination\":\"former\""));

        assertThatThrownBy(() -> open(NEVER))
                .isInstanceOf(CursorException.class)
                .hasMessageContaining("its destination is \"former\", not \"example\"")
                .hasMessageContaining(
                        "if the instance was renamed, continue at the position of the file: bin/sluice.sh cursor set example --to mysql-bin.000001:1234;"
                                + " that is a position in the binlog of localhost:3306, read until 2023-11-14T22:13:20Z, and is looked for at the first host"
                                + " of the instance: if that is another server now, use --time instead, with a time some minutes before the newest event that was"
                                + " read;"
                                + " if the instance was not renamed, restore")
                .hasMessageNotContaining("cursor restore");
    }

    /** The instance may have read another host than its first one, to which a position means nothing. */
    @Test
    void theFileOfARenamedInstanceThatHasGtidsIsContinuedAfterThem() throws IOException {
        write(CANALS.replace("\"destination\":\"example\"", "\"destination\":\"former\"")
                .replace("\"gtid\":\"\"", "\"gtid\":\"3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5\""));

        assertThatThrownBy(() -> open(NEVER))
                .hasMessageContaining(
                        "bin/sluice.sh cursor set example --gtid '3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5';"
                                + " these are of localhost:3306, read until 2023-11-14T22:13:20Z, and are looked for at the first host of the"
                                + " instance: if that cannot be asked, or has not executed all of it, name the server that has first in the configuration; on"
                                + " localhost it is also --to mysql-bin.000001:1234; if the instance was not renamed, restore");
    }

    /** They are other transactions on another node of the cluster. */
    @Test
    void gtidsOfASingleNodeAreNotWhereARenamedInstanceContinues() throws IOException {
        writeFormer(new SourceServer("db", 3306, "server 1 at db:3306, node n2, with GTIDs of its own"), "0-2-500");

        assertThatThrownBy(() -> open(NEVER))
                .hasMessageContaining(
                        "--to b.000002:157; that is a position in the binlog of db:3306 (server 1 at db:3306, node n2,")
                .hasMessageNotContaining("--gtid");
    }

    /** As of a stream that has begun by GTIDs and has read nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"", "server 1 at db:3306, node n2, with GTIDs of its own"})
    void aRenamedInstanceThatKnowsNoPositionContinuesAfterItsGtids(String identity) throws IOException {
        Cursor cursor =
                new Cursor(new SourceServer("db", 3306, identity), BinlogPosition.UNKNOWN, "0-2-500", 0, 0, null);
        writeFormer(new Subscription(1001, "", cursor));

        assertThatThrownBy(() -> open(NEVER))
                .hasMessageContaining("bin/sluice.sh cursor set example --gtid '0-2-500';");
    }

    @Test
    void aServerOfARenamedInstanceIsNamedWithItsIdentityIfThatIsKnown() throws IOException {
        writeFormer(new SourceServer("db", 3307, "3e11fa47-71ca-11e1-9e33-c80aa9429562"), "");

        assertThatThrownBy(() -> open(NEVER))
                .hasMessageContaining("--to b.000002:157; that is a position in the binlog of db:3307"
                        + " (3e11fa47-71ca-11e1-9e33-c80aa9429562), and is looked for at the first host");
    }

    /** By a command of its own it would be subscribed again, and nothing would be freed before it acks. */
    @Test
    void aClientOfARenamedInstanceThatHasUnsubscribedIsLeftOut() throws IOException {
        writeFormer(
                new Subscription(2, "", position(10)).withUnsubscribed(true), new Subscription(3, "", position(20)));

        assertThatThrownBy(() -> open(NEVER))
                .hasMessageContaining("continue at the position of the file:"
                        + " bin/sluice.sh cursor set example --client 3 --to mysql-bin.000001:20;")
                .hasMessageContaining("client 2 had unsubscribed, and is left out;")
                .hasMessageNotContaining("--client 2");
    }

    @Test
    void theOnlyCursorOfARenamedInstanceIsKeptAlsoIfItsClientHasUnsubscribed() throws IOException {
        writeFormer(new Subscription(2, "shop\\..*", position(10), 1, true), new Subscription(3, "", null));

        assertThatThrownBy(() -> open(NEVER))
                .hasMessageContaining("bin/sluice.sh cursor set example --client 2 --to mysql-bin.000001:10;")
                .hasMessageContaining(
                        "client 2 had unsubscribed, and is subscribed by the command: if it does not return,"
                                + " remove it when another client has a cursor: bin/sluice.sh cursor delete example --client 2 --restart;")
                .hasMessageContaining(
                        "the filter of client 2 is not kept, and is in force again when it subscribes with it: shop\\..*;");
    }

    /** Without a file, an instance that was read before does not start: deleting it is no remedy. */
    @Test
    void aDamagedFileCanBeReplacedAndIsKept() throws IOException {
        FileCursorEditor editor = new FileCursorEditor(dir, "example");
        write(CANALS);
        editor.replace(List.of(new Subscription(1001, "", position(2000))));
        write("torn");

        editor.replace(editor.previous().orElseThrow());

        assertThat(editor.read()).containsExactly(new Subscription(1001, "", position(1234)));
        assertThat(Files.readString(file().resolveSibling("meta.dat.damaged"))).isEqualTo("torn");
        assertThat(editor.previous()).contains(List.of(new Subscription(1001, "", position(1234))));
    }

    @Test
    void theRemedyForAnOffsetOfCanalThatWrappedIsNotFollowedByAnotherForTheSameFile() throws IOException {
        write(CANALS.replace("\"position\":1234", "\"position\":-100"));

        assertThatThrownBy(() -> open(NEVER))
                .hasMessageContaining(
                        "write 4294967196 in its place, which is probably meant; or set where to continue")
                .hasMessageNotContaining("restore it from a copy");
    }

    @Test
    void refusesEveryPieceOfAFile() throws IOException {
        for (int length = 0; length < CANALS.length(); length++) {
            write(CANALS.substring(0, length));
            assertThatThrownBy(() -> open(NEVER)).isInstanceOf(CursorException.class);
        }
    }

    @Test
    void saysThatItCannotWrite() throws IOException {
        FileCursorStore store = open(NEVER);
        Files.createDirectories(file().resolveSibling("meta.dat.tmp").resolve("a directory where a file should be"));
        store.subscribe(1001, "");
        store.save(1001, position(1));

        assertThatThrownBy(store::close)
                .isInstanceOf(CursorException.class)
                .hasMessageContaining(file() + " cannot be written");
    }

    private FileCursorStore open(Duration period) {
        return FileCursorStore.open(dir, "example", scheduler, period, Time.SYSTEM);
    }

    private Path file() {
        return dir.resolve("example").resolve("meta.dat");
    }

    private void write(String text) throws IOException {
        Files.createDirectories(file().getParent());
        Files.writeString(file(), text);
    }

    /** A file of another destination, as a store writes it. */
    private void writeFormer(Subscription... clients) throws IOException {
        ClientsJson file = ClientsJson.empty("former");
        file.setSubscriptions(List.of(clients));
        write(file.text());
    }

    private void writeFormer(SourceServer server, String gtids) throws IOException {
        Cursor cursor = new Cursor(server, new BinlogPosition("b.000002", 157), gtids, 0, 0, null);
        writeFormer(new Subscription(1001, "", cursor));
    }

    private static Cursor position(long offset) {
        return new Cursor("localhost", 3306, new BinlogPosition("mysql-bin.000001", offset), "", 1, 1700000000000L);
    }
}
