#!/usr/bin/env python3
"""A second, independent answer to when schedules fire, for the tests of service/schedule.

It asks Python's zoneinfo what the wall clock shows at each minute of UTC, and knows nothing of dates skipped by field:

- An expression whose hour field is open ("*", "*/2", all 24 hours) fires at each minute whose wall time it names.
- Any other fires at such a minute unless zoneinfo calls the wall time a repeated one (fold=1), and at a minute at which
  the wall clock has just been set forward over a time that it names.

Usage: reference.py FILE             check the firings in FILE; exit status 1 where one differs
       reference.py --update FILE    write the firings where FILE has only their number
       reference.py --systemd FILE   compare with `systemd-analyze calendar` instead

systemd.time(7) means the same by a calendar event except for four things, which --systemd leaves out:

- It drops a time in a gap. Here it is moved to the gap's end: a nightly run is not to be lost.
- It fires once in a repeated hour for "every 15 minutes" too. Here 15 minutes stay 15 minutes, as in Vixie cron (cron(8)).
- Asked from within the second of the two hours, it fires again. Here the first time counts, whenever one asks.
- Date and day of the week have to match both. Here either is enough where both are restricted, as in crontab(5).
"""
import subprocess
import sys
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

MINUTE = timedelta(minutes=1)
NICKNAMES = {"@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@nightly": "0 2 * * *",
             "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *"}
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
DAYS = "sun mon tue wed thu fri sat".split()
BOUNDS = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 7)]


def number(word, place, ends_range):
    word = word.lower()
    if place == 3 and word in MONTHS:
        return MONTHS.index(word) + 1
    if place == 4 and word in DAYS:
        return 7 if word == "sun" and ends_range else DAYS.index(word)
    return int(word)


def values(field, place):
    low, high = BOUNDS[place]
    found = set()
    for item in field.split(","):
        span, _, step = item.partition("/")
        first, dash, last = span.partition("-")
        if span == "*":
            begin, end = low, high
        else:
            begin = number(first, place, False)
            end = number(last, place, True) if dash else begin
        found.update(range(begin, end + 1, int(step or 1)))
    return {value % 7 for value in found} if place == 4 else found


class Expression:
    def __init__(self, text):
        self.fields = NICKNAMES.get(text, text).split()
        self.minute, self.hour, self.day, self.month, self.weekday = (values(f, i) for i, f in enumerate(self.fields))
        self.open_hour = self.fields[1].startswith("*") or len(self.hour) == 24
        self.either_day = not (self.fields[2].startswith("*") or self.fields[4].startswith("*"))

    def names(self, wall):
        if wall.minute not in self.minute or wall.hour not in self.hour or wall.month not in self.month:
            return False
        days = (wall.day in self.day, wall.isoweekday() % 7 in self.weekday)
        return any(days) if self.either_day else all(days)


def names_one_between(expression, begin, end):
    while begin < end:
        if expression.names(begin):
            return True
        begin += MINUTE
    return False


def firings(zone, text, after, count):
    """The firings, and whether clocks were changed in a way that systemd sees differently."""
    expression, zone = Expression(text), ZoneInfo(zone)
    instant = after.replace(second=0, tzinfo=timezone.utc)
    local = instant.astimezone(zone)
    before = local.replace(tzinfo=None)
    found, changes = [], local.fold == 1
    while len(found) < count:
        instant += MINUTE
        local = instant.astimezone(zone)
        wall, repeated = local.replace(tzinfo=None), local.fold == 1
        named = expression.names(wall)
        if not expression.open_hour:
            skipped = names_one_between(expression, before + MINUTE, wall)
            changes = changes or skipped
            named = (named and not repeated) or skipped
        elif named and repeated:
            changes = True
        if named:
            found.append(instant)
        before = wall
    return found, changes


def systemd_firings(zone, text, after, count):
    fields = NICKNAMES.get(text, text).split()
    minute, hour, day, month, weekday = (sorted(values(f, i)) for i, f in enumerate(fields))
    listed = [",".join(f"{value:02}" for value in some) for some in (month, day, hour, minute)]
    week = "" if len(weekday) == 7 else ",".join(DAYS[value].title() for value in weekday) + " "
    event = f"{week}*-{listed[0]}-{listed[1]} {listed[2]}:{listed[3]}:00 {zone}"
    told = subprocess.run(["systemd-analyze", "calendar", f"--base-time={after:%F %T} UTC", f"--iterations={count}", event],
                          env={"TZ": "UTC", "PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=True).stdout
    times = [line.split(": ", 1)[1].split() for line in told.splitlines() if "elapse:" in line or "Iter." in line]
    return [datetime.fromisoformat(f"{date} {clock}+00:00") for _, date, clock, _ in times]


def written(instants):
    return ", ".join(f"{instant:%Y-%m-%d %H:%M}" for instant in instants)


def main(arguments):
    option = arguments.pop(0) if arguments and arguments[0].startswith("--") else None
    if len(arguments) != 1 or option not in (None, "--update", "--systemd"):
        sys.exit(__doc__)
    with open(arguments[0], encoding="utf-8") as file:
        lines = file.read().splitlines()
    faults = compared = 0
    for at, line in enumerate(lines):
        if not line or line.startswith("#"):
            continue
        zone, text, after, expected = (part.strip() for part in line.split("|"))
        start = datetime.fromisoformat(after)
        wanted = expected.isdigit()
        count = int(expected) if wanted else len(expected.split(","))
        found, changes = firings(zone, text, start, count)
        if option == "--systemd":
            if changes or Expression(text).either_day:
                continue
            found = systemd_firings(zone, text, start, count)
        compared += 1
        if wanted and option == "--update":
            lines[at] = " | ".join((zone, text, after, written(found)))
        elif written(found) != expected:
            faults += 1
            print(f"{arguments[0]}:{at + 1}: expected {expected}, found {written(found)}")
    if option == "--update":
        with open(arguments[0], "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    print(f"{compared} cases compared, {faults} differ")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
