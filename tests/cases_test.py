#!/usr/bin/env python3
"""Keeps tests/cases.md complete: every case has its row, every test it names is there and is built, and every test whose
comment names a case stands in that case's row."""
import pathlib
import re
import sys
import unittest

CASES = range(1, 51)

ROW = re.compile(r"^\| (\d+) \| (.*?) \| (.*?) \|$", re.MULTILINE)
NAME = re.compile(r"`(\w+\.\w+)`")
TEST = re.compile(r"^TEST(?:_F|_P)?\((\w+),\s+(\w+)\)([^\n]*)$", re.MULTILINE)
COMMENT = re.compile(r"// cases\.md,?(?: rows?)? (\d+(?:, \d+)*)")


def rows_of(table):
    """{case: names of tests} and what is wrong with the table by itself."""
    rows, faults = {}, []
    for number, what, tests in ROW.findall(table):
        number = int(number)
        if number in rows:
            faults.append(f"case {number} stands there twice")
        rows[number] = NAME.findall(tests)
        if not what.strip():
            faults.append(f"case {number}: does not say what happens")
        if not rows[number] and not tests.startswith("none: "):
            faults.append(f"case {number}: no test, and no reason why (`none: ...`)")
    faults += [f"case {number} is missing" for number in CASES if number not in rows]
    faults += [f"there is no case {number}" for number in rows if number not in CASES]
    return rows, faults


def tests_in(source):
    """{name: cases that a comment on the test's line, or right above it, names}"""
    tests = {}
    for match in TEST.finditer(source):
        above = source[: match.start()].rstrip("\n").rsplit("\n", 1)[-1]
        comments = COMMENT.findall(match.group(3)) + (COMMENT.findall(above) if above.startswith("//") else [])
        tests[f"{match.group(1)}.{match.group(2)}"] = {int(n) for text in comments for n in text.split(", ")}
    return tests


def faults_between(rows, tests):
    faults = [f"case {number}: there is no test {name}" for number, names in rows.items() for name in names if name not in tests]
    for name, cases in tests.items():
        faults += [f"{name} says that it stands for case {case}, whose row does not name it"
                   for case in sorted(cases) if name not in rows.get(case, [])]
    return faults


def built_sources(root):
    """The tests' sources that some CMakeLists.txt names. Build folders are not looked into."""
    lists = [file for file in root.glob("*/**/CMakeLists.txt") if not file.relative_to(root).parts[0].startswith("build")]
    named = "".join(file.read_text() for file in lists) + "".join(
        file.read_text() for file in root.glob("bidi/modules/*.cmake"))
    for folder in ("bidi", "service", "tests"):
        for source in sorted((root / folder).rglob("*_test.cpp")):
            if source.name in named:
                yield source


class Checks(unittest.TestCase):
    """The checks themselves find what they are for."""

    TABLE = "".join(f"| {n} | what | `A.B` |\n" for n in CASES)

    def faults(self, table, source="TEST(A, B) {"):
        rows, faults = rows_of(table)
        return faults + faults_between(rows, tests_in(source))

    def test_a_complete_table_has_no_fault(self):
        self.assertEqual(self.faults(self.TABLE), [])

    def test_a_missing_row_is_found(self):
        self.assertEqual(self.faults(self.TABLE.replace("| 7 | what | `A.B` |\n", "")), ["case 7 is missing"])

    def test_a_doubled_and_an_unknown_row_are_found(self):
        self.assertEqual(self.faults(self.TABLE + "| 7 | what | `A.B` |\n| 51 | what | `A.B` |\n"),
                         ["case 7 stands there twice", "there is no case 51"])

    def test_a_row_needs_tests_or_a_reason(self):
        self.assertEqual(self.faults(self.TABLE.replace("| 7 | what | `A.B` |", "| 7 | what | soon |")),
                         ["case 7: no test, and no reason why (`none: ...`)"])
        self.assertEqual(self.faults(self.TABLE.replace("| 7 | what | `A.B` |", "| 7 | what | none: nobody can |")), [])

    def test_a_test_that_is_not_there_is_found(self):
        self.assertEqual(self.faults(self.TABLE.replace("| 7 | what | `A.B` |", "| 7 | what | `A.B`, `A.C` |")),
                         ["case 7: there is no test A.C"])

    def test_a_comment_needs_its_row(self):
        for source in ("TEST_F(C, D) {  // cases.md 7, 8: why\nTEST(A, B) {", "// cases.md, row 7\nTEST_P(C, D) {\n\nTEST(A, B) {"):
            with self.subTest(source=source):
                self.assertIn("C.D says that it stands for case 7, whose row does not name it", self.faults(self.TABLE, source))


class Table(unittest.TestCase):
    def test_is_complete(self):
        root = pathlib.Path(__file__).resolve().parent.parent
        tests = {}
        for source in built_sources(root):
            tests.update(tests_in(source.read_text()))
        self.assertGreater(len(tests), 500, "the tests are not where they are looked for")
        rows, faults = rows_of((root / "tests/cases.md").read_text())
        self.assertEqual(faults + faults_between(rows, tests), [])


if __name__ == "__main__":
    sys.exit(unittest.main())
