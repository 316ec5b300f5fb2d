package dev.assay.domain.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.error.AssayException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTextTest {

    private static final String VARS =
            "{name: ann, s: ' hello world ', n: 2, half: 0.5, whole: 1.0, yes: true, none: null, list: [a, b, c],"
                    + " user: {city: Rome, class: k}, nested: '{{name}}!', twice: '{{nested}}{{nested}}',"
                    + " formula: '{{unknown}} {% x'}";

    static Map<String, JsonNode> vars(String yaml) {
        Map<String, JsonNode> vars = new LinkedHashMap<>();
        DocumentText.parse(yaml).properties().forEach(field -> vars.put(field.getKey(), field.getValue()));
        return vars;
    }

    private static String fill(String template) {
        return TemplateText.fill(template, vars(VARS), true);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "{{ name | upper }} {{ user.city }}~ANN Rome",
                "{{n}} {{half}} {{whole}} {{yes}} [{{none}}]~2 0.5 1 true []",
                "{{ n + 1 }} {{ 6 / 2 }} {{ 7 / 2 }}~3 3 3.5",
                "{% if yes %}A{% else %}B{% endif %}{{ missing }}~A",
                "{% for t in list %}{{ loop.index }}{{ t }};{% endfor %}~1a;2b;3c;",
                "{{ list | join('-') }} {{ list }} {{ list.length }}~a-b-c a,b,c 3",
                "{{ user }} {{ user | dump }}~{\"city\":\"Rome\",\"class\":\"k\"} {\"city\":\"Rome\",\"class\":\"k\"}",
                "{{ s | trim | capitalize }} {{ x | default('none') }} {{ s | length }} {{ s | replace('o', '0') }}~"
                        + "Hello world none 13  hell0 w0rld ",
                "{{ nested }} {{ twice }} {{ formula }}~ann! ann!ann! {{unknown}} {% x",
                "{% raw %}{{ name }}{% endraw %}{# said to nobody #}~{{ name }}",
                "{{ name ~{{ name ",
                "{% macro hi(x) %}<{{ x }}>{% endmacro %}{{ hi(name) }}~<ann>",
                "{{ user['class'] }} {{ list[0] }} {{ list[9] }}{{ a.b.c }}~k a ",
                "{{ '<b>' }} & {{ name }}~<b> & ann"
            })
    void shouldFillPlacesAsNunjucksDoes(String template, String expected) {
        assertThat(fill(template)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{% include '/etc/passwd' %}",
                "{% import 'x' as y %}",
                "{% extends 'x' %}",
                "{{ 'a'.repeat(1000000000) }}",
                "{{ name.getClass() }}",
                "{{ name.getClass().forName('java.lang.Runtime') }}",
                "{{ now() }}",
                "{{ today() }}",
                "{{ list | shuffle }}",
                "{{ list | random }}",
                "{{ 1 | unixtimestamp }}",
                "{{ name | nosuch }}",
                "{{ nofunction() }}",
                "{% nosuch %}",
                "{% if yes %}",
                "{{ name + }}",
                "{% macro m(x) %}{{ m(x) }}{% endmacro %}{{ m(1) }}"
            })
    void shouldRefuseWhatReachesOutOfTheTemplateOrIsNone(String template) {
        assertThatThrownBy(() -> fill(template))
                .isInstanceOf(AssayException.class)
                .hasMessageStartingWith("The template cannot be filled: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{{ name.class }}", "{{ ''.class.forName }}", "{{ name.bytes }}", "{{ user.__class__ }}"})
    void shouldFindNoPropertiesOfJava(String template) {
        assertThat(fill(template)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{% for i in range(1000) %}{% for j in range(1000) %}{% for k in range(1000) %}{% endfor %}{% endfor"
                        + " %}{% endfor %}",
                "{% for i in range(1000) %}{% for j in range(1000) %}x{% endfor %}{% endfor %}",
                "{% for i in range(1000) %}{{ 'x' | center(1000000) }}{% endfor %}",
                "{% set a = 'xxxxxxxx' %}{% for i in range(100) %}{% set a = a ~ a %}{% endfor %}",
                "{% set a = [1] %}{% for i in range(100) %}{% set a = a + a %}{% endfor %}"
            })
    void shouldEndWhatTakesTooMuchWithinSeconds(String template) {
        long start = System.nanoTime();

        assertThatThrownBy(() -> fill(template)).isInstanceOf(AssayException.class);

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void shouldLetRangesEndEarlyWhenTheyAreTooLong() {
        assertThat(fill("{% for i in range(10**9) %}x{% endfor %}")).hasSize(1000);
    }

    @Test
    void shouldEndInTextOrATypedErrorWhateverIsWritten() {
        String[] parts = {
            "{{", "}}", "{%", "%}", "{#", "#}", " for ", " in ", "if", "endif", "endfor", "name", "|", "upper", "(",
                    ")", "[",
            "]", "'", "\"", ".", "class", "\\", "\u0000", "\uD800", "é", "-", "1", "set", "=", "raw", "endraw", "\n",
                    "macro"
        };
        Random random = new Random(7);
        for (int n = 0; n < 2000; n++) {
            StringBuilder template = new StringBuilder("{{ name ");
            for (int i = random.nextInt(20); i > 0; i--) {
                template.append(parts[random.nextInt(parts.length)]);
            }
            try {
                assertThat(fill(template.toString())).isNotNull();
            } catch (AssayException e) {
                assertThat(e).hasMessageStartingWith("The template cannot be filled: ");
            }
        }
    }
}
