package io.sluice.admin.web;

import io.sluice.admin.problem.StartProblem;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows what is wrong and what to do in place of a stack trace. */
class StartProblemAnalyzer extends AbstractFailureAnalyzer<StartProblem> {
    @Override
    protected FailureAnalysis analyze(Throwable root, StartProblem cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.remedy(), root);
    }
}
