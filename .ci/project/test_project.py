"""Each check of this directory finds the faults that are planted here, and nothing where there is none."""
import tempfile
import unittest
from pathlib import Path

import actions
import changelog
import links
import versions

POM = "<project><artifactId>assay</artifactId>\n  <version>{}</version></project>"
CHILD = "<project><parent><artifactId>assay</artifactId>\n<version>{}</version></parent></project>"
LOG = """# Changelog

## [Unreleased]

## [1.0.0-rc.1] - 2026-11-27

### Added

- One.
  It goes on.

### Fixed

- Two.
"""
COMMIT = "a" * 40


class Planted(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = Path(directory.name).resolve()

    def write(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def assert_found(self, check, *parts):
        """One finding for each of `parts`, in any order."""
        found = list(check.findings(self.root))
        self.assertEqual(len(parts), len(found), found)
        for part in parts:
            self.assertTrue(any(part in finding for finding in found), (part, found))


class LinksTest(Planted):
    def setUp(self):
        super().setUp()
        self.write("README.md", "# A `b` & c\n[index](docs/README.md) [here](#a-b--c) ![p](docs/p.png) [web](https://x/y#z)\n")
        self.write("docs/README.md", "[a](a.md#two-words-1)\n[decisions](decisions)\n")
        self.write("docs/a.md", "## Two words\n## Two words\n[up](../README.md#a-b--c)\n")
        self.write("docs/p.png", "")
        self.write("docs/decisions/0001-a.md", "")

    def test_nothing_where_all_resolve(self):
        self.assert_found(links)

    def test_a_broken_link_and_a_broken_anchor(self):
        self.write("docs/a.md", "## Two words\n## Two words\n[x](gone.md) [y](../README.md#gone)\n[`z`](#gone)\n")
        self.assert_found(links, "docs/a.md:3: the link gone.md leads nowhere", "../README.md#gone has an anchor", "a.md:4: the link #gone")

    def test_code_is_no_link_and_its_comments_are_no_headings(self):
        self.write("docs/a.md", "## Two words\n## Two words\n`[x](gone.md)`\n```sh\n# gone\n[x](gone.md)\n```\n[y](#gone)\n")
        self.assert_found(links, "the link #gone has an anchor")

    def test_links_out_of_the_repository(self):
        self.write("docs/a.md", "## Two words\n## Two words\n[x](../../y) [z](/etc/passwd)\n[r]: gone.md\n")
        self.assert_found(links, "../../y leaves", "/etc/passwd leads to the root", "gone.md leads nowhere")

    def test_a_page_that_the_index_does_not_name(self):
        self.write("docs/b.md", "")
        self.assert_found(links, "docs/b.md: the index")


class VersionsTest(Planted):
    def setUp(self):
        super().setUp()
        self.write("pom.xml", POM.format("1.0.0-rc.1"))
        self.write("cli/pom.xml", CHILD.format("1.0.0-rc.1"))
        self.write("Dockerfile", "# docker build -t assay:1.0.0-rc.1 .\n")
        self.write("docker-compose.yml", "image: ${ASSAY_IMAGE:-assay:1.0.0-rc.1}\n")
        self.write("client/pyproject.toml", 'version = "1.0.0rc1"\n')
        self.write("action/action.yml", "inputs:\n  version:\n    description: Which\n    default: 1.0.0-rc.1\n  other:\n    default: 1\n")
        self.write("docs/a.md", "tar -xf assay-1.0.0-rc.1.tar.gz\n`postgres:18`, registry.io/other-assay:1\n")
        self.write(".github/ISSUE_TEMPLATE/bug.yml", "placeholder: assay 1.0.0-rc.1, build 1\n")

    def test_nothing_where_all_are_the_same(self):
        self.assert_found(versions)

    def test_each_place_that_says_another(self):
        self.write("pom.xml", POM.format("1.0.1"))
        self.assert_found(
            versions, "cli/pom.xml: the parent", "Dockerfile:1: assay:1.0.0-rc.1", "docker-compose.yml:1", "docs/a.md:1", "bug.yml:1: assay 1.0.0-rc.1",
            "action/action.yml: the default of version is 1.0.0-rc.1", "1.0.1 where pom.xml")

    def test_how_python_writes_them(self):
        for own, python in (("1.0.0", "1.0.0"), ("1.2.3-beta.10", "1.2.3b10"), ("1.0.1-SNAPSHOT", "1.0.1.dev0")):
            self.assertEqual(python, versions.python_version(own))
        for none in ("1.0", "v1.0.0", "1.0.0-rc1", "1.0.0-rc.1\n", ""):
            self.assertRaises(SystemExit, versions.python_version, none)


class ChangelogTest(Planted):
    def log(self, text, version="1.0.0-rc.1"):
        self.write("pom.xml", POM.format(version))
        self.write("CHANGELOG.md", text)

    def test_nothing_where_the_form_is_kept(self):
        self.log(LOG)
        self.assert_found(changelog)
        self.log(LOG, "1.0.0-SNAPSHOT")
        self.assert_found(changelog)

    def test_each_way_to_break_the_form(self):
        for broken, finding in (
            (LOG.replace("## [Unreleased]\n", ""), "the first section is not"),
            (LOG.replace("### Fixed", "### Mended"), "'Mended' is none of"),
            (LOG.replace("### Fixed", "### Added"), "stands twice or too late"),
            (LOG.replace("- Two.\n", ""), "this heading of 1.0.0-rc.1 has no entry"),
            (LOG.replace("### Added\n", ""), "stands under none of"),
            (LOG.replace("2026-11-27", "2026-13-27"), "is no date"),
            (LOG.replace("- One.", "One."), "neither a heading nor an entry"),
            (LOG.replace("[1.0.0-rc.1]", "1.0.0-rc.1"), "a release is written as"),
            (LOG.replace("## [Unreleased]\n", "## [Unreleased]\n\n- New.\n"), "this entry of Unreleased stands under none"),
            (LOG + "\n## [1.0.0] - 2026-11-28\n\n### Added\n\n- Three.\n", "the newest release is the first"),
        ):
            self.log(broken)
            found = list(changelog.findings(self.root))
            self.assertTrue(any(finding in one for one in found), (finding, found))

    def test_a_version_that_the_releases_contradict(self):
        for version, finding in (("1.0.0", "pom.xml has 1.0.0"), ("1.0.0-alpha.1-SNAPSHOT", "on the way to"), ("0.9.0-SNAPSHOT", "on the way to")):
            self.log(LOG, version)
            self.assert_found(changelog, finding)

    def test_the_notes_of_a_release(self):
        self.log(LOG)
        self.assertTrue(changelog.notes(self.root, "1.0.0-rc.1").startswith("### Added"))
        self.assertRaises(SystemExit, changelog.notes, self.root, "2.0.0")


class ActionsTest(Planted):
    def test_only_full_commits_with_their_version(self):
        self.write(".github/workflows/a.yml", f"- uses: a/b@{COMMIT} # v1.2.3\n- uses: ./action\n# uses: a/b@v1\n")
        self.assert_found(actions)
        for other in ("a/b@v1", f"a/b@{COMMIT}", f"a/b@{COMMIT[:12]} # v1", "docker://a:1", f'"a/b@{COMMIT}"'):
            self.write(".github/workflows/a.yml", f"steps:\n  - name: x\n    uses: {other}\n")
            self.assert_found(actions, "a.yml:3: not named by a full commit")

    def test_a_reference_that_hides_in_its_line(self):
        self.write(".github/workflows/a.yml", "steps: [{uses: a/b@v1}]\n")
        self.assert_found(actions, "stands on a line of its own")


if __name__ == "__main__":
    unittest.main()
