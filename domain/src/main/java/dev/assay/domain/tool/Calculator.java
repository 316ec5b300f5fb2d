package dev.assay.domain.tool;

import dev.assay.domain.json.JsonNumbers;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Decimal arithmetic on short expressions, 34 digits each step.
 *
 * <p>Written out rather than taken from a library, which would expand {@code FLOOR(10^99999999)} to all its digits (decision
 * 0011). Here no value ever has more than {@value #MAX_DIGITS} digits before the point.
 */
final class Calculator {

    private static final int MAX_LENGTH = 1_000;
    private static final int MAX_DEPTH = 100;
    private static final int MAX_DIGITS = 1_000;
    private static final MathContext PRECISION = MathContext.DECIMAL128;
    private static final BigDecimal MAX_EXPONENT = BigDecimal.valueOf(1_000);

    private final String text;
    private int at;
    private int depth;

    private Calculator(String text) {
        this.text = text;
    }

    /**
     * The value of {@code expression} in plain digits.
     *
     * @throws ToolException when it has none
     */
    static String compute(String expression) {
        if (expression.length() > MAX_LENGTH) {
            throw new ToolException("The expression has more than " + MAX_LENGTH + " characters; compute it in parts.");
        }
        Calculator calculator = new Calculator(expression);
        BigDecimal value = calculator.sum();
        if (calculator.next() != 0) {
            throw calculator.unexpected();
        }
        return JsonNumbers.plain(value).toPlainString();
    }

    private BigDecimal sum() {
        if (++depth > MAX_DEPTH) {
            throw new ToolException("The expression is nested more than " + MAX_DEPTH + " deep.");
        }
        BigDecimal value = product();
        while (true) {
            if (takes('+')) {
                value = bounded(value.add(product(), PRECISION));
            } else if (takes('-')) {
                value = bounded(value.subtract(product(), PRECISION));
            } else {
                depth--;
                return value;
            }
        }
    }

    private BigDecimal product() {
        BigDecimal value = signed();
        while (true) {
            if (takes('*')) {
                value = bounded(value.multiply(signed(), PRECISION));
            } else if (takes('/')) {
                value = bounded(value.divide(divisor(), PRECISION));
            } else if (takes('%')) {
                value = bounded(value.remainder(divisor()));
            } else {
                return value;
            }
        }
    }

    private BigDecimal divisor() {
        BigDecimal divisor = signed();
        if (divisor.signum() == 0) {
            throw new ToolException("The expression divides by zero.");
        }
        return divisor;
    }

    /** A sign binds weaker than a power: -2^2 is -4. */
    private BigDecimal signed() {
        boolean negative = false;
        while (next() == '-' || next() == '+') {
            negative ^= next() == '-';
            at++;
        }
        BigDecimal value = power();
        return negative ? value.negate() : value;
    }

    private BigDecimal power() {
        BigDecimal base = primary();
        if (!takes('^')) {
            return base;
        }
        if (++depth > MAX_DEPTH) {
            throw new ToolException("The expression is nested more than " + MAX_DEPTH + " deep.");
        }
        BigDecimal exponent = signed();
        depth--;
        if (exponent.stripTrailingZeros().scale() > 0 || exponent.abs().compareTo(MAX_EXPONENT) > 0) {
            throw new ToolException("An exponent must be a whole number from -1000 to 1000; use SQRT for roots.");
        }
        if (base.signum() == 0 && exponent.signum() < 0) {
            throw new ToolException("The expression divides by zero.");
        }
        return bounded(base.pow(exponent.intValueExact(), PRECISION));
    }

    private BigDecimal primary() {
        char first = next();
        if (takes('(')) {
            BigDecimal value = sum();
            expect(')');
            return value;
        }
        if (Character.isDigit(first) || first == '.') {
            return number();
        }
        if (Character.isLetter(first)) {
            return function();
        }
        throw unexpected();
    }

    private BigDecimal number() {
        int from = at;
        while (at < text.length() && isPartOfNumber(at, from)) {
            at++;
        }
        String digits = text.substring(from, at);
        try {
            return bounded(new BigDecimal(digits));
        } catch (NumberFormatException e) {
            throw new ToolException("\"" + digits + "\" in the expression is no number.", e);
        }
    }

    private boolean isPartOfNumber(int index, int from) {
        char character = text.charAt(index);
        boolean exponent = character == 'e' || character == 'E';
        boolean sign = (character == '+' || character == '-')
                && index > from
                && Character.toLowerCase(text.charAt(index - 1)) == 'e';
        return Character.isDigit(character) || character == '.' || exponent || sign;
    }

    private BigDecimal function() {
        int from = at;
        while (at < text.length() && Character.isLetter(text.charAt(at))) {
            at++;
        }
        String name = text.substring(from, at).toUpperCase(Locale.ROOT);
        expect('(');
        List<BigDecimal> arguments = new ArrayList<>();
        arguments.add(sum());
        while (takes(',')) {
            arguments.add(sum());
        }
        expect(')');
        return bounded(apply(name, arguments));
    }

    private static BigDecimal apply(String name, List<BigDecimal> arguments) {
        BigDecimal first = arguments.getFirst();
        return switch (name) {
            case "MAX" -> arguments.stream().reduce(first, BigDecimal::max);
            case "MIN" -> arguments.stream().reduce(first, BigDecimal::min);
            case "SUM" -> arguments.stream().reduce(BigDecimal.ZERO, (a, b) -> a.add(b, PRECISION));
            case "ABS" -> only(name, arguments).abs();
            case "CEILING" -> only(name, arguments).setScale(0, RoundingMode.CEILING);
            case "FLOOR" -> only(name, arguments).setScale(0, RoundingMode.FLOOR);
            case "SQRT" -> root(only(name, arguments));
            case "ROUND" -> first.setScale(places(arguments), RoundingMode.HALF_UP);
            default ->
                throw new ToolException("There is no function " + name
                        + "; there are ABS, CEILING, FLOOR, MAX, MIN, ROUND, SQRT and SUM.");
        };
    }

    private static BigDecimal only(String name, List<BigDecimal> arguments) {
        if (arguments.size() != 1) {
            throw new ToolException(name + " takes one number.");
        }
        return arguments.getFirst();
    }

    private static BigDecimal root(BigDecimal value) {
        if (value.signum() < 0) {
            throw new ToolException("There is no square root of a negative number.");
        }
        return value.sqrt(PRECISION);
    }

    private static int places(List<BigDecimal> arguments) {
        BigDecimal places = arguments.size() == 2 ? arguments.get(1) : BigDecimal.ZERO;
        if (arguments.size() > 2
                || places.stripTrailingZeros().scale() > 0
                || places.abs().compareTo(BigDecimal.valueOf(MAX_DIGITS)) > 0) {
            throw new ToolException("ROUND takes a number and how many digits after the point, as in ROUND(10/3, 2).");
        }
        return places.intValue();
    }

    private static BigDecimal bounded(BigDecimal value) {
        if (value.signum() != 0
                && (Math.abs((long) value.precision() - value.scale()) > MAX_DIGITS
                        || value.scale() > 2 * MAX_DIGITS)) {
            throw new ToolException("A number of the expression has more than " + MAX_DIGITS + " digits.");
        }
        return value.signum() == 0 ? BigDecimal.ZERO : value;
    }

    /** The next character that is no white space; 0 at the end. */
    private char next() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private boolean takes(char wanted) {
        if (next() != wanted) {
            return false;
        }
        at++;
        return true;
    }

    private void expect(char wanted) {
        if (!takes(wanted)) {
            throw unexpected();
        }
    }

    private ToolException unexpected() {
        return new ToolException(
                next() == 0
                        ? "The expression ends too early."
                        : "The expression is wrong at character " + (at + 1) + " (" + next() + ").");
    }
}
