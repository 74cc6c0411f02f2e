package io.sluice.server.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SourceServer;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.instance.CursorConfig;
import io.sluice.server.config.instance.CursorKind;
import io.sluice.server.ha.Lease;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.cursor.file.FileCursorEditor;
import io.sluice.store.cursor.file.FileCursorStore;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.testkit.log.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.Function;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CursorHomeTest {
    private static final String NAME = "shop";
    private static final Duration NEVER = Duration.ofDays(1);
    private static final Subscription SENDER = new Subscription(Subscription.QUEUE_CLIENT, "", at(700));
    private static final Subscription SENDER_LATER = new Subscription(Subscription.QUEUE_CLIENT, "", at(900));
    private static final Subscription CLIENT = new Subscription(7, "shop\\..*", at(400), 1);
    private static final Subscription NEW_CLIENT = new Subscription(8, "", null);

    /** The nodes of ZooKeeper before, and after it has lost its data. */
    private static final String MADE = "7/1700000000000";

    private static final String MADE_AGAIN = "7/1800000000000";

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final DeploymentFile deployment = new DeploymentFile(NAME);
    private final CursorHome home = new CursorHome(NAME, deployment, scheduler);

    private List<SourceHost> source = List.of(host(3306, new ConfiguredStart.Newest()));

    /** That of the term which follows. */
    private List<SourceHost> next = source;

    private Consumer<CursorHome> betweenTerms = server -> {};

    @TempDir
    private Path dir;

    private CursorConfig here;
    private CursorConfig there;
    private final CursorConfig memory = new CursorConfig(CursorKind.MEMORY, Path.of("unused"), NEVER);

    @BeforeEach
    void definePlaces() {
        here = new CursorConfig(CursorKind.FILE, dir.resolve("here").resolve(NAME), NEVER);
        there = new CursorConfig(CursorKind.FILE, dir.resolve("there").resolve(NAME), NEVER);
    }

    @AfterEach
    void stop() {
        scheduler.shutdownNow();
    }

    private static SourceHost host(int port, ConfiguredStart start) {
        return new SourceHost(ConnectOptions.of(new ServerAddress("db1", port), "canal", ""), start);
    }

    private static Cursor at(long offset) {
        return new Cursor(SourceServer.at("db1", 3306), new BinlogPosition("binlog.000001", offset), "", 1, 0, null);
    }

    private CursorStore opened(CursorConfig place) {
        return place.kind() == CursorKind.MEMORY
                ? new MemoryCursorStore()
                : FileCursorStore.open(
                        place.directory().getParent(), NAME, scheduler, place.flushPeriod(), Time.SYSTEM);
    }

    /** An instance opens its cursors at a place, has those of the last one and saves others, and ends. */
    private List<Subscription> run(CursorConfig place, Subscription... saved) {
        try (CursorStore cursors = home.open(place, OwnershipTerm.sole(), source, this::opened)) {
            List<Subscription> found = cursors.kept();
            save(cursors, saved);
            return found;
        }
    }

    private static void save(CursorStore cursors, Subscription... clients) {
        for (Subscription client : clients) {
            cursors.subscribe(client.clientId(), client.filter());
            if (client.cursor() != null) {
                cursors.save(client.clientId(), client.cursor());
            }
        }
    }

    @Test
    void aCursorInZooKeeperThatIsOlderThanThatOfAnEarlierTermIsWarnedOf() {
        assertThat(warningsOfATermThatFinds(SENDER_LATER)).isEmpty();
        assertThat(warningsOfATermThatFinds(SENDER))
                .singleElement(InstanceOfAssertFactories.STRING)
                .startsWith("the stored cursor is older than what this server delivered");
    }

    /** What a term logs that follows one which has acked {@link #SENDER_LATER}. */
    private List<String> warningsOfATermThatFinds(Subscription stored) {
        CursorStore cursors = holding(stored);
        List<String> warnings = warningsOfATermAfter(term(1), term(2), cursors);
        assertThat(cursors.kept()).containsExactly(stored);
        return warnings;
    }

    /** What a term logs that finds the cursors, after one which has acked {@link #SENDER_LATER}. */
    private List<String> warningsOfATermAfter(OwnershipTerm before, OwnershipTerm after, CursorStore found) {
        CursorConfig shared = new CursorConfig(CursorKind.ZOOKEEPER, dir, NEVER);
        CursorHome server = new CursorHome(NAME, deployment, scheduler);
        try (CursorStore cursors = server.open(shared, before, source, place -> holding(SENDER_LATER))) {
            assertThat(cursors.kept()).containsExactly(SENDER_LATER);
        }
        betweenTerms.accept(server);
        try (LogLines lines = LogLines.of(CursorHome.class);
                CursorStore cursors = server.open(shared, after, next, place -> found)) {
            assertThat(cursors).isSameAs(found);
            return lines.warnings();
        }
    }

    @Test
    void cursorsThatZooKeeperHasLostWithItsDataAreWrittenAgain() {
        CursorStore emptied = new MemoryCursorStore();

        assertThat(warningsOfATermAfter(term(3), term(1, MADE_AGAIN), emptied))
                .singleElement(InstanceOfAssertFactories.STRING)
                .startsWith(
                        "ZooKeeper has lost its data, and has the cursors that this server had in its last term again")
                .contains("cursor set shop --to newest");

        assertThat(emptied.kept()).containsExactly(SENDER_LATER);
    }

    /** As if another server had won the first epoch meanwhile, which has found no cursor, and could not begin. */
    @Test
    void theyAreWrittenAgainAlsoIfTheEpochIsLargerThanThatOfTheFormerTermAlready() {
        CursorStore emptied = new MemoryCursorStore();

        assertThat(warningsOfATermAfter(term(1), term(2, MADE_AGAIN), emptied)).hasSize(1);

        assertThat(emptied.kept()).containsExactly(SENDER_LATER);
    }

    @Test
    void cursorsThatAreMissingInNodesThatWereNotMadeAgainStayDeleted() {
        CursorStore deleted = new MemoryCursorStore();

        assertThat(warningsOfATermAfter(term(3), term(5), deleted)).isEmpty();

        assertThat(deleted.kept()).isEmpty();
    }

    /** Another server has won since, whose clients have subscribed, and could not begin. */
    @Test
    void theyAreWrittenAgainBesideClientsThatHaveNoCursorYet() {
        CursorStore subscribed = holding(new Subscription(Subscription.QUEUE_CLIENT, "", null));
        save(subscribed, NEW_CLIENT);

        assertThat(warningsOfATermAfter(term(3), term(2, MADE_AGAIN), subscribed))
                .singleElement(InstanceOfAssertFactories.STRING)
                .startsWith(
                        "ZooKeeper has lost its data, and has the cursors that this server had in its last term again");

        assertThat(subscribed.kept()).containsExactlyInAnyOrder(SENDER_LATER, NEW_CLIENT);
    }

    /** As by an operator who removes the instance, deletes its nodes, and adds it again. */
    @Test
    void cursorsOfAnInstanceThatWasStoppedOrRemovedAreNotWrittenAgain() {
        CursorStore wiped = new MemoryCursorStore();
        betweenTerms = CursorHome::forgetMemory;

        assertThat(warningsOfATermAfter(term(3), term(1, MADE_AGAIN), wiped))
                .singleElement(InstanceOfAssertFactories.STRING)
                .startsWith(
                        "ZooKeeper has lost its data, and the cursors that this server had in its last term are not used");

        assertThat(wiped.kept()).isEmpty();
    }

    @Test
    void cursorsThatZooKeeperHasLostAreNotUsedForAnotherSource() {
        CursorStore emptied = new MemoryCursorStore();
        next = List.of(host(3307, new ConfiguredStart.Newest()));

        assertThat(warningsOfATermAfter(term(3), term(1, MADE_AGAIN), emptied))
                .singleElement(InstanceOfAssertFactories.STRING)
                .startsWith(
                        "ZooKeeper has lost its data, and the cursors that this server had in its last term are not used");

        assertThat(emptied.kept()).isEmpty();
    }

    /** Another server may have begun at the newest position, and skipped changes. */
    @Test
    void newerCursorsThatAreFoundAfterALossAreKeptAndWarnedOf() {
        Subscription newer = new Subscription(Subscription.QUEUE_CLIENT, "", at(1200));
        CursorStore begun = holding(newer);

        assertThat(warningsOfATermAfter(term(3), term(2, MADE_AGAIN), begun))
                .singleElement(InstanceOfAssertFactories.STRING)
                .startsWith("ZooKeeper has lost its data, and has other cursors than this server had in its last term");

        assertThat(begun.kept()).containsExactly(newer);
    }

    @Test
    void whatIsFoundAfterALossIsNotWarnedOfIfItIsTheSame() {
        assertThat(warningsOfATermAfter(term(3), term(2, MADE_AGAIN), holding(SENDER_LATER)))
                .isEmpty();
    }

    private static CursorStore holding(Subscription client) {
        CursorStore cursors = new MemoryCursorStore();
        save(cursors, client);
        return cursors;
    }

    private static OwnershipTerm term(int epoch) {
        return term(epoch, MADE);
    }

    private static OwnershipTerm term(int epoch, String epochNode) {
        Lease lease = new Lease(epoch, NEVER, Time.SYSTEM, Lease.Instant.now(Time.SYSTEM));
        return new OwnershipTerm(lease, null, List.of(), "", epochNode);
    }

    private List<Subscription> onDiskAt(CursorConfig place) {
        return new FileCursorEditor(place.directory().getParent(), NAME).read();
    }

    @Test
    void cursorsFollowToAnotherDirectoryAndBack() {
        run(here, CLIENT, NEW_CLIENT, SENDER);

        assertThat(run(there)).containsExactly(CLIENT, NEW_CLIENT, SENDER);
        assertThat(onDiskAt(here)).isEmpty();

        assertThat(run(here)).containsExactly(CLIENT, NEW_CLIENT, SENDER);
        assertThat(onDiskAt(there)).isEmpty();
    }

    @Test
    void theyAreWrittenThereBeforeAnythingIsRead() {
        run(here, SENDER);

        CursorStore unused =
                home.open(there, OwnershipTerm.sole(), source, this::opened); // never flushed, never closed

        assertThat(onDiskAt(there)).containsExactly(SENDER);
    }

    @Test
    void theyStayInMemoryForTheNextInstance() {
        run(memory, SENDER);

        assertThat(run(memory)).containsExactly(SENDER);
        assertThat(run(here)).containsExactly(SENDER);
        assertThat(run(memory)).containsExactly(SENDER);
    }

    @Test
    void thoseInMemoryAreForgottenAtAStop() {
        run(memory, SENDER);
        home.forgetMemory();

        assertThat(run(memory)).isEmpty();
        home.forgetMemory();
        assertThat(run(here, SENDER)).isEmpty();
        home.forgetMemory();
        assertThat(run(there)).containsExactly(SENDER);
    }

    @Test
    void aFileStaysWhenTheyAreMovedToMemoryAndIsReplacedWhenTheyAreMovedBack() {
        run(here, SENDER, CLIENT);
        Subscription later = new Subscription(SENDER.clientId(), "", at(900));

        try (CursorStore cursors = home.open(memory, OwnershipTerm.sole(), source, this::opened)) {
            assertThat(onDiskAt(here)).containsExactly(CLIENT, SENDER);
            cursors.unsubscribe(CLIENT.clientId());
            cursors.save(SENDER.clientId(), later.cursor());
        }

        assertThat(run(here)).containsExactly(later);
    }

    @Test
    void thatOfTheLastClientIsMovedAlthoughItHasLeft() {
        try (CursorStore cursors = home.open(memory, OwnershipTerm.sole(), source, this::opened)) {
            save(cursors, CLIENT);
            cursors.unsubscribe(CLIENT.clientId());
        }

        assertThat(run(memory))
                .containsExactly(new Subscription(
                        CLIENT.clientId(), CLIENT.filter(), CLIENT.cursor(), CLIENT.filterOrder(), true));
    }

    @Test
    void otherCursorsThatAreThereAreNotReplaced() {
        try (CursorStore cursors = opened(there)) {
            save(cursors, CLIENT);
        }
        run(here, SENDER);

        assertThatThrownBy(() -> run(there))
                .isInstanceOf(CursorException.class)
                .hasMessageContaining(here.directory().toString())
                .hasMessageContaining(there.directory().toString());
        assertThat(onDiskAt(there)).containsExactly(CLIENT);
        assertThat(run(here)).containsExactly(SENDER);
    }

    /** As on a disk that has become read-only, which is why they are moved. */
    @Test
    void cursorsFollowFromAPlaceThatCanOnlyBeRead() throws IOException {
        run(here, CLIENT, SENDER);
        Path lockFile = here.directory().resolve("meta.dat.lock");
        Files.delete(lockFile);
        Files.createDirectory(lockFile);

        assertThat(run(there)).containsExactly(CLIENT, SENDER);
        assertThat(onDiskAt(there)).containsExactly(CLIENT, SENDER);
        assertThat(onDiskAt(here)).containsExactly(CLIENT, SENDER);
        assertThatThrownBy(() -> run(here)).as("a place to write").isInstanceOf(CursorException.class);
    }

    /** As on a disk that is not mounted any more: the instance would begin at the newest position. */
    @Test
    void aPlaceWhoseCursorsAreGoneIsNotLeftWithoutThem() throws IOException {
        run(here, CLIENT, SENDER);
        Path lockFile = here.directory().resolve("meta.dat.lock");
        Files.delete(lockFile);
        Files.createDirectory(lockFile);
        Files.delete(here.directory().resolve("meta.dat"));

        assertThatThrownBy(() -> run(there))
                .isInstanceOf(CursorException.class)
                .hasMessageContaining(lockFile.toString());
        assertThat(onDiskAt(there)).isEmpty();
    }

    @Test
    void whatAnOperatorHasWrittenMeanwhileCounts() {
        run(here, SENDER);
        Subscription moved = new Subscription(SENDER.clientId(), "", at(300));
        try (CursorStore cursors = opened(here)) {
            save(cursors, moved);
        }

        assertThat(run(there)).containsExactly(moved);
    }

    /** As by an operator who stops an instance, reloads its configuration, and sets its cursor before the start. */
    @Test
    void whatIsSetAfterAReloadOfADestinationThatIsStoppedCounts() {
        run(here, CLIENT, SENDER);
        home.forgetMemory();

        home.relocate(there);

        assertThat(onDiskAt(here)).isEmpty();
        assertThat(onDiskAt(there)).containsExactly(CLIENT, SENDER);
        Subscription moved = new Subscription(SENDER.clientId(), "", at(300));
        new FileCursorEditor(there.directory().getParent(), NAME).replace(List.of(CLIENT, moved));
        assertThat(run(there)).containsExactly(CLIENT, moved);
    }

    /** Brokers would know the producers of the next process by other names. */
    @Test
    void theIdOfTheDeploymentFollowsWithThem() {
        String id = deployment.id(here, OwnershipTerm.sole());
        run(here, SENDER);

        home.relocate(there);

        assertThat(new DeploymentFile(NAME).id(there, OwnershipTerm.sole())).isEqualTo(id);
    }

    @Test
    void soDoesOneThatThisProcessHasNotUsed() {
        String id = new DeploymentFile(NAME).id(here, OwnershipTerm.sole());
        try (CursorStore cursors = opened(here)) {
            save(cursors, SENDER);
        }
        home.begin(here);

        home.relocate(there);

        assertThat(new DeploymentFile(NAME).id(there, OwnershipTerm.sole())).isEqualTo(id);
    }

    @Test
    void noneIsMadeForThemIfThereIsNone() {
        run(here, SENDER);

        home.relocate(there);

        assertThat(there.directory().resolve("deployment.id")).doesNotExist();
    }

    @Test
    void aReloadOfADestinationThatIsStoppedReplacesNoOtherCursors() {
        try (CursorStore cursors = opened(there)) {
            save(cursors, CLIENT);
        }
        run(here, SENDER);

        assertThatThrownBy(() -> home.relocate(there)).isInstanceOf(CursorException.class);

        assertThat(onDiskAt(there)).containsExactly(CLIENT);
        assertThat(run(here)).containsExactly(SENDER);
    }

    /** A crash after it would have the next process begin with what was written. */
    @Test
    void aWriteDuringTheMoveHasAllOfThemOrNone() {
        run(here, CLIENT, NEW_CLIENT, SENDER);
        List<List<Subscription>> written = new ArrayList<>();

        home.open(
                        there,
                        OwnershipTerm.sole(),
                        source,
                        place -> new FlushedCursors(opened(place), () -> {
                            written.add(onDiskAt(there));
                            written.add(onDiskAt(here));
                        }))
                .close();

        assertThat(written)
                .contains(List.of(CLIENT, NEW_CLIENT, SENDER))
                .allSatisfy(all -> assertThat(all).isIn(List.of(), List.of(CLIENT, NEW_CLIENT, SENDER)));
    }

    @Test
    void cursorsOfADestinationThatHasNotRunYetFollow() {
        try (CursorStore cursors = opened(here)) {
            save(cursors, SENDER);
        }
        home.begin(here);

        assertThat(run(there)).containsExactly(SENDER);
    }

    @Test
    void aFileThatIsNotUsedAnyMoreStaysAsItIs() {
        try (CursorStore cursors = opened(here)) {
            save(cursors, SENDER);
        }
        CursorConfig zooKeeper = new CursorConfig(CursorKind.ZOOKEEPER, here.directory(), NEVER);

        try (CursorStore cursors = home.open(
                zooKeeper,
                OwnershipTerm.sole(),
                source,
                place -> place.kind() == CursorKind.ZOOKEEPER ? new MemoryCursorStore() : opened(place))) {
            assertThat(cursors.subscriptions()).isEmpty();
        }
        assertThat(onDiskAt(here)).containsExactly(SENDER);
    }

    /** They are those of all servers, and another one may run the destination yet. */
    @Test
    void thoseInZooKeeperStayThereWhenTheyAreMovedToAFile() {
        CursorStore shared = new MemoryCursorStore();
        CursorConfig zooKeeper = new CursorConfig(CursorKind.ZOOKEEPER, here.directory(), NEVER);
        Function<CursorConfig, CursorStore> opener =
                place -> place.kind() == CursorKind.ZOOKEEPER ? shared : opened(place);
        try (CursorStore cursors = home.open(zooKeeper, OwnershipTerm.sole(), source, opener)) {
            save(cursors, SENDER);
        }

        try (CursorStore cursors = home.open(here, OwnershipTerm.sole(), source, opener)) {
            assertThat(cursors.kept()).containsExactly(SENDER);
        }

        assertThat(shared.kept()).containsExactly(SENDER);
    }

    @Test
    void withoutCursorsTheNewPlaceIsTakenAsItIs() {
        try (CursorStore cursors = opened(there)) {
            save(cursors, CLIENT);
        }
        run(here);

        assertThat(run(there)).containsExactly(CLIENT);
    }

    /** As by a deployment that replaces the directory while a reload restarts the instance: it would begin at the newest position. */
    @Test
    void aFileThatIsRemovedBetweenTwoInstancesIsWrittenAgain() throws IOException {
        run(here, CLIENT, SENDER);
        Files.delete(here.directory().resolve("meta.dat"));
        Files.delete(here.directory().resolve("meta.dat.lock"));
        Files.delete(here.directory());

        assertThat(run(here)).containsExactly(CLIENT, SENDER);
        assertThat(onDiskAt(here)).containsExactly(CLIENT, SENDER);
    }

    @Test
    void cursorsThatAreDeletedOnPurposeBetweenTwoInstancesAreNot() {
        run(here, CLIENT, SENDER);
        new FileCursorEditor(here.directory().getParent(), NAME).replace(List.of());

        assertThat(run(here)).isEmpty();
        assertThat(onDiskAt(here)).isEmpty();
    }

    private void runWhileTheDirectoryIsRemoved() throws IOException {
        CursorStore cursors = home.open(here, OwnershipTerm.sole(), source, this::opened);
        save(cursors, SENDER);
        cursors.flush();
        Files.move(here.directory(), dir.resolve("away"));
        cursors.close();
        home.forgetMemory(); // as the scan, which removes it since its folder is gone
    }

    @Test
    void oneWhoseDirectoryIsRemovedWhileItRunsContinuesAtItsCursorWhenItIsAddedAgain() throws IOException {
        runWhileTheDirectoryIsRemoved();
        assertThat(here.directory()).doesNotExist();
        home.relocate(here);
        assertThat(here.directory()).doesNotExist();

        assertThat(run(here)).containsExactly(SENDER);
        assertThat(onDiskAt(here)).containsExactly(SENDER);
    }

    @Test
    void soItDoesInAnotherDirectory() throws IOException {
        runWhileTheDirectoryIsRemoved();

        home.relocate(there);

        assertThat(run(there)).containsExactly(SENDER);
    }

    @Test
    void anotherSourceOfThatNameDoesNot() throws IOException {
        runWhileTheDirectoryIsRemoved();
        source = List.of(host(3307, new ConfiguredStart.Newest()));

        assertThat(run(here)).isEmpty();
    }

    @Test
    void norDoesAnotherSourceInAnotherDirectory() throws IOException {
        runWhileTheDirectoryIsRemoved();
        source = List.of(host(3307, new ConfiguredStart.Newest()));

        assertThat(run(there)).isEmpty();
    }

    @Test
    void norDoesOneWithAnotherStartPosition() throws IOException {
        runWhileTheDirectoryIsRemoved();
        source = List.of(host(3306, new ConfiguredStart.Earliest()));

        assertThat(run(here)).isEmpty();
    }

    @Test
    void norDoesOneWhoseCursorAnOperatorHasChanged() throws IOException {
        runWhileTheDirectoryIsRemoved();
        home.changedByOperator();

        assertThat(run(here)).isEmpty();
    }

    /** As operators of canal do it to have an instance begin at a configured position. */
    @Test
    void aFileThatIsRemovedWhileTheDestinationIsStoppedStaysRemoved() throws IOException {
        run(here, SENDER);
        home.forgetMemory();
        Files.delete(here.directory().resolve("meta.dat"));
        home.relocate(here);

        assertThat(run(here)).isEmpty();
        assertThat(onDiskAt(here)).isEmpty();
    }

    @Test
    void soDoesOneThatIsRemovedAfterTheInstanceHasFailed() throws IOException {
        CursorStore failed = home.open(here, OwnershipTerm.sole(), source, this::opened);
        save(failed, SENDER);
        failed.flush();
        failed.leaveToOperator();
        Files.delete(here.directory().resolve("meta.dat"));
        failed.close();

        assertThat(run(here)).isEmpty();
        assertThat(onDiskAt(here)).isEmpty();
    }

    @Test
    void cursorsAreLeftUnwrittenUntilTheProcessEnds() throws IOException {
        run(here, SENDER);
        CursorStore last = home.open(here, OwnershipTerm.sole(), source, this::opened);
        Files.move(here.directory(), dir.resolve("away"));
        last.close();
        home.forgetMemory();
        assertThat(here.directory()).doesNotExist();

        home.writeLeft();

        assertThat(onDiskAt(here)).containsExactly(SENDER);
    }

    /** Also those that the file had before: an operator may have set them, or restored the file. */
    @Test
    void theCursorsOfAFileThatTheEndCouldNotWriteCount() throws IOException {
        endOnAFullDisk();
        cleanTheDisk();
        new FileCursorEditor(here.directory().getParent(), NAME).replace(List.of(SENDER));

        home.writeLeft();

        assertThat(onDiskAt(here)).containsExactly(SENDER);
        assertThat(run(here)).containsExactly(SENDER);
    }

    /** As operators of canal do it; what the file had was older, so that only some entries come twice without that. */
    @Test
    void aFileThatIsRemovedAfterAnEndThatCouldNotWriteItStaysRemoved() throws IOException {
        endOnAFullDisk();
        cleanTheDisk();
        Files.delete(here.directory().resolve("meta.dat"));

        home.writeLeft();

        assertThat(onDiskAt(here)).isEmpty();
        assertThat(run(here)).isEmpty();
    }

    /** Without them the next instance would begin at the newest position. */
    @Test
    void cursorsThatWereNeverWrittenSinceTheDiskIsFullAreWrittenAtTheEndOfTheProcess() throws IOException {
        CursorStore last = home.open(here, OwnershipTerm.sole(), source, this::opened);
        save(last, SENDER_LATER);
        Files.createDirectories(draft().resolve("in its place"));
        assertThatThrownBy(last::close).isInstanceOf(CursorException.class);
        home.forgetMemory();
        cleanTheDisk();

        home.writeLeft();

        assertThat(onDiskAt(here)).containsExactly(SENDER_LATER);
    }

    private void endOnAFullDisk() throws IOException {
        run(here, SENDER);
        CursorStore last = home.open(here, OwnershipTerm.sole(), source, this::opened);
        save(last, SENDER_LATER);
        Files.createDirectories(draft().resolve("in its place"));
        assertThatThrownBy(last::close).isInstanceOf(CursorException.class);
        home.forgetMemory();
    }

    private void cleanTheDisk() throws IOException {
        Files.delete(draft().resolve("in its place"));
        Files.delete(draft());
    }

    /** What becomes the file when it is written. */
    private Path draft() {
        return here.directory().resolve("meta.dat.tmp");
    }

    @Test
    void cursorsThatAreRemovedAfterTheirInstanceHasEndedStayRemovedAtTheEndOfTheProcess() throws IOException {
        run(here, SENDER);
        home.forgetMemory();
        Files.move(here.directory(), dir.resolve("away"));

        home.writeLeft();

        assertThat(here.directory()).doesNotExist();
    }
}
