package io.sluice.schema.history.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.tls.TlsMode;
import io.sluice.mysql.wire.tls.TlsOptions;
import io.sluice.protocol.tls.KeyStoreFile;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryLocationTest {
    private static final Path BASE = Path.of("/data/conf");

    @Test
    void aLoginInTheUrlIsRejectedWithoutShowingIt() {
        assertThatThrownBy(() -> HistoryLocation.parse("jdbc:mysql://root:hunter2@db:33x/history", Path.of("/")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("canal.instance.tsdb.dbPassword")
                .hasMessageNotContaining("hunter2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"h1:3306,h2:3306", "h1,h2", "h1,h2:3306"})
    void severalServersAreRejected(String servers) {
        assertThatThrownBy(() -> HistoryLocation.parse("jdbc:mysql://" + servers + "/history", Path.of("/")))
                .hasMessageStartingWith("names several servers, and the history is on one");
    }

    @ParameterizedTest
    @CsvSource({"[::1]:3307, 3307", "[::1], 3306"})
    void theBracketsOfAnIpv6AddressAreNoPartOfTheHost(String server, int port) {
        HistoryLocation location = HistoryLocation.parse("jdbc:mysql://" + server + "/history", Path.of("/"));

        ServerAddress address = ((HistoryLocation.MySql) location).address();
        assertThat(address).isEqualTo(new ServerAddress("::1", port)).hasToString("[::1]:" + port);
    }

    /** Connector/J takes parameters there, too. */
    @ParameterizedTest
    @ValueSource(
            strings = {"address=(host=db)(port=3306)(sslMode=VERIFY_IDENTITY)", "(host=db,port=3306,sslMode=REQUIRED)"})
    void aServerInParenthesesIsRejected(String server) {
        assertThatThrownBy(() -> HistoryLocation.parse("jdbc:mysql://" + server + "/history", Path.of("/")))
                .hasMessageStartingWith("must name its server as <host>:<port>, with parameters after a question mark");
    }

    private static HistoryLocation.MySql mysql(String parameters) {
        return (HistoryLocation.MySql) HistoryLocation.parse("jdbc:mysql://db:3306/history?" + parameters, BASE);
    }

    private static TlsMode mode(String parameters) {
        return mysql(parameters).tls().mode();
    }

    /** By the table in Connector/J's manual, but for {@code useSSL=true} alone, which its versions take in different ways. */
    @ParameterizedTest
    @CsvSource({
        "'', PREFERRED",
        "useSSL=false, DISABLED",
        "useSSL=no, DISABLED",
        "useSSL=false&requireSSL=true&verifyServerCertificate=true, DISABLED",
        "useSSL=true&requireSSL=false&verifyServerCertificate=false, PREFERRED",
        "useSSL=true&verifyServerCertificate=false, PREFERRED",
        "useSSL=true&requireSSL=true&verifyServerCertificate=false, REQUIRED",
        "useSSL=true, REQUIRED",
        "useSSL=true&requireSSL=true, REQUIRED",
        "useSSL=true&verifyServerCertificate=true, VERIFY_CA",
        "verifyServerCertificate=true&useSSL=true, VERIFY_CA",
        "useSSL=TRUE&requireSSL=yes&verifyServerCertificate=Yes, VERIFY_CA",
        "useSSL=true&requireSSL=true&verifyServerCertificate=true&trustCertificateKeyStoreUrl=file:/x.p12, VERIFY_CA",
        "useSSL=true&trustCertificateKeyStoreUrl=file:/x.p12, VERIFY_CA",
        "useSSL=true&verifyServerCertificate=false&trustCertificateKeyStoreUrl=file:/x.p12, PREFERRED",
        "sslMode=VERIFY_IDENTITY&useSSL=true, VERIFY_IDENTITY",
        "useSSL=false&sslMode=VERIFY_IDENTITY, VERIFY_IDENTITY",
        "sslMode=REQUIRED&useSSL=false, REQUIRED",
        "sslMode=VERIFY_CA&useSSL=true&verifyServerCertificate=false, VERIFY_CA",
        "sslMode=DISABLED&useSSL=true&verifyServerCertificate=true, DISABLED",
        "sslmode=verify%5fca, VERIFY_CA",
        "requireSSL=false&verifyServerCertificate=false, PREFERRED",
        "requireSSL=true, REQUIRED",
        "requireSSL=true&verifyServerCertificate=false, REQUIRED",
        "verifyServerCertificate=true, VERIFY_CA",
        "requireSSL=false&verifyServerCertificate=true, VERIFY_CA",
        "requireSSL=true&trustCertificateKeyStoreUrl=file:/x.p12, VERIFY_CA",
        "verifyServerCertificate=true&trustCertificateKeyStoreUrl=file:/x.p12, VERIFY_CA",
        "%73slMode=VERIFY_IDENTITY, VERIFY_IDENTITY",
        "useSSL=true&requireSS%4C=true&verif%79ServerCertificate=true&, VERIFY_CA",
        "sslMode=REQUIRED&trustCertificateKeyStorePassword=&trustCertificateKeyStoreType=, REQUIRED",
        "sslMode=REQUIRED&%zz=1&50%, REQUIRED",
        "useUnicode=true&characterEncoding=UTF-8, PREFERRED",
    })
    void tlsIsAsStrictAsWithTheJdbcDriver(String parameters, TlsMode mode) {
        assertThat(mode(parameters)).isEqualTo(mode);
    }

    @Test
    void keyStoresAndVersionsAreThoseOfTheUrl() {
        TlsOptions tls = mysql(
                        "sslMode=VERIFY_CA&tlsVersions=TLSv1.3"
                                + "&trustCertificateKeyStoreUrl=file:/etc/trust.p12&trustCertificateKeyStoreType=PKCS12&trustCertificateKeyStorePassword=a%26b"
                                + "&clientCertificateKeyStoreUrl=../keys/own.pem&fallbackToSystemTrustStore=false&fallbackToSystemKeyStore=false")
                .tls();

        assertThat(tls)
                .isEqualTo(new TlsOptions(
                        TlsMode.VERIFY_CA,
                        List.of("TLSv1.3"),
                        new KeyStoreFile("PKCS12", "/etc/trust.p12", "a&b"),
                        new KeyStoreFile("", "/data/keys/own.pem", "")));
        assertThat(mysql("enabledTLSProtocols=TLSv1.2,%20TLSv1.3").tls().protocols())
                .containsExactly("TLSv1.2", "TLSv1.3");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sslMode=STRICT                                     | has an unknown sslMode: STRICT",
                "useSSL=on                                          | has useSSL=on, which must be true or false",
                "allowPublicKeyRetrieval=1                          | has allowPublicKeyRetrieval=1, which must be",
                "trustCertificateKeyStoreUrl=file:/x.p12            | has trustCertificateKeyStoreUrl and does not say that TLS is used: set sslMode=VERIFY_CA",
                "requireSSL=false&trustCertificateKeyStoreUrl=file:/x.p12 | has trustCertificateKeyStoreUrl and does not say that TLS is used",
                "sslMode=                                           | has sslMode without a value",
                "sslMode                                            | has sslMode without a value",
                "useSSL=true&verifyServerCertificate=               | has verifyServerCertificate without a value",
                "requireSSL=%20&useSSL=true                         | has requireSSL without a value",
                "sslMode=VERIFY_CA&sslmode=                         | has sslmode without a value",
                "sslMode=VERIFY_CA&trustCertificateKeyStoreUrl=     | has trustCertificateKeyStoreUrl without a value",
                "sslMode=VERIFY_CA&tls%43iphersuites=x              | has the parameter tlsCiphersuites, which cannot be honoured",
                "sslMode=VERIFY_CA&tlsCiphersuites=x                | has the parameter tlsCiphersuites, which cannot be honoured",
                "enabledSSLCipherSuites=x                           | has the parameter enabledSSLCipherSuites",
                "trustManagerFactoryProvider=x                      | has the parameter trustManagerFactoryProvider",
                "useSSL=true&serverSslCert=/x.pem                   | has the parameter serverSslCert",
                "sslMode=VERIFY_CA&fallbackToSystemTrustStore=false | has fallbackToSystemTrustStore=false, and no trustCert",
                "sslMode=REQUIRED&tlsVersions=TLSv1.4               | has tlsVersions=TLSv1.4, and known are TLSv1,",
                "useSSL=true&trustCertificateKeyStoreUrl=http://x/y | has a trustCertificateKeyStoreUrl that cannot be used",
                "useSSL=true&trustCertificateKeyStoreUrl=x&trustCertificateKeyStoreType=OLD | has an unknown type: OLD",
                "sslMode=REQUIRED&clientCertificateKeyStorePassword=hunter2 | has clientCertificateKeyStorePassword without",
                "sslMode=REQUIRED&trustCertificateKeyStorePassword=%hunter2 | not encoded as in a URL: trustCertificateKeyStorePassword",
            })
    void whatCannotBeHonouredOfTlsIsRejected(String parameters, String message) {
        assertThatThrownBy(() -> mysql(parameters))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("hunter2");
    }

    @ParameterizedTest
    @CsvSource({
        "useSSL=true, has useSSL=true and does not say whether the server is verified",
        "useSSL=true&requireSSL=false, has useSSL=true and does not say whether the server is verified",
        "useSSL=true&requireSSL=true, has useSSL=true and does not say whether the server is verified",
        "sslMode=REQUIRED&trustCertificateKeyStoreUrl=file:/x.p12, names certificates to trust",
    })
    void whatIsLessSafeThanItLooksIsDoubted(String parameters, String doubt) {
        assertThat(HistoryLocation.doubts("jdbc:mysql://db:3306/history?" + parameters, BASE))
                .singleElement()
                .asString()
                .startsWith(doubt);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:h2:/d/h2;PASSWORD=x?useSSL=true",
                "jdbc:mysql://db/history",
                "jdbc:mysql://db/history?useSSL=false",
                "jdbc:mysql://db/history?useSSL=true&verifyServerCertificate=false",
                "jdbc:mysql://db/history?useSSL=true&trustCertificateKeyStoreUrl=file:/x.p12",
                "jdbc:mysql://db/history?sslMode=REQUIRED&useSSL=true",
            })
    void whatIsClearIsNotDoubted(String url) {
        assertThat(HistoryLocation.doubts(url, BASE)).isEmpty();
    }

    @Test
    void settingsOfH2AreNotShown() {
        assertThat(HistoryLocation.parse("jdbc:h2:/data/h2;PASSWORD=hunter2", Path.of("/")))
                .hasToString("LocalFile[file=/data/h2.sqlite, h2=/data/h2]");
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:h2:../shop/h2;CACHE_SIZE=1000;MODE=MYSQL;, /data/shop/h2.sqlite, /data/shop/h2, ;CACHE_SIZE=1000;MODE=MYSQL",
        "jdbc:h2:file:/d/h2, /d/h2.sqlite, /d/h2, ''",
        "jdbc:sqlite:/d/shop.sqlite, /d/shop.sqlite, /d/shop, ''",
        "jdbc:sqlite:file:shop.db?cache=shared, /data/conf/shop.db, /data/conf/shop.db, ''",
    })
    void namesALocalFile(String url, Path file, Path h2, String settings) {
        assertThat(HistoryLocation.parse(url, BASE)).isEqualTo(new HistoryLocation.LocalFile(file, h2, settings));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:h2:mem:x", "jdbc:h2:tcp://h/x", "jdbc:sqlite::memory:", "jdbc:sqlite:", "jdbc:h2:/"})
    void rejectsWhatIsNoFileOfThisMachine(String url) {
        assertThatThrownBy(() -> HistoryLocation.parse(url, BASE)).isInstanceOf(IllegalArgumentException.class);
    }

    /** H2 would take what follows for settings, of which INIT runs statements. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:sqlite:/d/a;INIT=x",
                "jdbc:sqlite:/d;INIT=x/a.mv.db",
                "jdbc:h2:/d/a\nb",
                "jdbc:sqlite:/d/a\rb"
            })
    void rejectsWhatIsMoreThanAPath(String url) {
        assertThatThrownBy(() -> HistoryLocation.parse(url, BASE))
                .hasMessage("names a file with a semicolon or a control character in its path");
    }

    @Test
    void rejectsADirectoryThatIsMoreThanAPath() {
        assertThatThrownBy(() -> HistoryLocation.parse("jdbc:h2:h2", Path.of("/data;INIT=x")))
                .hasMessage("names a file with a semicolon or a control character in its path");
    }

    @Test
    void reportsTheAllowedUrls() {
        assertThatThrownBy(() -> HistoryLocation.parse("jdbc:postgresql://h/x", BASE))
                .hasMessage("must be jdbc:h2:<file>, jdbc:sqlite:<file> or jdbc:mysql://<host>:<port>/<schema>");
    }
}
