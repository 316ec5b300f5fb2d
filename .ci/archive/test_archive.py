"""What is packed has equal bytes of equal input, and libraries need a licence that is on the list."""
import os
import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path

import licences
import pack

ROOT = Path(__file__).resolve().parents[2]
KNOWN = {"MIT": "MIT", "Go License": "BSD-3-Clause", "g:stated": "Apache-2.0"}


def sbom(*entries, name="a"):
    return {"components": [{"group": "g", "name": name, "version": "1", "licenses": list(entries)}]}


class LicencesTest(unittest.TestCase):
    def test_one_licence_of_several_is_enough(self):
        for entries in (
            [{"license": {"id": "MIT"}}],
            [{"license": {"name": "Go License"}}],
            [{"license": {"id": "GPL-3.0-only"}}, {"license": {"id": "MIT"}}],
            [{"expression": "(GPL-2.0-only OR MIT)"}],
        ):
            self.assertEqual([], licences.refused(sbom(*entries), KNOWN))
        self.assertEqual([], licences.refused(sbom(name="stated"), KNOWN))

    def test_a_library_without_a_known_licence_is_named(self):
        for entries in ([], [{"license": {"id": "GPL-3.0-only"}}], [{"expression": "MIT AND GPL-3.0-only"}], [{"license": {}}]):
            self.assertEqual(1, len(licences.refused(sbom(*entries), KNOWN)), entries)

    def test_own_modules_are_no_libraries(self):
        self.assertEqual([], licences.refused({"components": [{"group": "dev.assay", "name": "assay-cli"}]}, KNOWN))


class PackTest(unittest.TestCase):
    def packed(self, directory, umask, order):
        before = os.umask(umask)
        self.addCleanup(os.umask, before)
        root = Path(directory)
        members = {name: (0o644, name.encode()) for name in order}
        pack.archive(root / "a.tar.gz", "assay-1", members, 1_700_000_000)
        return root / "a.tar.gz"

    def test_equal_bytes_whatever_the_order_and_umask(self):
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
            first = self.packed(one, 0o022, ["lib/b.jar", "lib/a.jar", "LICENSE"])
            second = self.packed(two, 0o077, ["LICENSE", "lib/a.jar", "lib/b.jar"])
            self.assertEqual(first.read_bytes(), second.read_bytes())
            with tarfile.open(first) as tar:
                self.assertEqual(
                    [("assay-1", 0o755), ("assay-1/LICENSE", 0o644), ("assay-1/lib", 0o755), ("assay-1/lib/a.jar", 0o644), ("assay-1/lib/b.jar", 0o644)],
                    [(entry.name, entry.mode) for entry in tar])
                self.assertEqual({(0, 0, 1_700_000_000)}, {(entry.uid, entry.gid, entry.mtime) for entry in tar})

    def test_the_bill_of_materials_has_no_time_of_its_own(self):
        self.assertEqual({"metadata": {"tools": 1}, "x": 2}, pack.plain_sbom({"serialNumber": "u", "metadata": {"timestamp": "t", "tools": 1}, "x": 2}))

    def test_the_launcher_is_one_file_with_the_functions_of_the_checkout(self):
        text = pack.launcher(ROOT)
        self.assertTrue(text.startswith("#!/usr/bin/env bash\n"))
        self.assertNotIn("/assay\"\n\n", text)
        for function in ("find_jdk", "train", "recorded", "prepare"):
            self.assertEqual(1, text.count(f"\n{function}() {{\n"), function)
        self.assertEqual(1, text.count('= "$0" ] || return 0'))

    def test_other_jars_have_another_cache(self):
        with tempfile.TemporaryDirectory() as directory:
            jar = Path(directory, "a.jar")
            jar.write_bytes(b"1")
            one = pack.build_name("1.0.0", [jar])
            jar.write_bytes(b"2")
            self.assertNotEqual(one, pack.build_name("1.0.0", [jar]))


JAVA = r"""#!/bin/sh
# Prints its arguments, one a line, where it is Assay; else it records what it is told to.
for one; do
    case $one in
        -XX:AOTCacheOutput=*) recorded=${one#*=} ;;
        -Dassay.prepared=*) mkdir -p "${one#*=}" ;;
        dev.assay.cli.Assay) printf '%s\n' "$@" && exit ;;
    esac
    last=$one
done
echo made >>"$TRAININGS"
case $last in *compute.aot) : >"$last" ;; esac
[ -z "${recorded:-}" ] || : >"$recorded"
[ -z "${SLOW:-}" ] || sleep "$SLOW"
"""


