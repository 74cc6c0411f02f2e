package io.sluice.admin.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.admin.Browser;
import io.sluice.admin.RunningAdmin;
import io.sluice.admin.problem.ProblemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class ConfigTest {
    @TempDir
    static Path data;

    private static RunningAdmin admin;
    private static Browser administrator;
    private static Browser operator;

    @BeforeAll
    static void start() {
        admin = RunningAdmin.start(data);
        administrator = admin.administrator();
        operator = administrator.user("olga", "operator");
    }

    @AfterAll
    static void stop() {
        admin.close();
    }

    static String input(String content, long basedOn) {
        return JsonMapper.shared()
                .createObjectNode()
                .put("content", content)
                .put("basedOn", basedOn)
                .put("comment", "a test")
                .toString();
    }

    private static long cluster(String name) {
        return operator.post("/api/v2/clusters", "{\"name\": \"%s\", \"zkHosts\": \"zk1:2181\"}".formatted(name))
                .expect(201)
                .json()
                .path("id")
                .asLong();
    }

    /** A row as that of a server which was added. */
    private static long server(String name, Long cluster, String config) {
        JdbcClient database = admin.bean(JdbcClient.class);
        database.sql(
                        "INSERT INTO canal_node_server (name, cluster_id, ip, admin_port) VALUES (?, ?, '127.0.0.1', 11110)")
                .params(Arrays.asList(name, cluster))
                .update();
        long id = database.sql("SELECT id FROM canal_node_server WHERE name = ?")
                .param(name)
                .query(Long.class)
                .single();
        if (config != null) {
            admin.bean(ConfigStore.class).create(Owner.server(id), config, null);
        }
        return id;
    }

    @Test
    void aServerHasAConfigurationIfItIsInNoCluster() {
        long id = cluster("eight");
        operator.get("/api/v2/servers/" + server("in-a-cluster", id, null) + "/config")
                .expect(404);
        operator.delete("/api/v2/clusters/" + id).expect(409);
        String path = "/api/v2/servers/" + server("alone", null, null) + "/config";
        operator.get(path).expect(404);
        operator.put(path, input("canal.serverMode = stdout\n", 5)).expect(409);
        operator.put(path, input("canal.serverMode = stdout\n", 0)).expect(200);
        operator.put(path, input("canal.serverMode = stdout\n#\n", 1)).expect(200);
        assertThat(operator.get(path + "/history").expect(200).json()).hasSize(2);
        operator.get(path + "/history/1").expect(200);
    }

    @Test
    void aClusterHasAConfigurationFromTheTemplate() {
        long id = cluster("one");
        JsonNode config =
                operator.get("/api/v2/clusters/" + id + "/config").expect(200).json();
        assertThat(config.path("version").asLong()).isEqualTo(1);
        assertThat(config.path("content").asString()).contains("canal.zkServers = zk1:2181\n");
        assertThat(config.path("modifiedBy").asString()).isEqualTo("olga");
        operator.post("/api/v2/clusters", "{\"name\": \"One\", \"zkHosts\": \"zk1:2181\"}")
                .expect(409);
        operator.put("/api/v2/clusters/" + id, "{\"name\": \"uno\", \"zkHosts\": \"zk2:2181\"}")
                .expect(200);
        assertThat(operator.get("/api/v2/clusters").expect(200).json())
                .anyMatch(cluster -> cluster.path("name").asString().equals("uno"));
        operator.delete("/api/v2/clusters/" + id).expect(204);
        operator.get("/api/v2/clusters/" + id).expect(404);
        operator.get("/api/v2/clusters/" + id + "/config").expect(404);
    }

    /** Two operators change different fields of a cluster at the same time. */
    @Test
    void aChangeOfAClusterLeavesWhatItDoesNotName() {
        String path = "/api/v2/clusters/" + cluster("moved");

        operator.patch(path, "{\"zkHosts\": \"zk2:2181\"}").expect(200);
        JsonNode renamed =
                operator.patch(path, "{\"name\": \"renamed\"}").expect(200).json();

        assertThat(renamed.path("name").asString()).isEqualTo("renamed");
        assertThat(renamed.path("zkHosts").asString()).isEqualTo("zk2:2181");
        operator.patch(path, "{\"name\": \" \"}").expect(400);
        operator.patch("/api/v2/clusters/4711", "{\"name\": \"none\"}").expect(404);
    }

    @Test
    void savesVersionsAndRejectsOldOnes() {
        String path = "/api/v2/clusters/" + cluster("two") + "/config";
        String first = operator.get(path).json().path("content").asString();
        String second = first + "canal.mq.canalBatchSize = 70\n";
        JsonNode saved = operator.put(path, input(second, 1)).expect(200).json();
        assertThat(saved.path("version").asLong()).isEqualTo(2);
        assertThat(saved.path("md5").asString()).isEqualTo(ConfigStore.md5(second));

        JsonNode conflict = operator.put(path, input(first, 1)).expect(409).json();

        assertThat(conflict.path("currentVersion").asLong()).isEqualTo(2);
        assertThat(operator.get(path + "/history").expect(200).json()).hasSize(2);
        assertThat(operator.get(path + "/history/1")
                        .expect(200)
                        .json()
                        .path("content")
                        .asString())
                .isEqualTo(first);
        operator.get(path + "/history/3").expect(404);
        operator.put(path, input(first, 2)).expect(200); // restores the first
        assertThat(operator.get(path).json().path("version").asLong()).isEqualTo(3);
        assertThat(operator.get(path).json().path("content").asString()).isEqualTo(first);
    }

    /** It begins with version 1 again. */
    @Test
    void aConfigurationThatWasCreatedAgainIsNotOverwrittenByAnEditOfTheFormer() {
        long id = cluster("again");
        ConfigEdits edits = admin.bean(ConfigEdits.class);
        String content = admin.bean(Templates.class).initial(OwnerKind.INSTANCE);
        edits.createInstance("again", id, null, content, true, null);
        String path = "/api/v2/instances/again/config";
        JsonNode edited = operator.get(path).expect(200).json();
        edits.deleteInstance("again");
        edits.createInstance("again", id, null, content + "# another\n", true, null);
        ObjectNode input = (ObjectNode) JsonMapper.shared().readTree(input(content + "# mine\n", 1));
        input.put("basedOnMd5", edited.path("md5").asString());

        JsonNode conflict = operator.put(path, input.toString()).expect(409).json();

        assertThat(conflict.path("detail").asString()).contains("created again");
        JsonNode now = operator.get(path).expect(200).json();
        assertThat(now.path("content").asString()).isEqualTo(content + "# another\n");
        input.put("basedOnMd5", now.path("md5").asString());
        operator.put(path, input.toString()).expect(200);
        operator.put(path, input.put("basedOnMd5", "no MD5").toString()).expect(400);
    }

    @Test
    void onlyOneOfManyAtTheSameTimeIsSaved() throws Exception {
        String path = "/api/v2/clusters/" + cluster("three") + "/config";
        String content = operator.get(path).json().path("content").asString();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<Integer>> answers = threads.invokeAll(IntStream.range(0, 8)
                    .<Callable<Integer>>mapToObj(i -> () -> operator.put(path, input(content + "# " + i + "\n", 1))
                            .status())
                    .toList());
            int saved = 0;
            for (Future<Integer> answer : answers) {
                assertThat(answer.get()).isIn(200, 409);
                saved += answer.get() == 200 ? 1 : 0;
            }
            assertThat(saved).isEqualTo(1);
        } finally {
            threads.shutdown();
        }
        assertThat(operator.get(path).json().path("version").asLong()).isEqualTo(2);
    }

    /** One user moves an instance while another one disables it: neither undoes what the other has done. */
    @Test
    void changesOfAnInstanceAtTheSameTimeAreBothKept() {
        InstanceStore store = admin.bean(InstanceStore.class);
        long first = cluster("from");
        long second = cluster("to");
        InstanceRow known = store.create("moved", Owner.cluster(first), "", true, null);

        store.change(known, Owner.cluster(second), null);
        store.change(known, null, false); // by a user whose page still has its former place

        InstanceRow now = store.find("moved").orElseThrow();
        assertThat(now.clusterId()).isEqualTo(second);
        assertThat(now.enabled()).isFalse();
        store.delete(now);
        assertThatThrownBy(() -> store.change(known, null, true))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("any more");
    }

    @Test
    void ofADeletedConfigurationTheTextStaysInTheAuditLog() {
        long id = cluster("deleted");
        operator.put(
                        "/api/v2/clusters/" + id + "/config",
                        input(
                                "canal.serverMode = stdout\ncanal.passwd = 4ACFE3202A5FF5CF467898FC58AAB1D615029441\n# last words\n",
                                1))
                .expect(200);
        operator.delete("/api/v2/clusters/" + id).expect(204);

        String entry = administrator
                .get("/api/v2/audit?action=config.delete&target=cluster%20" + id)
                .expect(200)
                .body();
        assertThat(entry).contains("last words").doesNotContain("4ACFE3202");
    }

    /** canal's table does not rule it out. */
    @Test
    void ofSeveralRowsOfAClusterTheFirstCounts() {
        long id = cluster("double");
        admin.bean(JdbcClient.class)
                .sql("INSERT INTO canal_config (cluster_id, name, content, content_md5) VALUES (?, 'x', 'second', 'y')")
                .param(id)
                .update();
        String path = "/api/v2/clusters/" + id + "/config";
        String content = operator.get(path).expect(200).json().path("content").asString();

        operator.put(path, input(content + "# more\n", 1)).expect(200);
        assertThat(admin.bean(ConfigStore.class)
                        .text(Owner.cluster(id))
                        .orElseThrow()
                        .content())
                .isEqualTo(content + "# more\n");
    }

    @Test
    void whatIsChangedInTheDatabaseBecomesAVersion() {
        long id = cluster("four");
        String path = "/api/v2/clusters/" + id + "/config";
        admin.bean(JdbcClient.class)
                .sql("UPDATE canal_config SET content = ? WHERE cluster_id = ?")
                .params("canal.serverMode = stdout\n", id)
                .update();
        JsonNode config = operator.get(path).expect(200).json();
        assertThat(config.path("version").asLong()).isEqualTo(2);
        assertThat(config.path("modifiedBy").asString()).isEqualTo("(database)");
        assertThat(admin.bean(ConfigStore.class)
                        .text(Owner.cluster(id))
                        .orElseThrow()
                        .md5())
                .isEqualTo(config.path("md5").asString());
        admin.bean(JdbcClient.class)
                .sql("UPDATE canal_config SET content = ? WHERE cluster_id = ?")
                .params("canal.serverMode = tcp\n", id)
                .update();
        assertThat(operator.put(path, input("canal.serverMode = stdout\n", 2))
                        .expect(409)
                        .json()
                        .path("currentVersion")
                        .asLong())
                .isEqualTo(3);
    }

    @Test
    void errorsAreSavedOnlyByAnAdministratorThatInsists() {
        String path = "/api/v2/clusters/" + cluster("five") + "/config";
        String bad = "canal.serverMode = kafka\nkafka.bootstrap.servers = h:9092\ncanal.mq.canalBatchSize = many\n";
        JsonNode problem = operator.put(path, input(bad, 1))
                .expect(422)
                .json()
                .path("problems")
                .path(0);
        assertThat(problem.path("line").asInt()).isEqualTo(3);
        assertThat(problem.path("key").asString()).isEqualTo("canal.mq.canalBatchSize");
        String forced = "{\"content\": \"canal.serverMode = nothing\\n\", \"basedOn\": 1, \"force\": true}";
        operator.put(path, forced).expect(403);
        administrator.put(path, forced).expect(200);
    }

    @Test
    void theAuditLogHasTheChangeWithoutSecrets() {
        String path = "/api/v2/clusters/" + cluster("six") + "/config";
        String content = operator.get(path).json().path("content").asString();
        operator.put(
                        path,
                        input(
                                content
                                        + "canal.instance.dbPassword = open-sesame\ncanal.passwd = \\\n  4711abcd\n#canal.admin.passwd=oldone\n"
                                        + "canal.\\u0069nstance.tsdb.dbPass\\u0077ord : s3cr3t\nkafka.sasl.jaas.config=x password=\"qwertz\";\n",
                                1))
                .expect(200);
        JsonNode entry = administrator
                .get("/api/v2/audit?action=config.save&user=olga&size=1")
                .expect(200)
                .json()
                .path("items")
                .path(0);
        assertThat(entry.path("after").asString())
                .contains("version 2", "canal.instance.dbPassword = ******")
                .doesNotContain("open-sesame", "4711abcd", "oldone", "s3cr3t", "qwertz");
        JsonNode page = administrator.get("/api/v2/audit?size=2").expect(200).json();
        assertThat(page.path("items")).hasSize(2);
        assertThat(administrator
                        .get("/api/v2/audit?size=2&before=" + page.path("next").asLong())
                        .json()
                        .path("items")
                        .path(0)
                        .path("id")
                        .asLong())
                .isLessThan(page.path("items").path(1).path("id").asLong());
        administrator.get("/api/v2/audit?size=0").expect(400);
        administrator.get("/api/v2/audit?before=x").expect(400);
        assertThat(administrator
                        .get("/api/v2/audit?action=%25")
                        .expect(200)
                        .json()
                        .path("items"))
                .isEmpty();
    }

    @Test
    void instancesAreCreatedMovedAndDeleted() {
        long id = cluster("seven");
        ConfigEdits edits = admin.bean(ConfigEdits.class);
        String content = admin.bean(Templates.class).initial(OwnerKind.INSTANCE);
        edits.createInstance("shop", id, null, content, true, null);
        ConfigStore store = admin.bean(ConfigStore.class);
        assertThat(store.enabledInstances(Owner.cluster(id))).containsExactly("shop");
        assertThat(store.enabledInstance("shop").orElseThrow().md5()).isEqualTo(ConfigStore.md5(content));
        edits.changeInstance("shop", null, null, false);
        assertThat(store.enabledInstances(Owner.cluster(id))).isEmpty();
        assertThat(store.enabledInstance("shop")).isEmpty();
        operator.delete("/api/v2/clusters/" + id).expect(409);
        JsonNode config =
                operator.get("/api/v2/instances/shop/config").expect(200).json();
        assertThat(config.path("version").asLong()).isEqualTo(1);
        operator.put("/api/v2/instances/shop/config", input(content + "# more\n", 1))
                .expect(200);
        operator.get("/api/v2/instances/shop/config/history").expect(200);
        operator.get("/api/v2/instances/SHOP/config").expect(404);
        edits.deleteInstance("shop");
        operator.get("/api/v2/instances/shop/config").expect(404);
        edits.createInstance("shop", id, null, content, true, null);
        assertThat(operator.get("/api/v2/instances/shop/config/history")
                        .expect(200)
                        .json())
                .hasSize(1);
    }

    @Test
    void checksAsAServerWould() {
        ObjectNode input =
                JsonMapper.shared().createObjectNode().put("kind", "instance").put("name", "shop");
        input.put("content", """
                        canal.instance.master.address = db:3306
                        canal.instance.dbUsername = canal
                        canal.instance.dbPassword = secret-word
                        canal.instance.gtidon = maybe
                        canal.instance.nothing = 1
                        canal.mq.topic = t
                        """);
        JsonNode bad = operator.post("/api/v2/config/check", input.toString())
                .expect(200)
                .json();
        assertThat(bad.path("problems")).anySatisfy(problem -> {
            assertThat(problem.path("key").asString()).isEqualTo("canal.instance.gtidon");
            assertThat(problem.path("line").asInt()).isEqualTo(4);
            assertThat(problem.path("severity").asString()).isEqualTo("error");
        });
        assertThat(bad.path("problems"))
                .anySatisfy(problem -> assertThat(problem.path("line").asInt()).isEqualTo(5));
        input.put(
                "content",
                "canal.instance.master.address = db:3306\ncanal.instance.dbUsername = canal\ncanal.instance.dbPassword = secret-word\ncanal.mq.topic = t\n");
        JsonNode good = operator.post("/api/v2/config/check", input.toString())
                .expect(200)
                .json();
        assertThat(good.path("problems")).isEmpty();
        assertThat(good.path("effective")).anySatisfy(value -> {
            assertThat(value.path("key").asString()).isEqualTo("canal.instance.master.address");
            assertThat(value.path("value").asString()).isEqualTo("db:3306");
            assertThat(value.path("from").asString()).isEqualTo("instance.properties:1");
        });
        assertThat(good.toString()).doesNotContain("secret-word", "sluice-check-", "/tmp");
    }

    @Test
    void filesAndVariablesOfThisMachineAreNotRead() throws Exception {
        Path secret = data.resolve("secret");
        Files.writeString(secret, "of-the-admin-server");
        String content =
                "canal.instance.master.address = ${file:%s}\ncanal.instance.dbUsername = ${env:PATH}\ncanal.instance.dbPassword = ${env:HOME:x}\ncanal.mq.topic = t\n"
                        .formatted(secret);
        ObjectNode input = JsonMapper.shared()
                .createObjectNode()
                .put("kind", "instance")
                .put("name", "../../x")
                .put("content", content);
        JsonNode result = operator.post("/api/v2/config/check", input.toString())
                .expect(200)
                .json();
        assertThat(result.path("problems")).isEmpty();
        assertThat(result.toString())
                .doesNotContain("of-the-admin-server", System.getenv("PATH"), System.getenv("HOME") + "\"");
        assertThat(result.path("effective")).anySatisfy(value -> {
            assertThat(value.path("key").asString()).isEqualTo("canal.instance.dbUsername");
            assertThat(value.path("value").asString()).isEqualTo("${env:PATH}");
        });
        input.put(
                "content",
                "canal.instance.master.address = db:3306\ncanal.instance.dbUsername = ${file:/nowhere}\ncanal.mq.topic = t\n");
        assertThat(operator.post("/api/v2/config/check", input.toString())
                        .json()
                        .path("problems"))
                .isEmpty();
    }

    /** Else an answer would tell which files this machine has. */
    @Test
    void noFileThatASettingNamesIsOpened() throws Exception {
        Path there = data.resolve("no-key");
        Files.writeString(there, "no key");
        for (Path named : List.of(there, data.resolve("missing"))) {
            for (String setting : List.of(
                    "canal.instance.master.serverRSAPublicKeyFile = " + named,
                    "canal.instance.tsdb.url = jdbc:mysql://db/tsdb?serverRSAPublicKeyFile=" + named)) {
                JsonNode result = operator.post(
                                "/api/v2/config/check",
                                JsonMapper.shared()
                                        .createObjectNode()
                                        .put("kind", "instance")
                                        .put(
                                                "content",
                                                "canal.instance.master.address = db:3306\ncanal.instance.dbUsername = u\ncanal.mq.topic = t\n"
                                                        + setting + "\n")
                                        .toString())
                        .expect(200)
                        .json();
                assertThat(result.path("problems")).as(setting).isEmpty();
            }
        }
    }

    @Test
    void saysWhereTablesGo() {
        ObjectNode input = JsonMapper.shared().createObjectNode();
        input.put("content", """
                        canal.instance.master.address = db:3306
                        canal.instance.dbUsername = canal
                        canal.instance.filter.regex = shop\\\\..*
                        canal.mq.topic = changes
                        canal.mq.partitionsNum = 3
                        canal.mq.partitionHash = .*\\\\..*:$pk$
                        """);
        input.putArray("tables").add("shop.orders").add("till.items");
        JsonNode decisions = operator.post("/api/v2/config/route", input.toString())
                .expect(200)
                .json();
        assertThat(decisions.path(0).path("topics").path(0).asString()).isEqualTo("changes");
        assertThat(decisions.path(0).path("partition").asString()).isEqualTo("one of 3, by the primary key");
        assertThat(decisions.path(1).path("accepted").asBoolean()).isFalse();
        assertThat(decisions.path(1).path("reason").asString()).contains("canal.instance.filter.regex");
        input.put("content", "canal.instance.gtidon = x\n");
        assertThat(operator.post("/api/v2/config/route", input.toString())
                        .expect(422)
                        .json()
                        .path("problems"))
                .isNotEmpty();
    }

    @Test
    void templatesAreGoodConfigurations() {
        JsonNode templates = operator.get("/api/v2/templates").expect(200).json();
        assertThat(templates).hasSizeGreaterThanOrEqualTo(7);
        long tcp = server("tcp", null, "canal.serverMode = tcp\ncanal.ip = 127.0.0.1\n");
        for (JsonNode template : templates) {
            ObjectNode input = JsonMapper.shared()
                    .createObjectNode()
                    .put("serverId", template.path("name").asString().equals("instance-tcp") ? tcp : null)
                    .put("kind", template.path("kind").asString())
                    .put("content", template.path("content").asString().replace("${zkHosts}", "zk1:2181"));
            JsonNode result = operator.post("/api/v2/config/check", input.toString())
                    .expect(200)
                    .json();
            assertThat(result.path("problems"))
                    .as(template.path("name").asString())
                    .isEmpty();
        }
    }

    @Test
    void templatesAreChangedAndRestored() {
        operator.put(
                        "/api/v2/templates/mine",
                        "{\"name\": \"mine\", \"kind\": \"server\", \"content\": \"a\", \"builtIn\": false}")
                .expect(200);
        operator.put(
                        "/api/v2/templates/mine",
                        "{\"name\": \"other\", \"kind\": \"server\", \"content\": \"a\", \"builtIn\": false}")
                .expect(400);
        operator.put(
                        "/api/v2/templates/cluster",
                        "{\"name\": \"cluster\", \"kind\": \"server\", \"content\": \"a\", \"builtIn\": true}")
                .expect(409);
        operator.put(
                        "/api/v2/templates/server",
                        "{\"name\": \"server\", \"kind\": \"server\", \"content\": \"# b\", \"builtIn\": true}")
                .expect(200);
        assertThat(admin.bean(Templates.class).initial(OwnerKind.SERVER)).isEqualTo("# b");
        operator.delete("/api/v2/templates/server").expect(204);
        operator.delete("/api/v2/templates/server").expect(409);
        operator.delete("/api/v2/templates/mine").expect(204);
        operator.delete("/api/v2/templates/mine").expect(404);
    }

    private static String template(String name, String content, String more) {
        return "{\"name\": \"%s\", \"kind\": \"server\", \"content\": \"%s\"%s}".formatted(name, content, more);
    }

    @Test
    void aTemplateIsReplacedOnlyByAUserThatHasSeenIt() {
        String path = "/api/v2/templates/ours";
        JsonNode first = operator.put(path, template("ours", "a", ", \"create\": true"))
                .expect(200)
                .json();
        assertThat(first.path("md5").asString()).isEqualTo(ConfigStore.md5("a"));

        operator.put(path, template("ours", "b", ", \"create\": true")).expect(409);

        String basedOnFirst = ", \"basedOnMd5\": \"" + first.path("md5").asString() + "\"";
        operator.put(path, template("ours", "c", basedOnFirst)).expect(200);
        assertThat(operator.put(path, template("ours", "d", basedOnFirst))
                        .expect(409)
                        .body())
                .contains("changed meanwhile");
        assertThat(operator.get("/api/v2/templates").json()).anySatisfy(template -> {
            assertThat(template.path("name").asString()).isEqualTo("ours");
            assertThat(template.path("content").asString()).isEqualTo("c");
        });
        operator.delete(path).expect(204);
        assertThat(operator.put(path, template("ours", "e", basedOnFirst))
                        .expect(409)
                        .body())
                .contains("deleted meanwhile");
    }

    @Test
    void allKeysAreDescribed() {
        JsonNode keys = administrator
                .user("vera", "viewer")
                .get("/api/v2/config/keys")
                .expect(200)
                .json();
        assertThat(keys.size()).isGreaterThan(150);
        assertThat(keys).anySatisfy(key -> {
            assertThat(key.path("key").asString()).isEqualTo("canal.instance.dbPassword");
            assertThat(key.path("secret").asBoolean()).isTrue();
            assertThat(key.path("scope").asString()).isEqualTo("both");
        });
    }
}
