package dev.assay.domain.rendering;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.gate.CaseStatus;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.CaseSummary;
import dev.assay.domain.report.ExitRule;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * Results as JUnit's XML: a suite for each branch, a test case for each case. It stays below 30 MB. Beyond that it first loses
 * reasons, then test cases that passed, then all that follow. The counts of a suite stay those of all its cases.
 */
public final class JunitReport {

    private static final int ROOM_FOR_REASONS = 15 << 20;
    private static final int ROOM_FOR_PASSED = 20 << 20;
    private static final int ROOM = 28 << 20;

    private final CampaignSummary summary;
    private final CaseTrials trials;
    private final String suite;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final XMLStreamWriter xml;
    private int leftOut;

    private JunitReport(CampaignSummary summary, CaseTrials trials, String suite) throws XMLStreamException {
        this.summary = summary;
        this.trials = trials;
        this.suite = suite;
        this.xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(bytes, StandardCharsets.UTF_8.name());
    }

    /**
     * The document.
     *
     * @param suite name of the suite of cases
     * @throws IOException when the trials cannot be read
     */
    public static byte[] of(CampaignSummary summary, CaseTrials trials, String suite) throws IOException {
        try {
            JunitReport report = new JunitReport(summary, trials, suite);
            report.write();
            return report.bytes.toByteArray();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("XML can always be written to memory", e);
        }
    }

    private void write() throws XMLStreamException, IOException {
        xml.writeStartDocument(StandardCharsets.UTF_8.name(), "1.0");
        xml.writeCharacters("\n");
        xml.writeStartElement("testsuites");
        attribute("name", suite);
        for (BranchSummary branch : summary.branches()) {
            writeSuite(branch);
        }
        xml.writeEndElement();
        xml.writeEndDocument();
        xml.flush();
    }

    /** Numbers in the head of a suite, which take a reading of their own. */
    private static final class Totals {
        private int errors;
        private double seconds;
    }

    private void writeSuite(BranchSummary branch) throws XMLStreamException, IOException {
        String name = suite + "." + branch.branchId();
        Totals totals = new Totals();
        trials.forEach(branch, (one, of) -> {
            totals.errors += status(one) == CaseStatus.FAILED && FailedCase.isOnlyErrors(of) ? 1 : 0;
            totals.seconds += seconds(of);
        });
        xml.writeCharacters("\n");
        xml.writeStartElement("testsuite");
        attribute("name", name);
        attribute("tests", String.valueOf(branch.cases().size()));
        attribute("failures", String.valueOf(count(branch, CaseStatus.FAILED) - totals.errors));
        attribute("errors", String.valueOf(totals.errors));
        attribute("skipped", String.valueOf(count(branch, CaseStatus.INCONCLUSIVE)));
        attribute("time", time(totals.seconds));
        writeProperties(branch);
        leftOut = 0;
        trials.forEach(branch, (one, of) -> {
            try {
                writeCase(name, one, of);
            } catch (XMLStreamException e) {
                throw new IOException(e);
            }
        });
        if (leftOut > 0) {
            element("system-out", leftOut + " test cases are left out: the file would have more than 30 MB.");
        }
        xml.writeEndElement();
    }

    private void writeProperties(BranchSummary branch) throws XMLStreamException {
        xml.writeCharacters("\n");
        xml.writeStartElement("properties");
        property("verdict", summary.verdict().name());
        property("rule", ExitRule.decide(summary, false).sentence());
        if (branch.trials().redrawn() > 0) {
            property("redrawn", String.valueOf(branch.trials().redrawn()));
        }
        if (summary.reruns().wholeReruns() > 0) {
            property("wholeReruns", String.valueOf(summary.reruns().wholeReruns()));
        }
        xml.writeEndElement();
    }

    private void property(String name, String value) throws XMLStreamException {
        xml.writeEmptyElement("property");
        attribute("name", name);
        attribute("value", value);
    }

    private long count(BranchSummary branch, CaseStatus status) {
        return branch.cases().stream().filter(one -> status(one) == status).count();
    }

    /** An error stays one here, also where the gate takes it for no evidence. */
    private CaseStatus status(CaseSummary one) {
        return one.statusWithErrorsFailed(summary.passThreshold());
    }

    private void writeCase(String className, CaseSummary one, JsonNode of) throws XMLStreamException {
        xml.flush();
        if (bytes.size() > (status(one) == CaseStatus.PASSED ? ROOM_FOR_PASSED : ROOM)) {
            leftOut++;
            return;
        }
        xml.writeCharacters("\n");
        xml.writeStartElement("testcase");
        attribute("classname", className);
        attribute("name", one.caseId());
        attribute("time", time(seconds(of)));
        switch (status(one)) {
            case PASSED -> {}
            case FAILED -> writeReasons(FailedCase.isOnlyErrors(of) ? "error" : "failure", one, of);
            case INCONCLUSIVE -> {
                xml.writeEmptyElement("skipped");
                attribute("message", "inconclusive: " + FailedCase.rate(one, null) + FailedCase.lost(of));
            }
        }
        xml.writeEndElement();
    }

    private void writeReasons(String element, CaseSummary one, JsonNode of) throws XMLStreamException {
        xml.writeStartElement(element);
        boolean asksOfCases = summary.gate().rateRule() == null;
        attribute("message", FailedCase.rate(one, asksOfCases ? (Double) summary.passThreshold() : null));
        attribute("type", element.equals("error") ? "EVAL_ERROR" : "EVAL_FAILURE");
        if (bytes.size() < ROOM_FOR_REASONS) {
            xml.writeCharacters(legal(String.join("\n", FailedCase.reasons(of))));
        }
        xml.writeEndElement();
    }

    private void element(String name, String text) throws XMLStreamException {
        xml.writeStartElement(name);
        xml.writeCharacters(text);
        xml.writeEndElement();
    }

    private void attribute(String name, String value) throws XMLStreamException {
        xml.writeAttribute(name, legal(value));
    }

    private static double seconds(JsonNode trials) {
        return TrialResults.sum(trials, "latency_ms").asLong(0) / 1000.0;
    }

    private static String time(double seconds) {
        return String.format(Locale.ROOT, "%.3f", seconds);
    }

    /** {@code text} with what no XML 1.0 document may hold as U+FFFD. */
    static String legal(String text) {
        StringBuilder legal = new StringBuilder(text.length());
        text.codePoints().map(c -> isLegal(c) ? c : 0xFFFD).forEach(legal::appendCodePoint);
        return legal.toString();
    }

    private static boolean isLegal(int c) {
        boolean isSpace = c == '\t' || c == '\n' || c == '\r';
        return isSpace || (c >= 0x20 && c <= 0xD7FF) || (c >= 0xE000 && c <= 0xFFFD) || c >= 0x10000;
    }
}
