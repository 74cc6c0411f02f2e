package io.sluice.admin.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.admin.RunningAdmin;
import io.sluice.admin.problem.StartProblem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class SettingCheckTest {
    @TempDir
    Path data;

    @Test
    void unknownKeysOfArgumentsAndFilesAreListedBeforeADatabaseIsMade() throws Exception {
        Path file = Files.writeString(data.resolve("application.yml"), """
                sluice:
                  retentionn:
                    versions: 5
                  web:
                  oidc:
                    roles:
                      viewer: [staff]
                  account:
                    longest-sesion: 24h
                    initialPasswordFile: somewhere
                """);

        assertThatThrownBy(() -> RunningAdmin.start(
                                data,
                                "spring.config.additional-location=" + file.toUri(),
                                "sluice.retention.versionz=3",
                                "sluice.pigeon=secret",
                                "sluice.web.trusted-proxies[0]=10.0.0.5")
                        .close())
                .isInstanceOfSatisfying(StartProblem.class, problem -> {
                    assertThat(problem.getExitCode()).isEqualTo(2);
                    assertThat(problem.getMessage().lines())
                            .containsExactlyInAnyOrder(
                                    "There are keys that do not exist:",
                                    "  --sluice.retention.versionz: there is no such key; did you mean sluice.retention.versions?",
                                    "  --sluice.pigeon: there is no such key",
                                    "  application.yml:3: sluice.retentionn.versions: there is no such key; did you mean sluice.retention.versions?",
                                    "  application.yml:9: sluice.account.longest-sesion: there is no such key; did you mean sluice.account.longest-session?");
                    assertThat(problem.remedy())
                            .contains(
                                    "sluice.admin.polling-password",
                                    "sluice.admin.trust-store",
                                    "sluice.database.file",
                                    "sluice.oidc.roles");
                });
        assertThat(data.resolve("admin.db")).doesNotExist();
    }

    /** What other programs, Kubernetes or our own scripts set begins alike, and means nothing here. */
    @Test
    void aVariableIsRejectedOnlyIfItIsAlmostAKey() {
        Map<String, Object> variables = Map.of(
                "SLUICE_RETENTION_VERSIONZ", "1",
                "SLUICE_DATABASE_PASWORD", "secret",
                "SLUICE_DATABASE_USER", "canal",
                "SLUICE_RETENTION_VERSION_DAYS", "1",
                "SLUICE_OIDC_ROLES_VIEWER_0", "staff",
                "SLUICE_ADMIN_PORT", "tcp://10.0.0.9:8089",
                "SLUICE_DATABASE_SERVICE_HOST", "10.0.0.8",
                "SLUICE_LOG_CONSOLE", "on",
                "SLUICE_PASSWORD", "secret");

        assertThatThrownBy(() -> check(variables))
                .isInstanceOfSatisfying(
                        StartProblem.class,
                        problem -> assertThat(problem.getMessage().lines().skip(1))
                                .containsExactlyInAnyOrder(
                                        "  environment variable SLUICE_RETENTION_VERSIONZ: it sets no key; did you mean SLUICE_RETENTION_VERSIONS, for sluice.retention.versions?",
                                        "  environment variable SLUICE_DATABASE_PASWORD: it sets no key; did you mean SLUICE_DATABASE_PASSWORD, for sluice.database.password?"));
    }

    private static void check(Map<String, Object> variables) {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        for (Class<?> type : new Class<?>[] {
            io.sluice.admin.retention.RetentionProperties.class,
            io.sluice.admin.database.DatabaseProperties.class,
            io.sluice.admin.account.OidcProperties.class,
            io.sluice.admin.fleet.control.ControlProperties.class
        }) {
            beans.registerBeanDefinition(type.getName(), new RootBeanDefinition(type));
        }
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
        beans.registerSingleton("environment", environment);
        new SettingCheck().postProcessBeanFactory(beans);
    }
}
