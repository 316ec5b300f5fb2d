package dev.assay.domain.campaignfile;

/** Cassette entries for documents under test. */
final class RecordedAnswers {

    static final String KEY = "0123456789abcdef".repeat(4);

    static final String ENTRY = "{key: \"" + KEY + "\", trial: 1, provider: any, model: m, asked: Hello,"
            + " reply: {role: assistant, content: Hi}, usage: {input: 1, output: 2}, latencyMs: 12}";

    private RecordedAnswers() {}
}