class LauncherTest(unittest.TestCase):
    """The launcher of an archive, with a Java that only notes what it is asked."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = Path(directory.name).resolve()
        self.java("25.0.3")
        self.launcher = self.executable("place with space/assay-1/bin/assay", pack.launcher(ROOT))
        self.lib = self.launcher.parents[1] / "lib"
        self.lib.mkdir()
        for name in ("b.jar", "A.jar"):
            (self.lib / name).touch()
        (self.lib / "build").write_text("1-abc\n")
        self.home = self.root / "it's a \"home\""
        self.home.mkdir()

    def executable(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        file.chmod(0o755)
        return file

    def java(self, version):
        self.executable("java/bin/java", JAVA)
        (self.root / "java/release").write_text(f'IMPLEMENTOR_VERSION="X-1"\nJAVA_VERSION="{version}"\nJAVA_RUNTIME_VERSION="{version}+9"\nOS_ARCH="x"\n')

    def start(self, *arguments, launcher=None, **environment):
        variables = {"PATH": "/usr/bin:/bin", "ASSAY_JAVA_HOME": str(self.root / "java"), "TRAININGS": str(self.root / "trainings")}
        variables.update({"HOME": str(self.home)} | environment)
        return subprocess.Popen(
            [launcher or self.launcher, *arguments], env={name: value for name, value in variables.items() if value is not None},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.root)

    def run_assay(self, *arguments, **more):
        process = self.start(*arguments, **more)
        out, err = process.communicate(timeout=30)
        self.assertEqual(0, process.returncode, err)
        return out.splitlines(), err

    def trainings(self):
        file = self.root / "trainings"
        return len(file.read_text().splitlines()) if file.exists() else 0

    def cache(self, base=None):
        return (base or self.home / ".cache") / "assay" / "1-abc-X1-25.0.3+9-x"

    def test_the_first_command_makes_what_later_ones_use(self):
        out, err = self.run_assay("version")
        cache = self.cache()
        self.assertIn("Preparing Assay", err)
        self.assertEqual(0o700, cache.stat().st_mode & 0o777)
        self.assertEqual(0o700, cache.parent.stat().st_mode & 0o777)
        self.assertEqual([cache.name], [entry.name for entry in cache.parent.iterdir()])
        self.assertTrue((cache / "prepared").is_dir())
        self.assertEqual(2, self.trainings())
        self.assertEqual(f"{self.lib}/A.jar:{self.lib}/b.jar", out[out.index("-cp") + 1])
        self.assertIn(f"-Dassay.compute.cache={cache}", out)

        (cache / "client.aot").touch()
        out, err = self.run_assay("version")
        self.assertEqual(("", 2), (err, self.trainings()))
        self.assertIn(f"-XX:AOTCache={cache}/client.aot", out)
        self.assertEqual("version", out[-1])

    def test_the_cache_is_where_the_environment_says(self):
        for base in (self.root / "xdg", self.root / "xdg with space"):
            self.run_assay("version", XDG_CACHE_HOME=str(base), HOME=None)
            self.assertTrue(self.cache(base).is_dir())
        self.run_assay("version", XDG_CACHE_HOME="relative")
        self.assertTrue(self.cache().is_dir())
        self.assertFalse((self.root / "relative").exists())

    def test_without_a_place_for_it_there_is_no_cache(self):
        for home in (None, "", "relative", "/proc"):
            out, err = self.run_assay("version", HOME=home)
            self.assertEqual("", err)
            self.assertNotIn("-Dassay.prepared", "\n".join(out))
        (self.home / ".cache").touch()
        self.assertEqual("", self.run_assay("version")[1])
        self.assertEqual(0, self.trainings())

    def test_one_process_makes_it_and_others_do_not_wait(self):
        maker = self.start("version", SLOW="3")
        deadline = 100
        while not self.cache().with_name(self.cache().name + ".lock").is_dir() and deadline:
            deadline -= 1
            maker.poll()
            subprocess.run(["sleep", "0.05"], check=True)
        out, err = self.run_assay("version")
        self.assertEqual("", err)
        self.assertNotIn("-Dassay.prepared", "\n".join(out))
        maker.communicate(timeout=30)
        self.assertTrue(self.cache().is_dir())
        self.assertEqual(2, self.trainings())

    def test_a_maker_that_died_is_followed_by_another(self):
        ended = subprocess.Popen(["true"])
        ended.wait()
        self.cache().parent.mkdir(parents=True, mode=0o700)
        lock = self.cache().with_name(self.cache().name + ".lock")
        lock.mkdir()
        (lock / "pid").write_text(f"{ended.pid}\n")
        left = self.cache().with_name(f"{self.cache().name}.unfinished-{ended.pid}")
        left.mkdir()
        self.run_assay("version")
        self.assertEqual([self.cache().name], [entry.name for entry in self.cache().parent.iterdir()])

    def test_a_java_that_is_too_old_is_refused(self):
        self.java("24.0.1")
        process = self.start("version")
        out, err = process.communicate(timeout=30)
        self.assertEqual((1, ""), (process.returncode, out))
        self.assertIn("holds no JDK 25", err)

    def test_a_link_leads_to_it(self):
        link = self.root / "link"
        link.symlink_to(self.launcher)
        out, _ = self.run_assay("list", launcher=link, HOME=None)
        self.assertEqual(f"{self.lib}/A.jar:{self.lib}/b.jar", out[out.index("-cp") + 1])


if __name__ == "__main__":
    unittest.main()
