package dev.assay.store;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives each test class one {@link StoreFixture}, closed after its last test. See {@link StoreTest}. */
final class StoreExtension implements ExecutionCondition, ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(StoreExtension.class);

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return PostgresServer.unavailable()
                .map(ConditionEvaluationResult::disabled)
                .orElseGet(() -> ConditionEvaluationResult.enabled("PostgreSQL is available"));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == StoreFixture.class || fixture(context).context().containsBean(type);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == StoreFixture.class ? fixture(context) : fixture(context).get(type);
    }

    private static StoreFixture fixture(ExtensionContext context) {
        ExtensionContext testClass = context;
        while (testClass.getParent().orElseThrow() != testClass.getRoot()) {
            testClass = testClass.getParent().orElseThrow();
        }
        return testClass
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(StoreFixture.class, key -> StoreFixture.open(), StoreFixture.class);
    }
}
