"""Reads meter values from the CSV files of three vendors into one table."""
from __future__ import annotations

import csv
import logging
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Iterable, Iterator

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Reading:
    meter: str
    at: datetime
    value: Decimal
    unit: str
    estimated: bool = False


class Malformed(ValueError):
    def __init__(self, path: Path, line: int, reason: str) -> None:
        super().__init__(f"{path.name}:{line}: {reason}")
        self.path, self.line, self.reason = path, line, reason


def read_file(path: Path, vendor: str) -> Iterator[Reading]:
    columns = COLUMNS[vendor]
    with path.open(newline="", encoding=columns.get("encoding", "utf-8")) as handle:
        rows = csv.DictReader(handle, delimiter=columns.get("delimiter", ","))
        for number, row in enumerate(rows, start=2):
            try:
                yield Reading(
                    meter=row[columns["meter"]].strip().upper(),
                    at=_parse_time(row[columns["time"]], columns["format"]),
                    value=Decimal(row[columns["value"]].replace(",", ".")),
                    unit=columns.get("unit", "kWh"),
                    estimated=row.get(columns.get("flag", ""), "") == "E",
                )
            except (KeyError, InvalidOperation, ValueError) as error:
                raise Malformed(path, number, str(error)) from error


def _parse_time(text: str, form: str) -> datetime:
    parsed = datetime.strptime(text.strip(), form)
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=timezone.utc)


def without_gaps(readings: Iterable[Reading], step: timedelta) -> Iterator[Reading]:
    before: Reading | None = None
    for reading in readings:
        while before is not None and reading.at - before.at > step:
            middle = before.at + step
            share = Decimal((middle - before.at) / (reading.at - before.at))
            filled = before.value + (reading.value - before.value) * share
            before = Reading(reading.meter, middle, filled.quantize(Decimal("0.001")), reading.unit, True)
            log.debug("filled %s at %s", before.meter, before.at)
            yield before
        before = reading
        yield reading


COLUMNS = {
    "aton": {"meter": "MeterID", "time": "Timestamp", "value": "Value", "format": "%Y-%m-%dT%H:%M:%S%z"},
    "birk": {"meter": "Zaehler", "time": "Zeit", "value": "Stand", "format": "%d.%m.%Y %H:%M", "delimiter": ";", "encoding": "latin-1"},
    "cenit": {"meter": "contador", "time": "fecha", "value": "lectura", "format": "%d/%m/%Y %H:%M", "flag": "tipo"},
}
