package io.sluice.admin.problem;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.web.context.request.AbstractRequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

class LargeTextsTest {
    private final LargeTexts texts = new LargeTexts(2, "Too many logs are being read.");

    @AfterEach
    void leave() {
        RequestContextHolder.resetRequestAttributes();
    }

    @Test
    void aTextIsRefusedWhileTooManyAreNotReadAndAdmittedWhenOneWasAnswered() {
        Request first = new Request();
        admit(first);
        admit(new Request());

        assertThatThrownBy(() -> admit(new Request()))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("Too many logs are being read");

        assertThatCode(() -> texts.admit("a short one")).doesNotThrowAnyException();

        first.requestCompleted();

        assertThatCode(() -> admit(new Request())).doesNotThrowAnyException();
        assertThatThrownBy(() -> admit(new Request())).isInstanceOf(ProblemException.class);
    }

    @Test
    void aVeryLongAnswerCountsAsSeveralAndHasRoomIfThereIsNoOther() {
        Request first = new Request();
        RequestContextHolder.setRequestAttributes(first);
        texts.admit(9_000_000L);

        assertThatThrownBy(() -> admit(new Request())).isInstanceOf(ProblemException.class);

        first.requestCompleted();

        assertThatCode(() -> admit(new Request())).doesNotThrowAnyException();
        RequestContextHolder.setRequestAttributes(new Request());
        assertThatThrownBy(() -> texts.admit(9_000_000L)).isInstanceOf(ProblemException.class);
    }

    private void admit(Request request) {
        RequestContextHolder.setRequestAttributes(request);
        texts.admit("a".repeat(100_000));
    }

    /** A request without a servlet. */
    private static final class Request extends AbstractRequestAttributes {
        @Override
        protected void updateAccessedSessionAttributes() {}

        @Override
        public Object getAttribute(String name, int scope) {
            return null;
        }

        @Override
        public void setAttribute(String name, Object value, int scope) {}

        @Override
        public void removeAttribute(String name, int scope) {}

        @Override
        public String[] getAttributeNames(int scope) {
            return new String[0];
        }

        @Override
        public void registerDestructionCallback(String name, Runnable callback, int scope) {
            registerRequestDestructionCallback(name, callback);
        }

        @Override
        public Object resolveReference(String key) {
            return null;
        }

        @Override
        public String getSessionId() {
            return "";
        }

        @Override
        public Object getSessionMutex() {
            return this;
        }
    }
}
